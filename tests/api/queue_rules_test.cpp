// SPDX-License-Identifier: Apache-2.0
#include "api/queue_rules.hpp"

#include "api/machine.hpp"

#include <catch2/catch.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace fenceline;

namespace {

/// D3D12's table: which list types have the method ("d", "c", "y" for copy, "b" for bundle).
struct Allowed {
  Command command;
  std::string types;
};
const std::vector<Allowed> table = {
    {Draw{}, "db"},
    {DrawIndexed{}, "db"},
    {Dispatch{}, "dcb"},
    {ExecuteIndirect{}, "dcb"},
    {CopyBuffer{}, "dcy"},
    {CopyTexture{}, "dcy"},
    {Barrier{}, "dcy"},
    {Timestamp{}, "dcy"},
    {ResolveQueryData{}, "dcy"},
    {Hang{}, "dcy"},
    {PageFault{}, "dcy"},
    {Clear{}, "dc"},
    {SetPredication{}, "dc"},
    {Discard{}, "dc"},
    {Resolve{}, "d"},
    {BeginQuery{}, "d"},
    {EndQuery{}, "d"},
    {BeginRenderPass{}, "d"},
    {EndRenderPass{}, "d"},
};

bool contains(const std::string& types, char type) { return types.find(type) != std::string::npos; }

}  // namespace

TEST_CASE("queue rules: each command on the list types that D3D12's table names", "[api]") {
  REQUIRE(table.size() == std::variant_size_v<Command>);
  for (const Allowed& row : table) {
    INFO(name_of(row.command));
    CHECK(allowed(row.command, CommandListType::direct) == contains(row.types, 'd'));
    CHECK(allowed(row.command, CommandListType::compute) == contains(row.types, 'c'));
    CHECK(allowed(row.command, CommandListType::copy) == contains(row.types, 'y'));
    CHECK(allowed(row.command, CommandListType::bundle) == contains(row.types, 'b'));
  }
}

TEST_CASE("queue rules: an ExecuteIndirect is refused for what it repeats", "[api]") {
  Machine machine(builtin_machine("h200"));
  const auto queue = machine.create_queue({"compute", QueueType::compute, QueuePriority::normal, ""});
  const auto execute = [&](const Command& repeated, std::uint32_t call) {
    auto stream = std::make_shared<CommandStream>();
    stream->name = "l";
    stream->compute_pipelines.resize(1);
    stream->graphics_pipelines.resize(1);
    stream->indirect_calls.push_back({repeated, 2, 16, false, false});
    stream->commands.emplace_back(ExecuteIndirect{call});
    machine.execute(queue, stream);
  };
  CHECK_THROWS_AS(execute(Dispatch{0, 1}, 1), std::invalid_argument);  // no such call
  CHECK_THROWS_AS(execute(Dispatch{1, 1}, 0), std::invalid_argument);  // no such pipeline
  CHECK_THROWS_AS(execute(Draw{}, 0), std::invalid_argument);
  CHECK_THROWS_AS(execute(Barrier{}, 0), std::invalid_argument);
  CHECK_THROWS_AS(execute(ExecuteIndirect{0}, 0), std::invalid_argument);
  execute(Dispatch{0, 1}, 0);
  CHECK(machine.run());
}

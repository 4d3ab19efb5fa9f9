// SPDX-License-Identifier: Apache-2.0
// What commands of a JSON workload are recorded as, and which are refused.
#include "api/queue_rules.hpp"
#include "tests/api/report/recording.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

std::string indirect(const std::string& command, const std::string& more) {
  return R"({"type": "execute_indirect", "arguments": "buffer", "command": )" + command + more + "}";
}

}  // namespace

TEST_CASE("ExecuteIndirect in a workload: the smaller of count and maximum, one command, its arguments' place",
          "[api]") {
  const auto lists = record({{"direct", "direct",
                              indirect(draw, R"(, "max_count": 10, "count": 7, "stride": 32)") + "," +
                                  indirect(dispatch, R"(, "max_count": 3, "count": 9)")},
                             {"compute", "compute",
                              R"({"type": "execute_indirect", "arguments": "upload", "max_count": 2,
                                  "arguments_offset": 4072, "command": )" +
                                  dispatch + "}"}});
  const CommandStream& direct = *lists.at(0);
  REQUIRE(direct.commands.size() == 2);
  REQUIRE(direct.indirect_calls.size() == 2);
  const IndirectCall& draws = direct.indirect_calls[std::get<ExecuteIndirect>(direct.commands[0]).call];
  CHECK(draws.count == 7);
  CHECK(draws.count_buffer);
  CHECK_FALSE(draws.arguments_in_host);
  CHECK(draws.max_count == 10);
  CHECK(argument_bytes(draws) == 10 * 32 + 4);
  CHECK(std::get<Draw>(draws.command).vertices == 300);
  const IndirectCall& dispatches = direct.indirect_calls[std::get<ExecuteIndirect>(direct.commands[1]).call];
  CHECK(dispatches.count == 3);
  CHECK(std::get<Dispatch>(dispatches.command).groups == 4);
  const IndirectCall& from_host = lists.at(1)->indirect_calls.at(0);
  CHECK(from_host.arguments_in_host);
  CHECK(argument_bytes(from_host) == 2 * 12);
  CHECK(std::string(name_of(direct.commands[0])) == "ExecuteIndirect");
}

TEST_CASE("ExecuteIndirect in a workload: arguments that ask for no group are fetched, and nothing runs", "[api]") {
  const std::string none = R"({"type": "dispatch", "pipeline": "cs", "x": 4, "y": 0})";
  const auto lists =
      record({{"direct", "direct",
               indirect(none, R"(, "max_count": 5)") + "," + indirect(none, R"(, "max_count": 5, "count": 3)")}});
  const IndirectCall& all = lists.at(0)->indirect_calls.at(0);
  CHECK(all.count == 0);
  CHECK(argument_bytes(all) == 5 * 12);
  const IndirectCall& counted = lists.at(0)->indirect_calls.at(1);
  CHECK(counted.count == 0);
  CHECK(argument_bytes(counted) == 5 * 12 + 4);
}

TEST_CASE("ExecuteIndirect in a workload: refused with the place", "[api]") {
  const auto refused = [](const std::string& type, const std::string& command, const std::string& place,
                          const std::string& expected, const std::string& found) {
    check_refused({{"l", type.c_str(), command}}, "/command_lists/0/commands/0" + place, expected, found);
  };
  refused("copy", indirect(dispatch, R"(, "max_count": 1)"), "", "a copy list may have", "ExecuteIndirect");
  refused("compute", indirect(draw, R"(, "max_count": 1)"), "/command", "a compute list may have", "DrawInstanced");
  refused("bundle", indirect(draw, R"(, "max_count": 1, "count": 1)"), "/count", "no count buffer in a bundle", "one");
  refused("direct", indirect(dispatch, R"(, "max_count": 1000001)"), "/max_count", "at most 1000000 commands",
          "1000001");
  refused("direct", indirect(draw, R"(, "max_count": 4294967295)"), "/max_count", "at most 1000000", "4294967295");
  refused("direct", indirect(draw, R"(, "max_count": 4294967295, "count": 1000001)"), "/count", "at most 1000000",
          "1000001");
  refused("direct", indirect(draw, R"(, "max_count": 513)"), "/max_count", "at most the 512 arguments", "513");
  refused("direct", indirect(dispatch, R"(, "max_count": 2, "stride": 8188)"), "/max_count", "at most the 1 arg", "2");
  refused("direct", indirect(draw, R"(, "max_count": 1, "stride": 12)"), "/stride", "from 16 on", "12");
  refused("direct", indirect(dispatch, R"(, "max_count": 1, "stride": 14)"), "/stride", "a multiple of 4", "14");
  refused("direct", indirect(draw, R"(, "max_count": 1, "arguments_offset": 2)"), "/arguments_offset", "multiple", "2");
  refused("direct", indirect(draw, R"(, "max_count": 1, "arguments_offset": 8192)"), "/arguments_offset",
          "less than the buffer's 8192 bytes", "8192");
  refused("direct", indirect(R"({"type": "barrier"})", R"(, "max_count": 1)"), "/command/type", "draw_indexed",
          "barrier");
  refused("direct", indirect(R"({"type": "draw", "pipeline": "x"})", R"(, "max_count": 1)"), "/command/pipeline",
          "one of the graphics pipelines", "\"x\"");
  refused("direct", R"({"type": "execute_indirect", "arguments": "color", "max_count": 1, "command": )" + draw + "}",
          "/arguments", "a buffer", "a texture");
}

TEST_CASE("bundles: their commands become the list's own, with the list's pipelines", "[api]") {
  const std::string draw2 = R"({"type": "draw", "pipeline": "gs2", "vertices": 3})";
  const auto lists =
      record({{"frame", "direct", draw2 + R"(, {"type": "execute_bundle", "bundle": "b"}, {"type": "barrier"},
                                           {"type": "execute_bundle", "bundle": "b"})"},
              {"b", "bundle", draw + "," + draw2 + "," + indirect(dispatch, R"(, "max_count": 2)")}});
  const CommandStream& frame = *lists.at(0);
  REQUIRE(frame.commands.size() == 1 + 3 + 1 + 3);
  REQUIRE(frame.graphics_pipelines.size() == 2);
  CHECK(frame.graphics_pipelines[std::get<Draw>(frame.commands[0]).pipeline].name == "gs2");
  CHECK(frame.graphics_pipelines[std::get<Draw>(frame.commands[1]).pipeline].name == "gs");
  CHECK(frame.graphics_pipelines[std::get<Draw>(frame.commands[2]).pipeline].name == "gs2");
  CHECK(frame.indirect_calls.at(std::get<ExecuteIndirect>(frame.commands[7]).call).count == 2);
  const CommandStream& bundle = *lists.at(1);
  REQUIRE(bundle.commands.size() == 3);
  CHECK(bundle.graphics_pipelines[std::get<Draw>(bundle.commands[0]).pipeline].name == "gs");
}

TEST_CASE("bundles: executed 3000 times they take the room of their commands", "[api]") {
  std::string commands;
  for (int i = 0; i < 3000; ++i)
    commands += std::string(i > 0 ? "," : "") + R"({"type": "execute_bundle", "bundle": "b"})";
  const auto lists = record({{"b", "bundle", draw + "," + dispatch}, {"frame", "direct", commands}});
  CHECK(lists.at(1)->commands.size() == 2 * 3000);
  CHECK(lists.at(1)->graphics_pipelines.size() == 1);
  CHECK(lists.at(1)->compute_pipelines.size() == 1);
}

TEST_CASE("bundles: what D3D12 does not allow is refused with the place", "[api]") {
  const std::string execute = R"({"type": "execute_bundle", "bundle": "b"})";
  const auto in_bundle = [](const std::string& command, const std::string& found) {
    check_refused({{"b", "bundle", command}}, "/command_lists/0/commands/0", "a command that a bundle may have", found);
  };
  in_bundle(R"({"type": "barrier"})", "ResourceBarrier");
  in_bundle(R"({"type": "clear", "target": "color"})", "Clear");
  in_bundle(R"({"type": "timestamp", "slot": 0})", "EndQuery");
  in_bundle(R"({"type": "copy_buffer", "source": "upload", "destination": "buffer"})", "CopyBufferRegion");
  in_bundle(execute, "ExecuteBundle");
  const std::string at = "/command_lists/0/commands/0";
  check_refused({{"l", "compute", execute}, {"b", "bundle", draw}}, at, "a compute list may have", "ExecuteBundle");
  check_refused({{"l", "copy", execute}, {"b", "bundle", draw}}, at, "a copy list may have", "ExecuteBundle");
  check_refused({{"l", "direct", execute}, {"b", "direct", draw}}, at + "/bundle", "a bundle", "a direct command list");
  check_refused({{"l", "direct", execute}}, at + "/bundle", "one of the command lists", "\"b\"");
  // What is wrong inside is told there, whoever comes first.
  check_refused({{"l", "direct", execute}, {"b", "bundle", R"({"type": "barrier"})"}}, "/command_lists/1/commands/0",
                "a bundle may have", "ResourceBarrier");
  std::string many;
  std::string much;
  for (int i = 0; i < 2100; ++i) {
    many += (i > 0 ? "," : "") + execute;
    much += (i > 0 ? "," : "") + draw;
  }
  check_refused({{"b", "bundle", much}, {"l", "direct", many}},
                "/command_lists/1/commands/" + std::to_string(max_inlined_commands / 2100),
                "at most 4000000 commands of repeats and executed bundles", "more");
}

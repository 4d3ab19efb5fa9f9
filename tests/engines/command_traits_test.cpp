// SPDX-License-Identifier: Apache-2.0
// What each kind of command says of itself, against D3D12's documents, worked out by hand.
#include "engines/command/command.hpp"

#include <catch2/catch.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using namespace fenceline;

namespace {

/// One of each kind, in the order of the variant.
template <std::size_t... Kinds>
std::vector<Command> one_of_each(std::index_sequence<Kinds...>) {
  return {Command(std::in_place_index<Kinds>)...};
}
std::vector<Command> one_of_each() { return one_of_each(std::make_index_sequence<std::variant_size_v<Command>>()); }

/// The names of those for which it holds.
template <class Holds>
std::string those(const Holds& holds) {
  std::string names;
  for (const Command& command : one_of_each()) {
    if (holds(command)) names += (names.empty() ? "" : " ") + std::string(name_of(command));
  }
  return names;
}

}  // namespace

TEST_CASE("command traits: each list type has the methods that d3d12.h's pages give it", "[engines]") {
  const auto in = [](bool ListTypes::*type) {
    return those([&](const Command& command) { return traits_of(command).lists.*type; });
  };
  CHECK(in(&ListTypes::direct) == those([](const Command&) { return true; }));
  CHECK(in(&ListTypes::compute) ==
        "Dispatch CopyBufferRegion CopyTextureRegion Clear ResourceBarrier EndQuery ExecuteIndirect ResolveQueryData "
        "SetPredication Hang PageFault DiscardResource");
  CHECK(in(&ListTypes::copy) ==
        "CopyBufferRegion CopyTextureRegion ResourceBarrier EndQuery ResolveQueryData Hang PageFault");
  CHECK(in(&ListTypes::bundle) == "DrawInstanced DrawIndexedInstanced Dispatch ExecuteIndirect");
}

TEST_CASE("command traits: what D3D12 predicates, forbids in a render pass and lets an ExecuteIndirect repeat",
          "[engines]") {
  CHECK(those([](const Command& command) { return traits_of(command).has(command_rule::predicated); }) ==
        "DrawInstanced DrawIndexedInstanced Dispatch CopyBufferRegion CopyTextureRegion Clear ExecuteIndirect "
        "ResolveSubresource");
  CHECK(those([](const Command& command) { return traits_of(command).has(command_rule::not_in_render_pass); }) ==
        "Dispatch CopyBufferRegion CopyTextureRegion Clear ResolveSubresource ResolveQueryData DiscardResource");
  CHECK(those([](const Command& command) { return traits_of(command).has(command_rule::repeatable); }) ==
        "DrawInstanced DrawIndexedInstanced Dispatch");
}

TEST_CASE("command traits: barriers, resolved queries and render passes that resolve wait for all before them",
          "[engines]") {
  CHECK(those(waits_for_all) == "ResourceBarrier ResolveQueryData Hang PageFault");
  CHECK(waits_for_all(EndRenderPass{1}));
  CHECK_FALSE(waits_for_all(BeginRenderPass{1}));
}

TEST_CASE("command traits: who executes a command", "[engines]") {
  const auto by = [](CommandWork work) {
    return those([&](const Command& command) { return traits_of(command).work == work; });
  };
  CHECK(by(CommandWork::front_end) == "ResourceBarrier EndQuery BeginQuery EndQuery SetPredication DiscardResource");
  CHECK(by(CommandWork::draw) == "DrawInstanced DrawIndexedInstanced");
  CHECK(by(CommandWork::grid) == "Dispatch");
  CHECK(by(CommandWork::copy) == "CopyBufferRegion CopyTextureRegion ResolveQueryData");
  CHECK(by(CommandWork::access) == "Clear ResolveSubresource BeginRenderPass EndRenderPass");
  CHECK(by(CommandWork::arguments) == "ExecuteIndirect");
  CHECK(by(CommandWork::stuck) == "Hang PageFault");
  // A render pass that neither clears nor resolves passes through the front end.
  CHECK(is_front_end_only(BeginRenderPass{0}));
  CHECK_FALSE(is_front_end_only(BeginRenderPass{1}));
  CHECK(is_front_end_only(EndRenderPass{0}));
  CHECK_FALSE(is_front_end_only(EndRenderPass{1}));
}

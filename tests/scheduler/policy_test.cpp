// SPDX-License-Identifier: Apache-2.0
#include "scheduler/policy.hpp"

#include "tests/scheduler/policy_contract.hpp"

#include <catch2/catch.hpp>

using namespace fenceline;

namespace {
constexpr std::uint64_t quantum = 1000;
}

TEST_CASE("policy: choosing a context keeps the policy contract", "[scheduler]") {
  testing::policy_contract([](const auto& candidates, std::uint64_t ps) { return choose_context(candidates, ps); });
}

TEST_CASE("policy: the highest priority is chosen, even against the holder of the turn", "[scheduler]") {
  const Candidate low{0, 1, true, 0};
  const Candidate high{100, 9, false, 0};
  CHECK(choose_context({low, high}, quantum) == 1);
  CHECK(choose_context({high, low}, quantum) == 0);
  CHECK(choose_context({{-5, 0, false, 0}, {-4, 7, false, 0}}, quantum) == 1);
}

TEST_CASE("policy: among equals the turn stays until the quantum is used up", "[scheduler]") {
  const Candidate other{0, 3, false, 0};
  CHECK(choose_context({other, {0, 8, true, quantum - 1}}, quantum) == 1);
  CHECK(choose_context({other, {0, 8, true, quantum}}, quantum) == 0);
  CHECK(choose_context({other, {0, 8, true, quantum + 1}}, quantum) == 0);
}

TEST_CASE("policy: without a turn the longest without one is next, the first listed of several", "[scheduler]") {
  CHECK(choose_context({{0, 5, false, 0}, {0, 2, false, 0}, {0, 4, false, 0}}, quantum) == 1);
  CHECK(choose_context({{0, 5, false, 0}, {0, 0, false, 0}, {0, 0, false, 0}}, quantum) == 1);
  // A turn that is used up counts by its number like the others.
  CHECK(choose_context({{0, 1, true, quantum}, {0, 2, false, 0}}, quantum) == 0);
  CHECK(choose_context({{0, 1, false, 0}}, quantum) == 0);
}

TEST_CASE("policy: preempting is worth it only for something of lower priority", "[scheduler]") {
  CHECK_FALSE(worth_preempting(100, {}));
  CHECK_FALSE(worth_preempting(0, {0, 0}));
  CHECK_FALSE(worth_preempting(0, {100, 1}));
  CHECK(worth_preempting(1, {100, 0}));
  CHECK(worth_preempting(0, {-1}));
}

TEST_CASE("policy: the hardware queue is the context's own, else the emptiest with room", "[scheduler]") {
  using View = HardwareQueueView;
  CHECK(choose_hardware_queue({}) == no_queue);
  CHECK(choose_hardware_queue({View{2, false, false}, View{2, false, false}}) == no_queue);
  CHECK(choose_hardware_queue({View{1, true, false}, View{0, true, false}, View{0, true, false}}) == 1);
  CHECK(choose_hardware_queue({View{0, false, false}, View{3, true, false}}) == 1);
  CHECK(choose_hardware_queue({View{0, true, false}, View{1, true, true}}) == 1);
  // Its next packet must follow the ones in flight, so a full queue of its own means waiting.
  CHECK(choose_hardware_queue({View{0, true, false}, View{2, false, true}}) == no_queue);
}

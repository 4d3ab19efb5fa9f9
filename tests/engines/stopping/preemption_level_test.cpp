// SPDX-License-Identifier: Apache-2.0
// What each level of preemption says of itself, against d3dkmdt.h and the order of the levels.
#include "engines/command/preemption_level.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>

using namespace fenceline;

namespace {

constexpr WorkClass all_work[] = {WorkClass::graphics, WorkClass::compute, WorkClass::copy};

const char* own_name(PreemptionLevel level, WorkClass work) {
  return traits_of(level).names[static_cast<std::size_t>(work)];
}

}  // namespace

TEST_CASE("preemption level: a finer one has a larger value, and stops all that the coarser ones stop", "[engines]") {
  REQUIRE(preemption_levels.front() == PreemptionLevel::none);
  CHECK(traits_of(PreemptionLevel::none).rules == 0);
  for (std::size_t finer = 1; finer < preemption_levels.size(); ++finer) {
    const PreemptionLevel coarse = preemption_levels[finer - 1];
    const PreemptionLevel fine = preemption_levels[finer];
    INFO(value_of(coarse) << " and " << value_of(fine));
    CHECK(coarse < fine);
    CHECK((traits_of(coarse).rules & ~traits_of(fine).rules) == 0);
    CHECK(traits_of(fine).has(level_rule::withholds_packets));
  }
  // Each rule implies those before it: what stops inside a thread group stops inside its command.
  for (const PreemptionLevel level : preemption_levels) {
    for (unsigned rule = 2; rule <= level_rule::stops_threads; rule *= 2) {
      if (traits_of(level).has(rule)) CHECK(traits_of(level).has(rule / 2));
    }
  }
}

TEST_CASE("preemption level: each is some work's, under a name that no other level has there", "[engines]") {
  for (const WorkClass work : all_work) {
    std::set<std::string> names;
    for (const PreemptionLevel level : preemption_levels) {
      const char* name = own_name(level, work);
      if (name != nullptr) CHECK(names.insert(name).second);
    }
    CHECK(names.count("none") == 1);
    CHECK(names.count("dma_buffer_boundary") == 1);
  }
  for (const PreemptionLevel level : preemption_levels) {
    CHECK(std::any_of(std::begin(all_work), std::end(all_work),
                      [&](WorkClass work) { return own_name(level, work) != nullptr; }));
  }
}

TEST_CASE("preemption level: work that has no such level falls back to the next coarser one", "[engines]") {
  CHECK(level_name(PreemptionLevel::shader, WorkClass::copy) == std::string("transfer_boundary"));
  CHECK(level_name(PreemptionLevel::thread, WorkClass::copy) == std::string("transfer_boundary"));
  CHECK(level_name(PreemptionLevel::thread, WorkClass::graphics) == std::string("pixel_boundary"));
  for (const WorkClass work : all_work) {
    std::string coarser;
    for (const PreemptionLevel level : preemption_levels) {
      const char* own = own_name(level, work);
      const std::string name = level_name(level, work);
      CHECK(name == (own != nullptr ? own : coarser));
      coarser = name;
    }
  }
}

TEST_CASE("preemption level: an adapter reports one of D3DKMDT's, none finer than where it stops", "[engines]") {
  for (const PreemptionLevel level : preemption_levels) {
    INFO(value_of(level));
    const PreemptionLevel reported = traits_of(level).reported;
    const bool is_own = value_of(level) % 100 == 0;  // d3dkmdt.h counts in hundreds
    CHECK((is_own ? reported == level : reported < level));
    CHECK(value_of(reported) % 100 == 0);
    CHECK(value_of(reported) <= 500);
    for (const PreemptionLevel between : preemption_levels) {  // none is left out
      if (between > reported && between < level) CHECK(value_of(between) % 100 != 0);
    }
  }
}

TEST_CASE("preemption level: the names of a machine's file are d3dkmdt.h's", "[engines]") {
  const auto value_named = [](const auto& names, const std::string& name) -> int {
    for (const auto& [granularity, its_name] : names) {
      if (its_name == name) return static_cast<int>(granularity);
    }
    return -1;
  };
  const auto graphics = enum_names(GraphicsPreemption{});
  const auto compute = enum_names(ComputePreemption{});
  const auto copy = enum_names(CopyPreemption{});
  const char* of_draws[] = {"none",           "dma_buffer_boundary", "primitive_boundary", "triangle_boundary",
                            "pixel_boundary", "shader_boundary"};
  const char* of_dispatches[] = {
      "none",           "dma_buffer_boundary", "dispatch_boundary", "thread_group_boundary", "thread_boundary",
      "shader_boundary"};
  const char* of_copies[] = {"none", "dma_buffer_boundary", "copy_boundary", "transfer_boundary"};
  for (int i = 0; i < 6; ++i) {
    CHECK(value_named(graphics, of_draws[i]) == 100 * i);
    CHECK(value_named(compute, of_dispatches[i]) == 100 * i);
    if (i < 4) CHECK(value_named(copy, of_copies[i]) == 100 * i);
  }
  CHECK(name_of(GraphicsPreemption::pixel_boundary) == std::string("pixel_boundary"));
  CHECK(name_of(ComputePreemption::thread_boundary) == std::string("thread_boundary"));
  CHECK(name_of(CopyPreemption::copy_boundary) == std::string("copy_boundary"));
}

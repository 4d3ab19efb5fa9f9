// SPDX-License-Identifier: Apache-2.0
// When a process's turn on a runlist is over: a pure decision, here without engines.
#include "scheduler/policies/runlist.hpp"

#include <catch2/catch.hpp>

#include <cstdint>

using namespace fenceline;

namespace {

/// Its slice of 100 ends at 1000; a packet of it runs since 950.
Runlist runlist() {
  Runlist one;
  one.process = 1;
  one.slice_end_ps = 1000;
  return one;
}

RunlistView at(std::uint64_t now_ps) {
  RunlistView view;
  view.now_ps = now_ps;
  view.slice_ps = 100;
  view.busy = true;
  view.running_since_ps = 950;
  return view;
}

}  // namespace

TEST_CASE("runlist: a turn lasts until its slice ends, and whoever waits is noted", "[scheduler]") {
  Runlist one = runlist();
  CHECK_FALSE(turn_is_over(one, at(999)));
  CHECK(one.demanded);
  CHECK(one.slice_end_ps == 1000);
  CHECK(turn_is_over(one, at(1000)));
}

TEST_CASE("runlist: a process with nothing to run gives way at once", "[scheduler]") {
  Runlist one = runlist();
  RunlistView view = at(901);
  view.busy = false;
  CHECK(turn_is_over(one, view));
}

TEST_CASE("runlist: while nobody waited a slice began anew for a process with packets behind those that run",
          "[scheduler]") {
  RunlistView view = at(1250);
  SECTION("with packets: slices ended at 1000, 1100 and 1200") {
    Runlist one = runlist();
    view.has_queued = true;
    CHECK_FALSE(turn_is_over(one, view));
    CHECK(one.slice_end_ps == 1300);
  }
  SECTION("without: it has had its turn") {
    Runlist one = runlist();
    CHECK(turn_is_over(one, view));
  }
  SECTION("somebody has waited since before its end: it is over") {
    Runlist one = runlist();
    one.demanded = true;
    view.has_queued = true;
    CHECK(turn_is_over(one, view));
  }
}

TEST_CASE("runlist: a slice that ends while state is still loaded begins with the first command", "[scheduler]") {
  Runlist one = runlist();
  RunlistView view = at(1000);
  view.loading = true;
  view.running_since_ps = RunlistView::nothing;
  CHECK_FALSE(turn_is_over(one, view));
  CHECK(one.late);
  CHECK(one.slice_end_ps == 1100);
  // It began at 1050: the slice lasts until 1150, and once only.
  view = at(1100);
  view.running_since_ps = 1050;
  CHECK_FALSE(turn_is_over(one, view));
  CHECK_FALSE(one.late);
  CHECK(one.slice_end_ps == 1150);
  view.now_ps = 1150;
  CHECK(turn_is_over(one, view));
}

TEST_CASE("runlist: a late slice that has been used up meanwhile is over", "[scheduler]") {
  Runlist one = runlist();
  one.late = true;
  RunlistView view = at(1200);
  view.running_since_ps = 1100;
  CHECK(turn_is_over(one, view));
}

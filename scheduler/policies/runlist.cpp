// SPDX-License-Identifier: Apache-2.0
// A process keeps the engines for a time slice while another waits. While nobody waits, a slice that ends begins anew
// as long as the process has packets queued behind those that run; a process without any has had its turn, and gives
// way at once. Source: measured on an H200, see configs/machines/h200.json.
#include "scheduler/policies/runlist.hpp"

#include <utility>

namespace fenceline {
namespace {

/// A process whose state is still being loaded when its slice ends gets one that begins with its first command: else
/// processes whose slices are shorter would take turns for ever and never run.
bool gets_late_slice(Runlist& runlist, const RunlistView& view) {
  if (view.running_since_ps == RunlistView::nothing && view.loading) {
    runlist.late = true;
    runlist.slice_end_ps = view.now_ps + view.slice_ps;
    return true;
  }
  const bool was_late = std::exchange(runlist.late, false);
  if (!was_late || view.running_since_ps == RunlistView::nothing) return false;
  if (view.running_since_ps + view.slice_ps <= view.now_ps) return false;
  runlist.slice_end_ps = view.running_since_ps + view.slice_ps;
  return true;
}

}  // namespace

bool turn_is_over(Runlist& runlist, const RunlistView& view) {
  if (!view.busy) return true;
  if (!runlist.demanded && view.now_ps > runlist.slice_end_ps && view.has_queued) {
    runlist.slice_end_ps += view.slice_ps * ((view.now_ps - runlist.slice_end_ps) / view.slice_ps + 1);
  }
  if (view.now_ps >= runlist.slice_end_ps && !gets_late_slice(runlist, view)) return true;
  runlist.demanded = true;
  return false;
}

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fenceline {

/// What a process's part of video memory goes by.
struct BudgetView {
  std::uint64_t dedicated_bytes = 0;
  std::uint32_t processes = 1;     ///< that have queues, this one among them
  bool has_focus = false;          ///< this one
  bool another_has_focus = false;  ///< one of the others that have queues
  std::uint32_t focus_percent = 80;
};

/// Other processes with queues, which are not simulated, as a process says that they are there.
struct BudgetPeers {
  std::uint32_t count = 0;
  bool have_focus = false;  ///< one of them; else the process has it
};

/// What it goes by among these, too.
constexpr BudgetView with_peers(BudgetView view, const BudgetPeers& peers) {
  if (peers.count == 0) return view;
  view.processes += peers.count;
  view.has_focus = !peers.have_focus;
  view.another_has_focus = peers.have_focus;
  return view;
}

/// Bytes of video memory that the process is to stay within (docs/residency.md, rule 17).
constexpr std::uint64_t local_budget(const BudgetView& view) {
  if (view.processes <= 1) return view.dedicated_bytes;
  if (!view.has_focus && !view.another_has_focus) return view.dedicated_bytes / view.processes;
  // By hundredths first, so that no size overflows.
  const std::uint64_t of_focus =
      view.dedicated_bytes / 100 * view.focus_percent + view.dedicated_bytes % 100 * view.focus_percent / 100;
  return view.has_focus ? of_focus : (view.dedicated_bytes - of_focus) / (view.processes - 1);
}

}  // namespace fenceline

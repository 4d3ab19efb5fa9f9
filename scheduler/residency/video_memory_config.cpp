// SPDX-License-Identifier: Apache-2.0
#include "scheduler/residency/video_memory_config.hpp"

#include "sim/config/fields.hpp"

namespace fenceline {

void describe(Fields& f, VideoMemoryConfig& c) {
  f.about("how much memory there is, and what happens to what does not fit");
  f.optional("source", c.source, "where the numbers are from");
  f.optional("dedicated_mib", c.dedicated_mib, "the GPU's own memory, MiB", between(1, 1 << 30));
  f.optional("shared_mib", c.shared_mib, "memory of the system that the GPU may use, MiB", between(1, 1 << 30));
  f.optional(
      "unified", c.unified,
      "the GPU has no memory of its own (UMA): dedicated_mib of the system's are its local memory, in which heaps "
      "of each type of D3D12 programs lie (pool L0), and there is no other; what workloads call upload and "
      "readback keeps its way over /memory/pcie_to_device and pcie_to_host, which say how fast it is");
  f.optional("page_kib", c.page_kib, "sizes of resources are rounded up to pages of so many KiB: 4 or 64",
             between(4, 64));
  f.optional("residency", c.residency, "who says what has to be in video memory before something runs");
  f.optional("over_commit", c.over_commit,
             "what does not fit is used in place in system memory (demote), or has to be in video memory (page)");
  f.optional("eviction", c.eviction, "who makes room among resources of equal priority");
  f.optional("paging_node", c.paging_node, "name of the node that moves resources; empty: the first copy node");
  f.optional("window_mib", c.window_mib, "what one transfer of paging moves at most, MiB", between(1, 1 << 20));
  f.optional("paging_operations", c.paging_operations, "operations of one paging buffer; more are further passes",
             between(1, 1e6));
  f.optional(
      "turn_us", c.turn_us,
      "how long devices, packets and queues that wait for memory which others use have to wait at most, microseconds",
      between(0, 1e9));
  f.optional("focus_budget_percent", c.focus_budget_percent,
             "part of video memory that is the budget of the process with the focus, percent", between(0, 100));
  f.optional("over_reservation", c.over_reservation,
             "a reservation of more than half of dedicated_mib is refused, or gets that half (clamp)");
  f.optional("fill_new", c.fill_new,
             "heaps and committed resources of D3D12 programs are created without content, and filled when they are "
             "first needed, but those of D3D12_HEAP_FLAG_CREATE_NOT_ZEROED; false: the memory manager has cleared "
             "pages at hand");
  f.optional("aperture", c.aperture,
             "what is used in place in system memory is mapped into the aperture for good (mapped), or before it is "
             "used (on_use)");
  f.optional("convert_page_tables", c.convert_page_tables,
             "what is demoted gets pages of 4 KiB in the page table, for good, and the contexts of its processes are "
             "suspended while that is done");
  f.optional("device_context_kib", c.device_context_kib,
             "device context allocation of each process with queues, KiB; 0: it has none", between(0, 1 << 30));
  constexpr std::uint32_t most_transfers = 65536;  // of one resource
  const std::uint32_t least_mib = (c.dedicated_mib + most_transfers - 1) / most_transfers;
  f.check(c.window_mib >= least_mib, "at least " + std::to_string(least_mib) + " for so much dedicated_mib",
          std::to_string(c.window_mib), "window_mib");
  f.check(c.page_kib == 4 || c.page_kib == 64, "4 or 64", std::to_string(c.page_kib), "page_kib");
}

}  // namespace fenceline

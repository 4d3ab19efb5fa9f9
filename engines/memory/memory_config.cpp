// SPDX-License-Identifier: Apache-2.0
#include "engines/memory/memory_config.hpp"

namespace fenceline {

void describe(Fields& f, MemoryConfig& c) {
  f.about("video memory and PCIe, shared by all engines");
  f.optional("source", c.source, "where the numbers are from");
  f.optional("vram", c.vram, "video memory");
  f.optional("l2", c.l2, "the last-level cache, which all traffic of video memory passes");
  describe_keys(f, static_cast<L2Config&>(c));
  f.optional("pcie_to_device", c.pcie_to_device, "PCIe, host to device");
  f.optional("pcie_to_host", c.pcie_to_host, "PCIe, device to host");
  f.optional("pcie_write_vram_cost", c.pcie_write_vram_cost,
             "video-memory bytes that one byte arriving over PCIe costs (partial writes)", between(0, 100));
  f.optional("device_copy_gb_per_s", c.device_copy_gb_per_s,
             "reads and writes together of one copy within video memory at most, 1e9 bytes per second",
             between(1e-3, 1e6));
  f.optional("device_copy_setup_ns", c.device_copy_setup_ns,
             "from a copy within video memory until its first byte moves, nanoseconds", between(0, 1e9));
  f.optional("copy_bytes_in_flight", c.copy_bytes_in_flight,
             "outstanding bytes of one copy in video memory: its weight against shader accesses", between(1, 1e9));
}

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#include "engines/memory.hpp"

#include <cmath>

namespace fenceline {
namespace {

std::uint64_t scaled(std::uint64_t value, double factor) {
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(value) * factor));
}

}  // namespace

void describe(Fields& f, MemoryConfig& c) {
  f.about("video memory and PCIe, shared by all engines");
  f.optional("source", c.source, "where the numbers are from");
  f.optional("vram", c.vram, "video memory");
  f.optional("pcie_to_device", c.pcie_to_device, "PCIe, host to device");
  f.optional("pcie_to_host", c.pcie_to_host, "PCIe, device to host");
  f.optional("pcie_write_vram_cost", c.pcie_write_vram_cost,
             "video-memory bytes that one byte arriving over PCIe costs (partial writes)", between(0, 100));
  f.optional("device_copy_gb_per_s", c.device_copy_gb_per_s,
             "reads and writes together of one copy within video memory at most, 1e9 bytes per second",
             between(1e-3, 1e6));
  f.optional("copy_bytes_in_flight", c.copy_bytes_in_flight,
             "outstanding bytes of one copy in video memory: its weight against shader accesses", between(1, 1e9));
}

Memory::Memory(sc_core::sc_module_name module_name, const MemoryConfig& config, EventLog& log)
    : sc_module(module_name),
      config_(config),
      copy_limit_(scaled(1'000'000'000, config.device_copy_gb_per_s)),
      vram_("vram", config.vram, log),
      pcie_to_device_("pcie_to_device", config.pcie_to_device, log),
      pcie_to_host_("pcie_to_host", config.pcie_to_host, log) {}

void Memory::copy(CopyRoute route, std::uint64_t bytes, Callback done) {
  const std::uint32_t slot = copies_.add({0, done});
  switch (route) {
    case CopyRoute::device_to_device:
      start_part(vram_, 2 * bytes, copy_limit_, slot);  // read and write
      break;
    case CopyRoute::host_to_device: {
      // Video memory sees no more than PCIe brings.
      const double cost = config_.pcie_write_vram_cost;
      start_part(pcie_to_device_, bytes, Channel::no_limit, slot);
      start_part(vram_, scaled(bytes, cost), scaled(pcie_to_device_.capacity(), cost), slot);
      break;
    }
    case CopyRoute::device_to_host:
      start_part(pcie_to_host_, bytes, Channel::no_limit, slot);
      start_part(vram_, bytes, pcie_to_host_.capacity(), slot);
      break;
    case CopyRoute::host_to_host:
      start_part(pcie_to_device_, bytes, Channel::no_limit, slot);
      start_part(pcie_to_host_, bytes, Channel::no_limit, slot);
      break;
  }
}

void Memory::access_vram(std::uint64_t bytes, Callback done) {
  vram_.start({bytes, {0, config_.copy_bytes_in_flight, Channel::no_limit}, false, done});
}

void Memory::start_part(Channel& channel, std::uint64_t bytes, std::uint64_t limit, std::uint32_t copy) {
  ++copies_[copy].parts;
  channel.start({bytes, {0, config_.copy_bytes_in_flight, limit}, false, Callback::to<&Memory::part_done>(this, copy)});
}

void Memory::part_done(std::uint64_t slot) {
  Copy& copy = copies_[slot];
  if (--copy.parts > 0) return;
  const Callback done = copy.done;
  copies_.remove(slot);
  done();
}

}  // namespace fenceline

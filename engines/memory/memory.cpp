// SPDX-License-Identifier: Apache-2.0
#include "engines/memory/memory.hpp"

#include "sim/duration.hpp"
#include "sim/kernel/now.hpp"

#include <algorithm>
#include <cmath>

namespace fenceline {
namespace {

std::uint64_t scaled(std::uint64_t value, double factor) {
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(value) * factor));
}

}  // namespace

Memory::Memory(sc_core::sc_module_name module_name, const MemoryConfig& config, EventLog& log)
    : sc_module(module_name),
      config_(config),
      copy_limit_(scaled(1'000'000'000, config.device_copy_gb_per_s)),
      device_copy_setup_ps_(ps_of_ns(config.device_copy_setup_ns)),
      agenda_("agenda"),
      levels_("l2", config, name(), log),
      pcie_to_device_("pcie_to_device", {config.pcie_to_device, 0}, log),
      pcie_to_host_("pcie_to_host", {config.pcie_to_host, 0}, log) {}

std::uint32_t Memory::begin(std::uint64_t bytes, const TransferRemainder& left, Callback done) {
  Transfer transfer;
  transfer.done = done;
  transfer.bytes = bytes;
  transfer.left = left;
  return transfers_.add(transfer);
}

std::uint32_t Memory::copy(CopyRoute route, std::uint64_t bytes, double pcie_share, Callback done,
                           const TransferRemainder* left) {
  const auto begin_with = [&](std::uint64_t first, std::uint64_t second) {
    return begin(bytes, left != nullptr ? *left : TransferRemainder{{first, second}, 0}, done);
  };
  switch (route) {
    case CopyRoute::device_to_device: {
      const std::uint32_t slot = begin_with(2 * bytes, 0);  // read and written
      Transfer& transfer = transfers_[slot];
      transfer.setting_up = true;
      transfer.set_up_ps = now_ps() + (left != nullptr ? left->set_up_ps : device_copy_setup_ps_);
      agenda_.at<&Memory::start_device_copy>(transfer.set_up_ps, this, slot);
      return slot;
    }
    case CopyRoute::host_to_device: {
      // Video memory sees no more than PCIe brings.
      const std::uint64_t limit = scaled(pcie_to_device_.capacity(), pcie_share);
      const std::uint32_t slot = begin_with(bytes, bytes);
      start_pcie_part(slot, 0, pcie_to_device_, limit);
      start_memory_part(slot, 1, levels_.vram(), config_.pcie_write_vram_cost, limit);
      return slot;
    }
    case CopyRoute::device_to_host: {
      const std::uint64_t limit = scaled(pcie_to_host_.capacity(), pcie_share);
      const std::uint32_t slot = begin_with(bytes, bytes);
      start_pcie_part(slot, 0, pcie_to_host_, limit);
      start_memory_part(slot, 1, levels_.vram(), 1, limit);
      return slot;
    }
    case CopyRoute::host_to_host: break;
  }
  const std::uint32_t slot = begin_with(bytes, bytes);
  start_pcie_part(slot, 0, pcie_to_device_, scaled(pcie_to_device_.capacity(), pcie_share));
  start_pcie_part(slot, 1, pcie_to_host_, scaled(pcie_to_host_.capacity(), pcie_share));
  return slot;
}

void Memory::start_device_copy(std::uint64_t slot) {
  Transfer& transfer = transfers_[slot];
  transfer.setting_up = false;
  if (transfer.cancelled) {
    transfers_.remove(slot);
    return;
  }
  const auto copy = static_cast<std::uint32_t>(slot);
  const std::size_t level = levels_.holder_of(2 * transfer.bytes);
  start_memory_part(copy, 0, level, 1, level < levels_.vram() ? Channel::no_limit : copy_limit_);
}

std::uint32_t Memory::stream(const Stream& stream, Callback done) {
  const std::uint32_t slot = begin(stream.bytes, {{stream.bytes, 0}, 0}, done);
  Transfer& transfer = transfers_[slot];
  transfer.parts_left = 1;
  const Callback passed = Callback::to<&Memory::part_done>(this, slot);
  transfer.parts[0] = {&levels_, levels_.read(stream.bytes, stream.bytes_in_flight, stream.reads, passed)};
  return slot;
}

std::uint32_t Memory::access_vram(std::uint64_t bytes, Callback done, const TransferRemainder* left) {
  const std::uint32_t slot = begin(bytes, left != nullptr ? *left : TransferRemainder{{bytes, 0}, 0}, done);
  start_memory_part(slot, 0, levels_.vram(), 1, Channel::no_limit);
  return slot;
}

void Memory::move_state(std::uint64_t bytes, double gb_per_s, Callback done) {
  const ByLevel<double> all = MemoryLevels::bytes_up_to(levels_.vram(), 1);
  levels_.access(bytes, {all, config_.copy_bytes_in_flight, scaled(1'000'000'000, gb_per_s)}, done);
}

bool Memory::has_passed(std::uint32_t slot, std::size_t part) const {
  const Transfer& transfer = transfers_[slot];
  return transfer.left.bytes[part] == 0 && transfer.left.bytes[1 - part] > 0;
}

void Memory::start_pcie_part(std::uint32_t slot, std::size_t part, Channel& channel, std::uint64_t limit) {
  if (has_passed(slot, part)) return;
  Transfer& transfer = transfers_[slot];
  ++transfer.parts_left;
  const Callback done = Callback::to<&Memory::part_done>(this, slot);
  const ShareRequest share{0, config_.copy_bytes_in_flight, limit};
  transfer.parts[part] = {&channel, channel.start({transfer.left.bytes[part], share, false, done, 0, 0})};
}

void Memory::start_memory_part(std::uint32_t slot, std::size_t part, std::size_t level, double cost,
                               std::uint64_t limit) {
  if (has_passed(slot, part)) return;
  Transfer& transfer = transfers_[slot];
  ++transfer.parts_left;
  const Callback done = Callback::to<&Memory::part_done>(this, slot);
  // What is in flight is in flight at the level that holds it.
  const double in_flight = config_.copy_bytes_in_flight / std::max(1.0, cost);
  const MemoryLevels::Access access{MemoryLevels::bytes_up_to(level, cost), static_cast<std::uint64_t>(in_flight),
                                    limit};
  transfer.parts[part] = {&levels_, levels_.access(transfer.left.bytes[part], access, done)};
}

std::optional<TransferRemainder> Memory::cancel(std::uint32_t slot) {
  Transfer& transfer = transfers_[slot];
  if (transfer.setting_up) {
    transfer.cancelled = true;
    return TransferRemainder{transfer.left.bytes, transfer.set_up_ps - now_ps()};
  }
  TransferRemainder left;
  if (transfer.set_up_ps > 0) left.set_up_ps = device_copy_setup_ps_;  // it is set up anew
  bool stopped = false;
  for (std::size_t i = 0; i < left.bytes.size(); ++i) {
    const Part& part = transfer.parts[i];
    if (part.channel == nullptr) continue;
    const auto bytes = part.channel->cancel(part.transfer);
    if (!bytes) continue;
    left.bytes[i] = *bytes;
    --transfer.parts_left;
    stopped = true;
  }
  if (!stopped) return {};
  transfer.cancelled = true;
  if (transfer.parts_left == 0) transfers_.remove(slot);
  return left;
}

bool Memory::has_begun(std::uint32_t slot) const {
  const Transfer& transfer = transfers_[slot];
  return !transfer.setting_up && std::all_of(transfer.parts.begin(), transfer.parts.end(), [](const Part& part) {
    return part.channel == nullptr || part.channel->has_begun(part.transfer);
  });
}

bool Memory::has_moved(std::uint32_t slot) const {
  const Transfer& transfer = transfers_[slot];
  if (transfer.setting_up) return false;
  bool moved = transfer.left.bytes[0] + transfer.left.bytes[1] == 0;
  for (std::size_t i = 0; i < transfer.parts.size(); ++i) {
    const Part& part = transfer.parts[i];
    moved = moved || (part.channel != nullptr && part.channel->bytes_left(part.transfer) < transfer.left.bytes[i]);
  }
  return moved;
}

std::uint64_t Memory::delivery_ps(std::uint32_t slot) const {
  std::uint64_t last_ps = now_ps();
  for (const Part& part : transfers_[slot].parts) {
    if (part.channel != nullptr) last_ps = std::max(last_ps, part.channel->delivery_ps(part.transfer));
  }
  return last_ps;
}

void Memory::part_done(std::uint64_t slot) {
  Transfer& transfer = transfers_[slot];
  if (--transfer.parts_left > 0) return;
  const Callback done = transfer.done;
  const bool cancelled = transfer.cancelled;
  transfers_.remove(slot);
  if (!cancelled) done();
}

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
// Machine, what is in its video memory (docs/residency.md).
#include "api/machine_parts.hpp"
#include "api/work_listener.hpp"
#include "scheduler/residency/allocation.hpp"
#include "scheduler/residency/residency_statistics.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace fenceline {
namespace {

void check_allocations(const std::vector<std::uint32_t>& named, const Residency& residency) {
  for (const std::uint32_t one : named) {
    if (one < residency.segment().allocations()) continue;
    throw std::invalid_argument(
        fmt::format("allocation {}: expected one of {}", one, residency.segment().allocations()));
  }
}

}  // namespace

/// A process that nobody has created is created, with defaults.
std::uint32_t Machine::Parts::process_index(const std::string& process) {
  auto known = processes.find(process);
  if (known == processes.end()) {
    known = processes.emplace(process, hardware->scheduler->create_process({process})).first;
  }
  return static_cast<std::uint32_t>(known->second);
}

std::uint32_t Machine::create_allocation(const AllocationConfig& config) {
  std::uint32_t index = 0;
  inside([&](Hardware& hardware) { index = hardware.scheduler->residency().create(config); });
  return index;
}

std::uint32_t Machine::allocations() const { return scheduler().residency().segment().allocations(); }

void Machine::remove_allocation(std::uint32_t allocation) {
  check_allocations({allocation}, scheduler().residency());
  inside([&](Hardware& hardware) { hardware.scheduler->residency().remove(allocation); });
}

bool Machine::is_paging() const { return scheduler().residency().active(); }

bool Machine::wants_resident(const std::string& process, std::uint32_t allocation) const {
  const auto known = parts_->processes.find(process);
  if (known == parts_->processes.end()) return false;
  const std::vector<DeviceList>& devices = scheduler().residency().devices();
  const auto index = static_cast<std::uint32_t>(known->second);
  return index < devices.size() && devices[index].wants(allocation);
}

void Machine::know_allocation(const std::string& process, std::uint32_t allocation) {
  check_allocations({allocation}, scheduler().residency());
  inside([&](Hardware& hardware) { hardware.scheduler->residency().know(parts_->process_index(process), allocation); });
}

bool Machine::make_resident(const std::string& process, const std::vector<std::uint32_t>& allocations,
                            bool deny_overbudget, std::function<void()> done) {
  check_allocations(allocations, scheduler().residency());
  bool made = false;
  inside([&](Hardware& hardware) {
    made = hardware.scheduler->residency().make_resident(parts_->process_index(process), allocations, deny_overbudget,
                                                         std::move(done));
  });
  return made;
}

std::uint64_t Machine::evict(const std::string& process, const std::vector<std::uint32_t>& allocations) {
  check_allocations(allocations, scheduler().residency());
  std::uint64_t underflows = 0;
  inside([&](Hardware& hardware) {
    underflows = hardware.scheduler->residency().evict(parts_->process_index(process), allocations);
  });
  return underflows;
}

void Machine::hold_allocation(std::uint32_t allocation) {
  check_allocations({allocation}, scheduler().residency());
  inside([&](Hardware& hardware) { hardware.scheduler->residency().hold(allocation); });
}

void Machine::let_go_of_allocation(std::uint32_t allocation) {
  inside([&](Hardware& hardware) { hardware.scheduler->residency().let_go(allocation); });
}

void Machine::set_residency_priority(const std::vector<std::uint32_t>& allocations, std::uint32_t priority) {
  check_allocations(allocations, scheduler().residency());
  inside([&](Hardware& hardware) { hardware.scheduler->residency().set_priority(allocations, priority); });
}

bool Machine::set_video_memory_reservation(const std::string& process, std::uint64_t bytes) {
  const std::uint64_t most = scheduler().residency().segment().bytes() / 2;
  if (bytes > most && parts_->config.video_memory.over_reservation == OverReservation::refuse) return false;
  bytes = std::min(bytes, most);
  inside([&](Hardware& hardware) {
    hardware.scheduler->residency().device(parts_->process_index(process)).figures.reserved_bytes = bytes;
  });
  return true;
}

void Machine::set_background_processes(const std::string& process, std::uint32_t count, bool has_focus) {
  inside([&](Hardware& hardware) {
    const auto id = static_cast<ProcessId>(parts_->process_index(process));
    hardware.scheduler->set_background_processes(id, {count, !has_focus});
  });
}

void Machine::on_budget_change(const std::string& process, std::function<void(std::uint64_t)> told) {
  inside([&](Hardware& hardware) {
    hardware.scheduler->on_budget_change(
        [of = parts_->process_index(process), told = std::move(told)](std::uint32_t changed, std::uint64_t bytes) {
          if (changed == of) told(bytes);
        });
  });
}

ResidencyStatistics Machine::residency_statistics(const std::string& process) const {
  const auto known = parts_->processes.find(process);
  if (known == parts_->processes.end()) return {};
  return scheduler().residency().statistics(static_cast<std::uint32_t>(known->second));
}

ResidencyStatistics Machine::residency_statistics() const { return scheduler().residency().statistics(); }

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#include "bgproc/cores/cpu_seats.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace fenceline {
CpuSeats::CpuSeats(const CpuConfig& config) : config_(config) {
  // Added one by one, as cpu_places does: a product is rounded otherwise.
  const std::size_t processors = std::size_t{config.cores} * config.smt_width;
  full_speeds_.assign(1, 0);
  for (std::size_t i = 0; i < processors; ++i) {
    full_speeds_.push_back(full_speeds_.back() + processor_speed(config, config.smt_width));
  }
}

void CpuSeats::set(std::uint64_t normal, std::uint64_t idle) {
  const std::uint64_t processors = full_speeds_.size() - 1;
  normal_ = normal;
  idle_ = idle;
  normal_seats_ = std::min(normal, processors);
  idle_seats_ = std::min(idle, processors - normal_seats_);
}

/// Seats go round the cores.
double CpuSeats::speed(std::uint64_t seat) const {
  const std::uint64_t taken = normal_seats_ + idle_seats_;
  const std::uint64_t more = seat % config_.cores < taken % config_.cores ? 1 : 0;
  const std::uint64_t on_its_core = taken / config_.cores + more;
  return processor_speed(config_, static_cast<double>(on_its_core));
}

double CpuSeats::slowdown(CpuPriority priority) const {
  if (priority == CpuPriority::idle) return 1;
  return std::pow(1 - config_.background_slowdown, static_cast<double>(idle_seats_));
}

std::optional<std::uint64_t> CpuSeats::shared_rate(CpuPriority priority) const {
  const bool normal = priority == CpuPriority::normal;
  const std::uint64_t threads = normal ? normal_ : idle_;
  const std::uint64_t seats = normal ? normal_seats_ : idle_seats_;
  if (seats == threads) return {};
  if (seats == 0) return 0;
  // Where threads wait, all processors are taken.
  return cpu_rate(full_speeds_[seats] / static_cast<double>(threads) * slowdown(priority));
}

CpuPlace CpuSeats::place_of(CpuPriority priority, std::uint64_t number) const {
  const std::uint64_t seat = priority == CpuPriority::normal ? number : normal_seats_ + number;
  const std::uint64_t processor = seat % config_.cores * config_.smt_width + seat / config_.cores;
  return {static_cast<std::uint32_t>(processor), cpu_rate(speed(seat) * slowdown(priority))};
}

}  // namespace fenceline

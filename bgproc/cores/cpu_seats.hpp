// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bgproc/cores/cpu_places.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fenceline {

/// What `cpu_places` says, without a look at each thread: it goes by how many there are of each class. Of a machine
/// with cores.
class CpuSeats {
 public:
  /// Nobody is there.
  explicit CpuSeats(const CpuConfig& config);

  /// So many are from now on.
  void set(std::uint64_t normal, std::uint64_t idle);
  /// All threads of the class have this rate and no processor of their own; unset: each has one.
  std::optional<std::uint64_t> shared_rate(CpuPriority priority) const;
  /// Of a thread that has a processor of its own, by its number in its class.
  CpuPlace place_of(CpuPriority priority, std::uint64_t number) const;

 private:
  double speed(std::uint64_t seat) const;
  double slowdown(CpuPriority priority) const;

  CpuConfig config_;
  std::vector<double> full_speeds_;  // of so many processors together, where all are taken
  std::uint64_t normal_ = 0;
  std::uint64_t idle_ = 0;
  std::uint64_t normal_seats_ = 0;
  std::uint64_t idle_seats_ = 0;
};

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/hazards/accesses.hpp"
#include "engines/command/command.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace fenceline::d3d12 {

/// Which accesses of a list one execution has made, and when.
class AccessTimes {
 public:
  /// The stream lives as long as the accesses.
  AccessTimes(std::shared_ptr<const Accesses> accesses, const CommandStream& stream);

  const Accesses& accesses() const { return *accesses_; }
  const CommandStream& stream() const { return stream_; }

  void ran(std::size_t command, std::uint64_t start_ps, std::uint64_t end_ps);
  /// An ExecuteIndirect runs so many commands, which draw or do not.
  void found(std::size_t command, std::uint64_t count, bool draws);
  /// Visits the accesses that have taken place, in the order recorded; `end_ps` is now.
  void for_each(std::uint64_t end_ps, const std::function<void(const TimedAccess&)>& visit) const;

 private:
  struct Window {
    std::uint64_t start_ps = ~std::uint64_t{0};
    std::uint64_t end_ps = 0;
    bool any() const { return start_ps <= end_ps; }
    void join(const Window& other);
  };
  struct Found {
    std::size_t command;
    std::uint64_t count;
    bool draws;
  };
  const Found* found_at(std::size_t command) const;
  bool draws(std::size_t command) const;
  std::vector<std::uint64_t> boundaries(std::uint64_t end_ps) const;
  Window window_of(const RecordedAccess& recorded, const std::vector<std::uint64_t>& boundaries) const;

  std::shared_ptr<const Accesses> accesses_;
  const CommandStream& stream_;
  std::vector<Window> windows_;  // by command
  std::vector<Found> found_;     // by command
};

}  // namespace fenceline::d3d12

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fenceline {

/// What is left behind for a call that comes later: the place of the thing that it is about, and the thing's number.
/// Once the place has another number, or none, what comes with the ticket is stale.
struct Ticket {
  std::uint32_t slot = 0;
  std::uint32_t number = 0;  ///< 0: nobody's

  /// As the one number that callbacks and agendas carry.
  std::uint64_t argument() const { return std::uint64_t{number} << 32 | slot; }
  /// From that number.
  static Ticket of(std::uint64_t argument) {
    return {static_cast<std::uint32_t>(argument), static_cast<std::uint32_t>(argument >> 32)};
  }
};

/// Numbers for tickets, one after another; never 0. After 2^32 of them they begin again.
class TicketNumbers {
 public:
  std::uint32_t next() {
    if (++last_ == 0) ++last_;
    return last_;
  }

 private:
  std::uint32_t last_ = 0;
};

}  // namespace fenceline

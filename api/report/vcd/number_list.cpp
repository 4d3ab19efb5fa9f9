// SPDX-License-Identifier: Apache-2.0
#include "api/report/vcd/number_list.hpp"

namespace fenceline {

void NumberList::append(std::uint64_t number) {
  sorted_ = sorted_ && number >= last_;
  const std::uint64_t difference = number - last_;  // modulo 2^64, so that steps down are "small negative"
  last_ = number;
  ++size_;
  std::uint64_t rest = difference << 1 ^ (0 - (difference >> 63));  // sign in the lowest bit: small steps stay small
  for (; rest >= 0x80; rest >>= 7) bytes_.push_back(static_cast<std::uint8_t>(rest | 0x80));
  bytes_.push_back(static_cast<std::uint8_t>(rest));
}

std::uint64_t NumberList::Reader::next() {
  std::uint64_t coded = 0;
  for (unsigned shift = 0;; shift += 7) {
    const std::uint8_t byte = *at_++;
    coded |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) break;
  }
  last_ += coded >> 1 ^ (0 - (coded & 1));
  return last_;
}

}  // namespace fenceline

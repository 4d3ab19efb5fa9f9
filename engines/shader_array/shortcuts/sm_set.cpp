// SPDX-License-Identifier: Apache-2.0
#include "engines/shader_array/shortcuts/sm_set.hpp"

#include <algorithm>

namespace fenceline {
namespace {

constexpr std::uint32_t word_bits = 64;

constexpr std::uint32_t byte_bits = 8;

/// In each byte, the ones of it and of those below. Without the processor's instruction that counts ones, which not
/// every x86-64 has, the built-in is a call.
std::uint64_t ones_up_to_bytes(std::uint64_t word) {
  word -= word >> 1 & 0x5555555555555555;
  word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return word * 0x0101010101010101;
}
std::uint32_t ones(std::uint64_t word) { return static_cast<std::uint32_t>(ones_up_to_bytes(word) >> 56); }
std::uint32_t lowest(std::uint64_t word) { return static_cast<std::uint32_t>(__builtin_ctzll(word)); }
std::uint32_t highest(std::uint64_t word) { return word_bits - 1 - static_cast<std::uint32_t>(__builtin_clzll(word)); }

}  // namespace

SmSet::SmSet(std::uint32_t first, std::uint32_t end) : words_((end + word_bits - 1) / word_bits) {
  for (std::uint32_t sm = first; sm < end; ++sm) words_[sm / word_bits] |= std::uint64_t{1} << sm % word_bits;
  count();
}

bool SmSet::contains(std::uint32_t sm) const {
  return sm / word_bits < words_.size() && (words_[sm / word_bits] >> sm % word_bits & 1) != 0;
}

std::uint32_t SmSet::nth(std::uint32_t n) const {
  std::uint32_t i = 0;
  for (std::uint32_t all = ones(words_[0]); all <= n; all = ones(words_[++i])) n -= all;
  std::uint32_t shift = 0;
  std::uint32_t before = 0;  // ones below the byte
  std::uint64_t up_to = ones_up_to_bytes(words_[i]);
  for (; (up_to & 0xff) <= n; up_to >>= byte_bits, shift += byte_bits) before = up_to & 0xff;
  std::uint64_t byte = words_[i] >> shift;
  for (n -= before; n > 0; --n) byte &= byte - 1;
  return i * word_bits + shift + lowest(byte);
}

std::vector<std::uint32_t> SmSet::list() const {
  std::vector<std::uint32_t> sms;
  for (std::uint32_t sm = 0; sm < words_.size() * word_bits; ++sm) {
    if (contains(sm)) sms.push_back(sm);
  }
  return sms;
}

bool SmSet::operator==(const SmSet& other) const {
  return size_ == other.size_ &&
         std::equal(words_.begin(), words_.begin() + std::min(words_.size(), other.words_.size()),
                    other.words_.begin());
}

void SmSet::split(std::uint32_t first, SmSet& to) {
  const std::uint32_t word = first / word_bits;
  const std::uint64_t below = (std::uint64_t{1} << first % word_bits) - 1;
  to.words_.resize(words_.size());
  for (std::uint32_t i = 0; i < words_.size(); ++i) {
    const std::uint64_t kept = i < word ? ~std::uint64_t{0} : i == word ? below : 0;
    to.words_[i] = words_[i] & ~kept;
    words_[i] &= kept;
  }
  to.count();
  size_ -= to.size_;
  std::uint32_t last = word;
  while (words_[last] == 0) --last;
  back_ = last * word_bits + highest(words_[last]);
}

void SmSet::count() {
  size_ = 0;
  for (std::uint32_t i = 0; i < words_.size(); ++i) {
    if (words_[i] == 0) continue;
    if (size_ == 0) front_ = i * word_bits + lowest(words_[i]);
    back_ = i * word_bits + highest(words_[i]);
    size_ += ones(words_[i]);
  }
}

}  // namespace fenceline

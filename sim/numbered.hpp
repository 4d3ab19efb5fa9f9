// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace fenceline {

/// Things by number, in order of creation from 0 on; no number comes twice. What is removed is destroyed; the places of
/// 16 in a row are freed with the last of them, but for half a byte each. Things stay where they are until removed.
template <class T>
class Numbered {
 public:
  std::uint32_t add(T value) {
    if (numbers_ % block_size == 0) begin_block();
    Block& block = *blocks_.back();
    block.things[numbers_ % block_size].emplace(std::move(value));
    ++block.there;
    return numbers_++;
  }
  void remove(std::uint32_t number) {
    std::unique_ptr<Block>& block = blocks_[number / block_size];
    block->things[number % block_size].reset();
    --block->there;
    if (&block != &blocks_.back()) free_if_empty(block);  // the last one gets more
  }

  /// How many there have been.
  std::uint32_t numbers() const { return numbers_; }
  bool contains(std::uint32_t number) const {
    if (number >= numbers_) return false;
    const std::unique_ptr<Block>& block = blocks_[number / block_size];
    return block != nullptr && block->things[number % block_size].has_value();
  }
  /// One that is there.
  T& operator[](std::uint32_t number) { return *blocks_[number / block_size]->things[number % block_size]; }
  const T& operator[](std::uint32_t number) const { return *blocks_[number / block_size]->things[number % block_size]; }

  /// `call(number, thing)` for each that is there, in order of creation.
  template <class Call>
  void for_each(const Call& call) {
    each(*this, call);
  }
  template <class Call>
  void for_each(const Call& call) const {
    each(*this, call);
  }

 private:
  static constexpr std::uint32_t block_size = 16;
  struct Block {
    std::array<std::optional<T>, block_size> things;
    std::uint32_t there = 0;
  };
  static void free_if_empty(std::unique_ptr<Block>& block) {
    if (block->there == 0) block.reset();
  }
  void begin_block() {
    if (!blocks_.empty()) free_if_empty(blocks_.back());
    blocks_.push_back(std::make_unique<Block>());
  }
  template <class Self, class Call>
  static void each(Self& self, const Call& call) {
    for (std::uint32_t block = 0; block < self.blocks_.size(); ++block) {
      if (self.blocks_[block] == nullptr) continue;
      for (std::uint32_t i = 0; i < block_size; ++i) {
        auto& thing = self.blocks_[block]->things[i];
        if (thing) call(block * block_size + i, *thing);
      }
    }
  }

  std::vector<std::unique_ptr<Block>> blocks_;
  std::uint32_t numbers_ = 0;
};

}  // namespace fenceline

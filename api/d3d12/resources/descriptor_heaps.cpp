// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/resources/descriptor_heaps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace fenceline::d3d12 {
namespace {

// From the lowest bit on: bytes from the first descriptor, generation, slot. Twice the largest heap stays within the
// bytes, so that what runs past a heap does not come to the next generation.
constexpr unsigned byte_bits = 30;
constexpr unsigned generation_bits = 14;
constexpr unsigned slot_bits = 20;
static_assert(byte_bits + generation_bits + slot_bits == 64);
static_assert(std::uint64_t{DescriptorHeaps::most_descriptors} * descriptor_increment < std::uint64_t{1} << byte_bits);
constexpr std::uint64_t last_generation = (std::uint64_t{1} << generation_bits) - 1;

std::uint64_t handle_of(std::size_t slot, std::uint64_t generation) {
  return (std::uint64_t{slot} << generation_bits | generation) << byte_bits;
}
std::size_t slot_of(std::uint64_t handle) { return handle >> (byte_bits + generation_bits); }
std::uint64_t generation_of(std::uint64_t handle) { return handle >> byte_bits & last_generation; }
std::uint64_t byte_of(std::uint64_t handle) { return handle & ((std::uint64_t{1} << byte_bits) - 1); }

}  // namespace

std::string no_descriptor(std::uint64_t handle) {
  return fmt::format("expected a handle of a descriptor in a heap that is there, found {:#x}", handle);
}

const DescriptorHeaps::Descriptor* DescriptorHeaps::Slot::find(std::size_t index) const {
  const std::unique_ptr<Page>& page = pages[index / std::tuple_size_v<Page>];
  return page != nullptr ? &(*page)[index % std::tuple_size_v<Page>] : nullptr;
}

void DescriptorHeaps::Slot::write(std::size_t index, const Descriptor& descriptor) {
  std::unique_ptr<Page>& page = pages[index / std::tuple_size_v<Page>];
  if (page == nullptr) page = std::make_unique<Page>();
  (*page)[index % std::tuple_size_v<Page>] = descriptor;
}

std::uint64_t DescriptorHeaps::add(UINT descriptors, bool shader_visible) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::size_t index = slots_.size();
  if (!free_.empty()) {
    index = free_.front();
    free_.pop_front();
  } else if (index == std::size_t{1} << slot_bits) {
    return 0;
  } else {
    slots_.emplace_back();
  }
  Slot& slot = slots_[index];
  ++slot.generation;
  slot.descriptors = descriptors;
  slot.visible = shader_visible;
  slot.alive = true;
  slot.pages.resize((descriptors + std::tuple_size_v<Page> - 1) / std::tuple_size_v<Page>);
  return handle_of(index, slot.generation);
}

void DescriptorHeaps::remove(std::uint64_t first) {
  std::vector<std::unique_ptr<Page>> old;  // dies without the lock
  const std::lock_guard<std::mutex> lock(mutex_);
  Slot& slot = slots_[slot_of(first)];
  slot.alive = false;
  old.swap(slot.pages);
  // A place whose generations are used up stays empty: no handle ever comes back.
  if (slot.generation < last_generation) free_.push_back(slot_of(first));
}

std::optional<DescriptorHeaps::Place> DescriptorHeaps::place(std::uint64_t handle, UINT count) const {
  const std::size_t index = slot_of(handle);
  if (index >= slots_.size() || byte_of(handle) % descriptor_increment != 0) return std::nullopt;
  const Slot& slot = slots_[index];
  const std::uint64_t first = byte_of(handle) / descriptor_increment;
  const bool there = slot.alive && slot.generation == generation_of(handle);
  if (!there || first > slot.descriptors || count > slot.descriptors - first) return std::nullopt;
  return Place{index, first};
}

bool DescriptorHeaps::names(std::uint64_t handle) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return place(handle).has_value();
}

bool DescriptorHeaps::names_visible(std::uint64_t handle) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = place(handle);
  return found && slots_[found->slot].visible;
}

std::optional<DescriptorHeaps::Seen> DescriptorHeaps::view(std::uint64_t handle) const {
  std::optional<Seen> seen;
  std::shared_ptr<Whereabouts<Resource>> resource;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = place(handle);
    if (!found) return seen;
    seen.emplace();
    const Descriptor* const descriptor = slots_[found->slot].find(found->index);
    if (descriptor == nullptr) return seen;
    seen->view = descriptor->view;
    resource = descriptor->resource;
  }
  if (resource == nullptr) return seen;
  seen->view.resource = resource->find();
  if (seen->view.resource) return seen;
  return Seen{{}, true};
}

std::vector<DescriptorHeaps::Shown> DescriptorHeaps::shown(std::uint64_t table, std::uint64_t first,
                                                           std::uint64_t count) const {
  std::vector<Shown> all;
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = place(table);
  if (!found) return all;
  const Slot& slot = slots_[found->slot];
  constexpr std::size_t page = std::tuple_size_v<Page>;
  const std::uint64_t room = slot.descriptors - found->index;
  const std::uint64_t begin = found->index + std::min(first, room);
  const std::uint64_t end = begin + std::min(count, slot.descriptors - begin);
  for (std::uint64_t index = begin; index < end; ++index) {
    const Descriptor* const one = slot.find(index);
    if (one == nullptr) {
      index = (index / page + 1) * page - 1;  // nothing of the page has been written
    } else if (one->resource != nullptr || one->counter != nullptr || one->view.address != 0) {
      all.push_back({one->resource, one->counter, one->view.address});
    }
  }
  return all;
}

bool DescriptorHeaps::set(std::uint64_t handle, const TargetView& view) {
  Descriptor written{view, view.resource ? view.resource->whereabouts() : nullptr,
                     view.counter ? view.counter->whereabouts() : nullptr};
  written.view.resource = {};
  written.view.counter = {};
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = place(handle);
  if (found) slots_[found->slot].write(found->index, written);
  return found.has_value();
}

DescriptorHeaps::Copied DescriptorHeaps::copy(const std::vector<Range>& to, const std::vector<Range>& from) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::uint64_t wanted = 0;
  std::uint64_t given = 0;
  for (const auto& [ranges, sum] : {std::pair(&to, &wanted), std::pair(&from, &given)}) {
    for (const Range& range : *ranges) {
      if (range.count > 0 && !place(range.first, range.count)) return Copied::no_range;
      *sum += range.count;
    }
  }
  if (wanted != given) return Copied::unequal_counts;
  auto source = from.begin();
  UINT done = 0;  // of the source's range
  for (const Range& range : to) {
    for (UINT i = 0; i < range.count; ++i, ++done) {
      for (; done == source->count; ++source) done = 0;
      const Place at = *place(source->first, source->count);
      const Place into = *place(range.first, range.count);
      const Descriptor* const copied = slots_[at.slot].find(at.index + done);
      Slot& slot = slots_[into.slot];
      if (copied != nullptr) {
        slot.write(into.index + i, Descriptor(*copied));
      } else if (slot.find(into.index + i) != nullptr) {
        slot.write(into.index + i, {});
      }
    }
  }
  return Copied::all;
}

}  // namespace fenceline::d3d12

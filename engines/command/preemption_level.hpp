// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/described.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace fenceline {

/// What D3DKMDT tells apart where it speaks of preemption.
enum class WorkClass : std::uint8_t { graphics, compute, copy };

/// Where a running packet stops, by the unit that finishes when it has begun: at one level the unit in flight cannot be
/// stopped, everything pending beyond it can. Values are D3DKMDT's (d3dkmdt.h), finer levels have larger ones.
enum class PreemptionLevel : std::uint16_t {
  none = 0,          ///< nothing stops
  dma_buffer = 100,  ///< a DMA packet
  command = 200,     ///< a draw, dispatch or copy
  group = 300,       ///< a triangle, thread group or transfer
  thread = 400,      ///< a pixel or thread
  shader = 500,      ///< an instruction
};

namespace level_rule {
/// Packets behind the running one do not begin.
constexpr unsigned withholds_packets = 1;
/// The running packet stops before its end, and its context is saved.
constexpr unsigned stops_packets = 2;
/// So does a draw, dispatch or copy that has begun: no further triangle, thread group or transfer of it begins.
constexpr unsigned stops_commands = 4;
/// So does a triangle that has begun. A thread group that no thread has been launched of gives up its place.
constexpr unsigned stops_groups = 8;
/// So does a thread: registers and shared memory are saved.
constexpr unsigned stops_threads = 16;
}  // namespace level_rule

/// What is so of a level, whatever stops there.
struct LevelTraits {
  std::array<const char*, 3> names{};  ///< in JSON, by WorkClass; null: such work stops at the next coarser level
  unsigned rules = 0;                  ///< of level_rule
  /// Which of D3DKMDT's levels an adapter reports that stops there: itself, or a coarser one.
  PreemptionLevel reported = PreemptionLevel::none;
  /// One of level_rule.
  constexpr bool has(unsigned rule) const { return (rules & rule) != 0; }
};

/// A level's row. Without one it does not compile.
constexpr LevelTraits traits_of(PreemptionLevel level) {
  constexpr unsigned packets = level_rule::withholds_packets;
  constexpr unsigned inside_packets = packets | level_rule::stops_packets;
  constexpr unsigned inside_commands = inside_packets | level_rule::stops_commands;
  constexpr unsigned inside_groups = inside_commands | level_rule::stops_groups;
  constexpr unsigned inside_threads = inside_groups | level_rule::stops_threads;
  switch (level) {
    case PreemptionLevel::none: return {{"none", "none", "none"}, 0, level};
    case PreemptionLevel::dma_buffer:
      return {{"dma_buffer_boundary", "dma_buffer_boundary", "dma_buffer_boundary"}, packets, level};
    case PreemptionLevel::command:
      return {{"primitive_boundary", "dispatch_boundary", "copy_boundary"}, inside_packets, level};
    case PreemptionLevel::group:
      return {{"triangle_boundary", "thread_group_boundary", "transfer_boundary"}, inside_commands, level};
    case PreemptionLevel::thread: return {{"pixel_boundary", "thread_boundary", nullptr}, inside_groups, level};
    case PreemptionLevel::shader: return {{"shader_boundary", "shader_boundary", nullptr}, inside_threads, level};
  }
  return {};
}

/// Visits each level, from coarse to fine.
template <class Visit>
constexpr void for_each_level(const Visit& visit) {
  constexpr std::uint16_t values = 1000;  // D3DKMDT's end at 500
  for (std::uint16_t value = 0; value < values; ++value) {
    const auto level = static_cast<PreemptionLevel>(value);
    const LevelTraits traits = traits_of(level);
    if (traits.names[0] != nullptr || traits.names[1] != nullptr || traits.names[2] != nullptr) visit(level, traits);
  }
}

/// How many there are.
constexpr std::size_t preemption_level_count() {
  std::size_t count = 0;
  for_each_level([&](PreemptionLevel, const LevelTraits&) { ++count; });
  return count;
}

/// All levels, from coarse to fine.
constexpr std::array<PreemptionLevel, preemption_level_count()> all_preemption_levels() {
  std::array<PreemptionLevel, preemption_level_count()> levels{};
  std::size_t i = 0;
  for_each_level([&](PreemptionLevel level, const LevelTraits&) { levels[i++] = level; });
  return levels;
}
/// All levels, from coarse to fine, as a value.
constexpr auto preemption_levels = all_preemption_levels();
/// Who may stop at this one may stop anywhere.
constexpr PreemptionLevel finest_preemption_level = preemption_levels.back();

/// The level's name in the words of the work: where that has no such level, of the next coarser one.
constexpr const char* level_name(PreemptionLevel level, WorkClass work) {
  const char* found = nullptr;
  for (const PreemptionLevel one : preemption_levels) {
    const char* name = traits_of(one).names[static_cast<std::size_t>(work)];
    if (one <= level && name != nullptr) found = name;
  }
  return found;
}

/// A level's value in the enumerations of the three classes of work.
constexpr std::uint16_t value_of(PreemptionLevel level) { return static_cast<std::uint16_t>(level); }

/// D3DKMDT_GRAPHICS_PREEMPTION_GRANULARITY, names and values. A machine's file may name any level of draws, these are
/// those that programs may.
enum class GraphicsPreemption : std::uint16_t {
  none = value_of(PreemptionLevel::none),  ///< neither the running DMA packet nor those already in the hardware queue
  /// The running DMA packet finishes; those behind it are withheld.
  dma_buffer_boundary = value_of(PreemptionLevel::dma_buffer),
  primitive_boundary = value_of(PreemptionLevel::command),  ///< draws that have begun finish, no other begins
  triangle_boundary = value_of(PreemptionLevel::group),     ///< triangles that have begun finish
  pixel_boundary = value_of(PreemptionLevel::thread),       ///< vertices and pixels that are being shaded finish
  shader_boundary = value_of(PreemptionLevel::shader),      ///< between two shader instructions
};
/// Whose granularities they are.
constexpr WorkClass work_of(GraphicsPreemption) { return WorkClass::graphics; }

/// D3DKMDT_COMPUTE_PREEMPTION_GRANULARITY, names and values.
enum class ComputePreemption : std::uint16_t {
  none = value_of(PreemptionLevel::none),                       ///< as for draws
  dma_buffer_boundary = value_of(PreemptionLevel::dma_buffer),  ///< as for draws
  dispatch_boundary = value_of(PreemptionLevel::command),       ///< dispatches that have begun finish, no other begins
  /// Thread groups that have a place on an SM finish, no other gets one.
  thread_group_boundary = value_of(PreemptionLevel::group),
  /// Threads that have been launched finish; groups still being launched give way.
  thread_boundary = value_of(PreemptionLevel::thread),
  shader_boundary = value_of(PreemptionLevel::shader),  ///< between two shader instructions
};
/// Whose granularities they are.
constexpr WorkClass work_of(ComputePreemption) { return WorkClass::compute; }

/// What a copy engine can stop at. D3DKMDT has no word for it; the values fit those of the other two.
enum class CopyPreemption : std::uint16_t {
  none = value_of(PreemptionLevel::none),                       ///< as for draws
  dma_buffer_boundary = value_of(PreemptionLevel::dma_buffer),  ///< as for draws
  copy_boundary = value_of(PreemptionLevel::command),           ///< the copy that has begun finishes
  /// Between two transfers of one copy: what has not been moved waits.
  transfer_boundary = value_of(PreemptionLevel::group),
};
/// Whose granularities they are.
constexpr WorkClass work_of(CopyPreemption) { return WorkClass::copy; }

/// How many levels such work has.
constexpr std::size_t level_count_of(WorkClass work) {
  std::size_t count = 0;
  for (const PreemptionLevel level : preemption_levels) {
    if (traits_of(level).names[static_cast<std::size_t>(work)] != nullptr) ++count;
  }
  return count;
}

/// Their names in JSON, from coarse to fine.
template <class Granularity>
constexpr auto granularity_names() {
  constexpr WorkClass work = work_of(Granularity{});
  EnumNames<Granularity, level_count_of(work)> names{};
  std::size_t i = 0;
  for (const PreemptionLevel level : preemption_levels) {
    const char* name = traits_of(level).names[static_cast<std::size_t>(work)];
    if (name == nullptr) continue;
    names[i].first = static_cast<Granularity>(level);
    names[i++].second = name;
  }
  return names;
}
/// In JSON.
constexpr auto enum_names(GraphicsPreemption) { return granularity_names<GraphicsPreemption>(); }
/// In JSON.
constexpr auto enum_names(ComputePreemption) { return granularity_names<ComputePreemption>(); }
/// In JSON.
constexpr auto enum_names(CopyPreemption) { return granularity_names<CopyPreemption>(); }

/// The granularity's name in JSON.
template <class Granularity, WorkClass work = work_of(Granularity{})>
constexpr const char* name_of(Granularity granularity) {
  return level_name(static_cast<PreemptionLevel>(granularity), work);
}

}  // namespace fenceline

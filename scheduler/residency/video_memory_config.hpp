// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/described.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace fenceline {

/// Who says what has to be in video memory (docs/residency.md).
enum class ResidencyModel : std::uint8_t {
  device_list,     ///< WDDM 2: what a device has asked to be resident is, before anything of it runs
  allocation_list  ///< WDDM 1: what a packet uses is, before it runs
};
constexpr EnumNames<ResidencyModel, 2> enum_names(ResidencyModel) {
  return {{{ResidencyModel::device_list, "device_list"}, {ResidencyModel::allocation_list, "allocation_list"}}};
}
/// What happens to what does not fit into video memory.
enum class OverCommit : std::uint8_t {
  demote,  ///< it is used in place in system memory
  page     ///< it has to be in video memory, others make room
};
constexpr EnumNames<OverCommit, 2> enum_names(OverCommit) {
  return {{{OverCommit::demote, "demote"}, {OverCommit::page, "page"}}};
}
/// Who makes room among allocations of equal priority.
enum class EvictionPolicy : std::uint8_t {
  lru,  ///< the least recently used
  mru,  ///< the most recently used
  fifo  ///< the one that has been there longest
};
constexpr EnumNames<EvictionPolicy, 3> enum_names(EvictionPolicy) {
  return {{{EvictionPolicy::lru, "lru"}, {EvictionPolicy::mru, "mru"}, {EvictionPolicy::fifo, "fifo"}}};
}

/// What becomes of a reservation of more than there is to reserve: Microsoft's pages do not say.
enum class OverReservation : std::uint8_t {
  refuse,  ///< nothing changes
  clamp    ///< it gets what there is
};
constexpr EnumNames<OverReservation, 2> enum_names(OverReservation) {
  return {{{OverReservation::refuse, "refuse"}, {OverReservation::clamp, "clamp"}}};
}

/// Whether system memory has to be mapped into the aperture before something is used in place there.
enum class ApertureUse : std::uint8_t {
  mapped,  ///< what lies in system memory is mapped for good
  on_use   ///< what is demoted is mapped before it is used
};
constexpr EnumNames<ApertureUse, 2> enum_names(ApertureUse) {
  return {{{ApertureUse::mapped, "mapped"}, {ApertureUse::on_use, "on_use"}}};
}

/// How much memory there is, and what happens to what does not fit (docs/residency.md).
struct VideoMemoryConfig {
  std::string source;                   ///< where the numbers are from
  std::uint32_t dedicated_mib = 16384;  ///< the GPU's own, MiB
  std::uint32_t shared_mib = 16384;     ///< of the system's that the GPU may use, MiB
  bool unified = false;  ///< it has no memory of its own (UMA): dedicated_mib of the system's are its local memory
  std::uint32_t page_kib = 64;                                 ///< sizes are rounded up to it: 4 or 64
  ResidencyModel residency = ResidencyModel::device_list;      ///< who says what has to be there
  OverCommit over_commit = OverCommit::demote;                 ///< what happens to what does not fit
  EvictionPolicy eviction = EvictionPolicy::lru;               ///< who makes room among equals in priority
  std::string paging_node;                                     ///< whose engine moves; empty: the first copy node
  std::uint32_t window_mib = 1024;                             ///< what one transfer moves at most, MiB
  std::uint32_t paging_operations = 64;                        ///< of one paging buffer; more are further passes
  double turn_us = 50000;                                      ///< a device's turn, while others wait for its memory
  std::uint32_t focus_budget_percent = 80;                     ///< of the process with the focus
  OverReservation over_reservation = OverReservation::refuse;  ///< of more than half of dedicated_mib
  bool fill_new = false;                                       ///< what D3D12 programs create is filled
  ApertureUse aperture = ApertureUse::mapped;                  ///< what has to be mapped before it is used in place
  bool convert_page_tables = false;                            ///< what is demoted gets pages of 4 KiB
  std::uint32_t device_context_kib = 0;  ///< of each process's device context allocation; 0: it has none
};
void describe(Fields& f, VideoMemoryConfig& c);

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/log_records.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace fenceline {

/// ID3D12GraphicsCommandList's and ID3D12CommandQueue's markers.
enum class MarkerKind : std::uint8_t {
  begin,  ///< BeginEvent: a region begins
  end,    ///< EndEvent: the region ends that began last and has not ended
  set,    ///< SetMarker: a single place
};
constexpr const char* name_of(MarkerKind kind) {
  switch (kind) {
    case MarkerKind::begin: return "BeginEvent";
    case MarkerKind::end: return "EndEvent";
    case MarkerKind::set: return "SetMarker";
  }
  return "?";
}

/// A place in a command list, or among what a queue gets, that tools show by name: PIX's events and markers. It takes
/// no time.
struct Marker {
  MarkerKind kind = MarkerKind::set;  ///< of a region its beginning or its end, or a single place
  std::string name;                   ///< UTF-8; an end has none
  std::uint32_t color = 0;            ///< as PIX_COLOR has it, 0xffRRGGBB; below 256 one of PIX's own; 0: not said
  std::size_t command = 0;            ///< in a list: index of the command before which it stands; the end: behind all
};

/// A marker of a queue, when the queue is given it: what it is given later is behind it. Of a list's markers each time
/// that a queue is given the list, behind its packet's QueuedRecord. They take no time.
struct MarkerRecord {
  LogName context;            ///< path of the queue's context
  MarkerKind kind;            ///< what it is
  LogName name;               ///< its text; EndEvent has none
  std::uint32_t color;        ///< as PIX_COLOR has it, 0xffRRGGBB; below 256 one of PIX's own; 0: not said
  std::uint64_t at_ps;        ///< simulated time
  std::uint64_t packet = 0;   ///< of a list's marker: id of its queue packet; 0: it is the queue's
  std::uint64_t command = 0;  ///< of a list's marker: index of the command before which it stands; the end: behind all
  LogName list{};             ///< of a list's marker: the list's name
};

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/log_records.hpp"

#include <cstdint>

namespace fenceline {

/// How an allocation moves between video memory and system memory.
enum class PagingOperation : std::uint8_t {
  in,       ///< from system memory
  out,      ///< to system memory, with its bytes
  drop,     ///< the same without: its copy there is still good, or its content is not needed
  demote,   ///< out, and used in place from then on
  promote,  ///< in, of one that was used in place
  init,     ///< made in video memory, without content from elsewhere: a context allocation
  fill,     ///< the same of a resource, which is cleared
  place,    ///< in, without its content, which is not needed
  map,      ///< stays in system memory, and is mapped into the aperture to be used there
  unmap     ///< that is over
};
constexpr const char* name_of(PagingOperation operation) {
  switch (operation) {
    case PagingOperation::in: return "in";
    case PagingOperation::out: return "out";
    case PagingOperation::drop: return "drop";
    case PagingOperation::demote: return "demote";
    case PagingOperation::promote: return "promote";
    case PagingOperation::init: return "init";
    case PagingOperation::fill: return "fill";
    case PagingOperation::place: return "place";
    case PagingOperation::map: return "map";
    case PagingOperation::unmap: return "unmap";
  }
  return "?";
}

/// An allocation has moved, or its mapping has changed (docs/residency.md).
struct PagingRecord {
  PagingOperation operation{};  ///< which way
  LogName resource{};           ///< its name
  std::uint64_t bytes = 0;      ///< its size, in pages
  std::uint64_t packet = 0;     ///< id of the paging packet that has its last operation
  LogName process{};            ///< for which it was moved
  std::uint64_t start_ps = 0;   ///< its first operation began on the engine
  std::uint64_t end_ps = 0;     ///< its last one ended there
};

}  // namespace fenceline

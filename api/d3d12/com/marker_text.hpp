// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"
#include "sim/marker_record.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace fenceline::d3d12 {

/// Text of a program's as UTF-8, up to its end or the first zero: wide text, and narrow text whose bytes that are no
/// UTF-8 become U+FFFD.
std::string utf8_of_wide(const void* text, std::size_t bytes);
std::string utf8_of_narrow(std::string_view text);

// What PIX's headers say with the metadata of events and markers.
constexpr UINT wide_text = 0;
constexpr UINT narrow_text = 1;

/// What BeginEvent and SetMarker are told, with the colour that PIX's functions have left; what is neither narrow nor
/// wide text is called "event" or "marker".
Marker marker_of_program(MarkerKind kind, UINT metadata, const void* data, UINT bytes);

}  // namespace fenceline::d3d12

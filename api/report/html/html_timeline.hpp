// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/html/packet_timeline.hpp"
#include "sim/log.hpp"

#include <functional>
#include <string>

namespace fenceline {

/// What is printed for an interned name: escaped HTML.
using HtmlName = std::function<std::string(LogName)>;

/// A settled timeline as HTML: names in one column, all rows as one SVG in the other. All x are percentages, so the
/// SVG can be stretched and its text stays as it is. Below 4000 SVG elements: 2 for each of PacketTimeline::most_bars,
/// 2 more for the 150 longest that show their name (as many more as there are bars missing to that), ticks for four
/// widths, and 200 windows that explain merged bars. Beyond 16 bars at one time on an engine, bars hide each other.
std::string html_of(const PacketTimeline& timeline, const HtmlName& name);

}  // namespace fenceline

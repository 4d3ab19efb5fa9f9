// SPDX-License-Identifier: Apache-2.0
#include "api/import/nsys/nsys_ranges.hpp"

#include "api/import/launch_limits.hpp"
#include "api/import/nsys/nsys_table.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace fenceline {
namespace {

constexpr std::int64_t push_pop = 59;  // "SQLite Schema Event Values", as read_nsys.hpp has it
constexpr std::int64_t start_end = 60;
constexpr std::size_t longest_name = 200;  // characters
constexpr NsysTable::Limits any_time = {-launch_limits::time_ns, launch_limits::time_ns};
const char* const range_table = "NVTX_EVENTS";
const char* const call_table = "CUPTI_ACTIVITY_KIND_RUNTIME";

/// A globalPid, or a globalTid without its thread, which has 24 bits ("Serialized GlobalId").
std::uint64_t process_of(std::int64_t global_id) { return static_cast<std::uint64_t>(global_id) >> 24; }

}  // namespace

NsysRanges::NsysRanges(NsysDatabase& database, const KinetoTrace& trace, std::optional<std::int64_t> process,
                       NsysStrings& strings) {
  if (database.has(range_table)) read_ranges(database, strings);
  if (!ranges_.empty() && database.has(call_table)) read_calls(database, trace, process);
}

void NsysRanges::read_ranges(NsysDatabase& database, NsysStrings& strings) {
  NsysTable table(database, range_table);
  const NsysTable::Column type = table.needed("eventType");
  const NsysTable::Column start = table.needed("start");
  const NsysTable::Column end = table.needed("end");
  const NsysTable::Column thread = table.needed("globalTid");
  const NsysTable::Column end_thread = table.optional("endGlobalTid");
  const NsysTable::Column text = table.optional("text");
  const NsysTable::Column text_id = table.optional("textId");  // not before NVTX's registered strings were exported
  while (table.next()) {
    const std::int64_t event = table.integer(type, any_integer);
    if (event != push_pop && event != start_end) continue;
    ++all_;
    if (table.is_null(end) || table.is_null(thread)) continue;
    Range range;
    range.row = table.row();
    range.thread = static_cast<std::uint64_t>(table.integer(thread, any_integer));
    range.start_ns = table.integer(start, any_time, "nanoseconds");
    range.end_ns = table.integer(end, {range.start_ns, any_time.most}, "nanoseconds");
    if (!table.is_null(end_thread) && table.integer(end_thread, any_integer) != table.integer(thread, any_integer)) {
      continue;
    }
    if (!table.is_null(text)) range.text = shortened(table.text(text), longest_name);
    if (range.text.empty() && !table.is_null(text_id)) {
      range.text_place = strings.place_of(table.integer(text_id, any_integer));
    }
    if (range.text.empty() && !range.text_place) continue;
    ranges_.push_back(std::move(range));
  }
  std::sort(ranges_.begin(), ranges_.end(), [](const Range& a, const Range& b) {
    return std::tie(a.thread, a.start_ns, b.end_ns, a.row) < std::tie(b.thread, b.start_ns, a.end_ns, b.row);
  });
}

void NsysRanges::read_calls(NsysDatabase& database, const KinetoTrace& trace, std::optional<std::int64_t> process) {
  std::vector<std::uint64_t> launches;
  for (const KinetoOp& op : trace.ops) {
    if (op.correlation != 0) launches.push_back(op.correlation);
  }
  std::sort(launches.begin(), launches.end());
  launches.erase(std::unique(launches.begin(), launches.end()), launches.end());
  std::vector<bool> known(launches.size(), false);

  NsysTable table(database, call_table);
  const NsysTable::Column start = table.needed("start");
  const NsysTable::Column end = table.needed("end");
  const NsysTable::Column thread = table.needed("globalTid");
  const NsysTable::Column correlation = table.needed("correlationId");
  while (table.next()) {
    if (table.is_null(correlation) || table.is_null(thread)) continue;
    const std::int64_t number = table.integer(correlation, any_integer);
    const auto launch = std::lower_bound(launches.begin(), launches.end(), static_cast<std::uint64_t>(number));
    if (number <= 0 || launch == launches.end() || *launch != static_cast<std::uint64_t>(number)) continue;
    const std::int64_t caller = table.integer(thread, any_integer);
    if (process && process_of(caller) != process_of(*process)) continue;
    const auto place = static_cast<std::size_t>(launch - launches.begin());
    if (known[place]) continue;
    known[place] = true;
    Call call;
    call.thread = static_cast<std::uint64_t>(caller);
    call.start_ns = table.integer(start, any_time, "nanoseconds");
    call.end_ns = table.integer(end, {call.start_ns, any_time.most}, "nanoseconds");
    call.correlation = *launch;
    calls_.push_back(call);
  }
  std::sort(calls_.begin(), calls_.end(), [](const Call& a, const Call& b) {
    return std::tie(a.thread, a.start_ns, a.correlation) < std::tie(b.thread, b.start_ns, b.correlation);
  });
}

std::string NsysRanges::name_of(const Range& range, const NsysStrings& strings, const std::string& file) const {
  if (!range.text_place) return range.text;
  const std::string* const text = strings.at(*range.text_place);
  if (text != nullptr) return shortened(*text, longest_name);
  throw ConfigError(file, fmt::format("/{}/{}/textId", range_table, range.row), "a number of the table StringIds",
                    "one that it does not have");
}

void NsysRanges::add_to(KinetoTrace& trace, const NsysStrings& strings) const {
  trace.ranges = all_;
  if (calls_.empty()) return;
  trace.regions.assign(1, {});
  std::map<std::pair<std::uint32_t, std::size_t>, std::uint32_t> regions;  // by the one around, and the range
  std::vector<bool> around(ranges_.size(), false);
  std::vector<std::pair<std::uint64_t, std::uint32_t>> region_of;  // by correlation
  std::vector<std::size_t> open;                                   // ranges of the thread, outer ones first
  std::size_t next = 0;
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    const Call& call = calls_[i];
    if (i > 0 && calls_[i - 1].thread != call.thread) open.clear();
    while (next < ranges_.size() && ranges_[next].thread < call.thread) ++next;
    const auto close = [&](std::int64_t at_ns) {
      open.erase(std::remove_if(open.begin(), open.end(), [&](std::size_t one) { return ranges_[one].end_ns < at_ns; }),
                 open.end());
    };
    for (; next < ranges_.size() && ranges_[next].thread == call.thread && ranges_[next].start_ns <= call.start_ns;
         ++next) {
      if (ranges_[next].end_ns < call.start_ns) continue;
      close(ranges_[next].start_ns);
      if (open.size() < deepest) open.push_back(next);
    }
    close(call.start_ns);
    std::uint32_t region = 0;
    for (const std::size_t one : open) {
      if (ranges_[one].end_ns < call.end_ns) continue;
      const auto [inner, is_new] =
          regions.emplace(std::pair(region, one), static_cast<std::uint32_t>(trace.regions.size()));
      if (is_new) trace.regions.push_back({region, name_of(ranges_[one], strings, trace.file)});
      if (!around[one]) ++trace.ranges_around;
      around[one] = true;
      region = inner->second;
    }
    if (region != 0) region_of.emplace_back(call.correlation, region);
  }
  std::sort(region_of.begin(), region_of.end());
  for (KinetoOp& op : trace.ops) {
    const auto found =
        std::lower_bound(region_of.begin(), region_of.end(), std::pair(op.correlation, std::uint32_t{0}));
    if (op.correlation != 0 && found != region_of.end() && found->first == op.correlation) op.region = found->second;
  }
}

}  // namespace fenceline

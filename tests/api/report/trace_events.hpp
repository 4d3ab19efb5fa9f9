// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/perfetto/perfetto.hpp"
#include "tests/support/sink_output.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace fenceline::testing {

using nlohmann::json;

/// The text of trace.json after `write` wrote to the log.
template <class Write>
std::string text_of(EventLog& log, Write write) {
  return finished_output_of<PerfettoSink>(log, 0, write);
}

template <class Write>
json events_of(EventLog& log, Write write) {
  const json trace = json::parse(text_of(log, write));
  CHECK(trace.at("displayTimeUnit") == "ns");
  return trace.at("traceEvents");
}

inline std::vector<json> with_phase(const json& events, const std::string& phase) {
  std::vector<json> result;
  std::copy_if(events.begin(), events.end(), std::back_inserter(result),
               [&](const json& event) { return event.at("ph") == phase; });
  return result;
}

/// Names by tid ("thread_name") or pid ("process_name").
inline std::map<int, std::string> names(const json& events, const std::string& kind, const std::string& key) {
  std::map<int, std::string> result;
  for (const json& event : with_phase(events, "M")) {
    if (event.at("name") != kind) continue;
    CHECK(result.emplace(event.at(key), event.at("args").at("name")).second);
  }
  return result;
}

/// Nanoseconds as Perfetto reads them: llround(double * 1000).
inline std::int64_t perfetto_ns(const json& microseconds) { return std::llround(microseconds.get<double>() * 1000.0); }

/// Perfetto's rule for complete events: per thread, sorted by start and longest first, a slice that starts inside an
/// open one must not outlast it, or it is dropped (SliceTracker::MaybeCloseStack).
inline std::size_t dropped_by_perfetto(const json& events) {
  std::map<int, std::vector<std::pair<std::int64_t, std::int64_t>>> threads;
  for (const json& event : with_phase(events, "X")) {
    threads[event.at("tid")].emplace_back(perfetto_ns(event.at("ts")), -perfetto_ns(event.at("dur")));
  }
  std::size_t dropped = 0;
  for (auto& [thread, slices] : threads) {
    std::stable_sort(slices.begin(), slices.end());
    std::vector<std::int64_t> open;
    for (const auto& [start, minus_duration] : slices) {
      const std::int64_t end = start - minus_duration;
      while (!open.empty() && open.back() <= start) open.pop_back();
      if (!open.empty() && open.back() < end) {
        ++dropped;
      } else {
        open.push_back(end);
      }
    }
  }
  return dropped;
}

}  // namespace fenceline::testing

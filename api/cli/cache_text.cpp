// SPDX-License-Identifier: Apache-2.0
#include "api/cli/cache_text.hpp"

#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <time.h>

#include <algorithm>
#include <iterator>

namespace fenceline::cli {
namespace {

/// "2025-01-31T12:00:00Z"; "-": nothing was changed.
std::string utc_text(std::int64_t seconds) {
  if (seconds == 0) return "-";
  const time_t time = seconds;
  struct tm parts {};
  if (::gmtime_r(&time, &parts) == nullptr) return std::to_string(seconds);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", std::int64_t{parts.tm_year} + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

std::string version_text(const CacheFacts& facts) { return facts.header ? std::to_string(facts.header->version) : "?"; }

std::string driver_text(const CacheFacts& facts) {
  if (!facts.header) return "?";
  return facts.header->driver == 0 ? "-" : fmt::format("{:016x}", facts.header->driver);
}

const char* open_text(const CacheFacts& facts) {
  if (!facts.in_use) return "?";
  return *facts.in_use ? "yes" : "no";
}

std::string or_dash(const std::string& text) { return text.empty() ? "-" : one_line(text); }

/// What is not as it is with other caches.
std::string remark_on(const CacheFacts& facts) {
  if (!facts.header) return "neither .val nor .idx has a whole header";
  if (!facts.why_no_table.empty()) return ".idx is not used: " + facts.why_no_table;
  return facts.delete_on_destroy ? "to be deleted when it is closed" : "";
}

}  // namespace

KnownCache known_cache(const CachePlace& place) {
  CacheView view(place);
  return {place, facts_of(view)};
}

std::string cache_list_text(const std::vector<KnownCache>& caches) {
  std::vector<std::vector<std::string>> rows{{"program", "identifier", "adapter", "version", "driver", "entries",
                                              "value bytes", "disk bytes", "changed", "open", ""}};
  constexpr bool is_number[] = {false, false, false, true, false, true, true, true, false, false, false};
  std::uint64_t entries = 0;
  std::uint64_t value_bytes = 0;
  std::uint64_t disk_bytes = 0;
  for (const auto& [place, facts] : caches) {
    rows.push_back({or_dash(place.program), place.identifier(), or_dash(place.adapter()), version_text(facts),
                    driver_text(facts), std::to_string(facts.entries), std::to_string(facts.value_bytes),
                    std::to_string(facts.disk_bytes), utc_text(facts.changed_s), open_text(facts), remark_on(facts)});
    entries += facts.entries;
    value_bytes += facts.value_bytes;
    disk_bytes += facts.disk_bytes;
  }
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::size_t width = 0;
      for (const auto& other : rows) width = std::max(width, other[i].size());
      line += is_number[i] ? fmt::format("{:>{}}  ", row[i], width) : fmt::format("{:<{}}  ", row[i], width);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text + fmt::format("{} caches, {} entries, {} bytes of values, {} bytes of disk\n", caches.size(), entries,
                            value_bytes, disk_bytes);
}

std::string cache_stat_text(const KnownCache& cache) {
  const auto& [place, facts] = cache;
  fmt::memory_buffer text;
  const auto line = [&](const char* name, const std::string& what) {
    fmt::format_to(std::back_inserter(text), "  {:<12} {}\n", name, what);
  };
  fmt::format_to(std::back_inserter(text), "{}\n", one_line(place.name()));
  line("directory", one_line((place.directory / place.program).string()));
  line("adapter", or_dash(place.adapter()));
  line("version", version_text(facts));
  line("driver", driver_text(facts));
  line("format", std::to_string(cache_format));
  line("era", facts.header ? std::to_string(facts.header->era) : "?");
  line("open", open_text(facts));
  line("entries", fmt::format("{}, {} of them not in the table yet", facts.entries, facts.not_in_table));
  line("keys", fmt::format("{} bytes", facts.key_bytes));
  line("values", fmt::format("{} bytes; the smallest {}, the median {}, the largest {}", facts.value_bytes,
                             facts.sizes.min, facts.sizes.median, facts.sizes.max));
  line(".val", fmt::format("{} bytes, {} of them dead", facts.values_bytes, facts.dead_bytes));
  line(".idx", fmt::format("{} bytes, {} slots: {} taken, {} dropped, {} damaged", facts.index_bytes, facts.slots,
                           facts.entries - std::min(facts.entries, facts.not_in_table) + facts.dropped_slots,
                           facts.dropped_slots, facts.damaged_slots));
  line("disk", fmt::format("{} bytes", facts.disk_bytes));
  line("changed", utc_text(facts.changed_s));
  if (const std::string remark = remark_on(facts); !remark.empty()) line("remark", one_line(remark));
  return fmt::to_string(text);
}

nlohmann::ordered_json json_of(const CachePlace& place) {
  return {{"program", place.program},
          {"stem", place.stem},
          {"identifier", place.identifier()},
          {"adapter", place.adapter()}};
}

nlohmann::ordered_json json_of(const KnownCache& cache, bool all) {
  const CacheFacts& facts = cache.facts;
  nlohmann::ordered_json json = json_of(cache.place);
  const auto or_null = [](const auto& optional, auto&& of) {
    return optional ? nlohmann::ordered_json(of(*optional)) : nlohmann::ordered_json();
  };
  json["version"] = or_null(facts.header, [](const CacheHeader& header) { return header.version; });
  json["driver"] = or_null(facts.header, [](const CacheHeader& header) { return header.driver; });
  json["entries"] = facts.entries;
  json["value_bytes"] = facts.value_bytes;
  json["disk_bytes"] = facts.disk_bytes;
  json["changed_s"] = facts.changed_s;
  json["open"] = or_null(facts.in_use, [](bool in_use) { return in_use; });
  json["remark"] = remark_on(facts);
  if (!all) return json;
  json["format"] = cache_format;
  json["era"] = or_null(facts.header, [](const CacheHeader& header) { return header.era; });
  json["delete_on_destroy"] = facts.delete_on_destroy;
  json["not_in_table"] = facts.not_in_table;
  json["key_bytes"] = facts.key_bytes;
  json["dead_bytes"] = facts.dead_bytes;
  json["value_sizes"] = {{"min", facts.sizes.min}, {"median", facts.sizes.median}, {"max", facts.sizes.max}};
  json["values_file_bytes"] = facts.values_bytes;
  json["index_file_bytes"] = facts.index_bytes;
  json["table"] = {{"used", facts.why_no_table.empty()},
                   {"slots", facts.slots},
                   {"dropped_slots", facts.dropped_slots},
                   {"damaged_slots", facts.damaged_slots},
                   {"told",
                    {{"values_end", facts.told.values_end},
                     {"entries", facts.told.entries},
                     {"value_bytes", facts.told.value_bytes},
                     {"taken_slots", facts.told.taken}}}};
  return json;
}

}  // namespace fenceline::cli

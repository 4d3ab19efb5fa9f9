// SPDX-License-Identifier: Apache-2.0
#include "api/report/contents/resource_history.hpp"

#include "api/report/contents/access_log.hpp"
#include "api/report/contents/csv_rows.hpp"
#include "sim/config/json_file.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace fenceline {
namespace {

using Json = nlohmann::ordered_json;

/// A number as it stands in the file; null: there is none.
Json number(const std::string& text) {
  const Json value = Json::parse(text, nullptr, false);
  return value.is_number() ? value : Json();
}

enum Column : std::size_t { at_us, access, name_of_resource, offset, bytes, by, packet, list, command, name, columns };

const nlohmann::json& member(const nlohmann::json& object, const char* key, const std::string& file) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  if (!object.is_object() || found == object.end())
    throw ConfigError(file, "", fmt::format("a report with {}", key), "none");
  return *found;
}

/// A member that is a text; empty: it is none.
std::string text_in(const nlohmann::json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

std::string text_of(const Json& value) {
  return value.is_null() ? "" : value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

Json resource_history(const std::filesystem::path& run, const std::string& resource) {
  const std::filesystem::path rows = run / accesses_file;
  if (!std::filesystem::exists(rows)) {
    throw ConfigError(run.string(), "",
                      fmt::format("the directory of a run whose workload acts on bytes, with {}", accesses_file),
                      "none");
  }
  const std::string report_name = (run / "report.json").string();
  const nlohmann::json report = load_json(run / "report.json");
  const auto& resources = member(member(report, "workload", report_name), "resources", report_name);
  const auto is_it = [&](const nlohmann::json& one) { return one.is_object() && text_in(one, "name") == resource; };
  if (std::none_of(resources.begin(), resources.end(), is_it)) {
    std::string names;
    for (const nlohmann::json& one : resources) names += (names.empty() ? "" : ", ") + in_quotes(text_in(one, "name"));
    throw ConfigError("--resource", "", "a resource of the run's workload: " + shortened(names, 300),
                      in_quotes(resource));
  }
  Json history = {{"resource", resource}, {"bytes", nullptr}, {"xxh3", nullptr}, {"written_bytes", 0}};
  for (const nlohmann::json& one : member(member(report, "statistics", report_name), "contents", report_name)) {
    if (!one.is_object() || text_in(one, "resource") != resource) continue;
    for (const char* const key : {"bytes", "xxh3", "written_bytes"}) history[key] = one.value(key, nlohmann::json());
  }
  history["accesses"] = Json::array();
  CsvRows csv(rows);
  std::vector<std::string> row;
  csv.next(row);  // its head
  while (csv.next(row)) {
    if (row.size() != columns)
      throw ConfigError(rows.string(), "", fmt::format("rows of {} fields", +columns), "another");
    if (row[name_of_resource] != resource) continue;
    history["accesses"].push_back({{"at_us", number(row[at_us])},
                                   {"access", row[access]},
                                   {"offset", number(row[offset])},
                                   {"bytes", number(row[bytes])},
                                   {"by", row[by]},
                                   {"packet", number(row[packet])},
                                   {"list", row[list]},
                                   {"command", number(row[command])},
                                   {"name", row[name]}});
  }
  return history;
}

std::string history_text(const Json& history) {
  const std::string hash = history["xxh3"].is_null() ? "not written" : "XXH3 " + text_of(history["xxh3"]);
  std::string text = one_line(fmt::format("{}: {} accesses, {} bytes written, {}", text_of(history["resource"]),
                                          history["accesses"].size(), text_of(history["written_bytes"]), hash)) +
                     '\n';
  text += fmt::format("{:>14}  {:<6} {:>12} {:>12}  {:<24} {:>6}  {:<20} {}\n", "at us", "access", "offset", "bytes",
                      "by", "packet", "command list", "command");
  for (const Json& one : history["accesses"]) {
    text += one_line(fmt::format("{:>14}  {:<6} {:>12} {:>12}  {:<24} {:>6}  {:<20} {} {}", text_of(one["at_us"]),
                                 text_of(one["access"]), text_of(one["offset"]), text_of(one["bytes"]),
                                 text_of(one["by"]), text_of(one["packet"]), text_of(one["list"]),
                                 text_of(one["command"]), text_of(one["name"])));
    text += '\n';
  }
  return text;
}

}  // namespace fenceline

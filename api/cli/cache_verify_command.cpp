// SPDX-License-Identifier: Apache-2.0
#include "api/cli/cache_choice.hpp"
#include "api/cli/cache_text.hpp"
#include "api/cli/commands.hpp"
#include "api/cli/progress.hpp"
#include "shadercache/inspect/cache_verification.hpp"
#include "sim/config/json_file.hpp"
#include "sim/config_error.hpp"
#include "sim/files/console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace fenceline::cli {
namespace {

void add_findings(std::string& text, const char* kind, const std::vector<CacheFinding>& findings, std::uint64_t count) {
  constexpr std::size_t most = 20;
  for (std::size_t i = 0; i < std::min(most, findings.size()); ++i) {
    const CacheFinding& one = findings[i];
    text += fmt::format("  {:<6}  {}: byte {}: expected {}, found {}\n", kind, one.file, one.at, one.expected,
                        one_line(one.found));
  }
  if (count > most) text += fmt::format("  and {} more: --json has up to {}\n", count - most, findings.size());
}

std::string text_of(const CachePlace& place, const CacheVerification& result) {
  std::string text = fmt::format("{}: {}, {} whole entries", one_line(place.name()),
                                 result.whole() ? "whole" : "DAMAGED", result.entries);
  if (!result.whole()) text += fmt::format(", {} damaged", result.damaged_entries);
  text += fmt::format(", {} bytes read\n", result.bytes_read);
  add_findings(text, "damage", result.damage, result.damage_count);
  add_findings(text, "note", result.notes, result.notes_count);
  return text;
}

nlohmann::ordered_json findings_json(const std::vector<CacheFinding>& findings) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const CacheFinding& one : findings) {
    json.push_back({{"file", one.file}, {"at", one.at}, {"expected", one.expected}, {"found", one.found}});
  }
  return json;
}

nlohmann::ordered_json verification_json(const CachePlace& place, const CacheVerification& result) {
  nlohmann::ordered_json json = json_of(place);
  json["whole"] = result.whole();
  json["entries"] = result.entries;
  json["damaged_entries"] = result.damaged_entries;
  json["bytes_read"] = result.bytes_read;
  json["damage_count"] = result.damage_count;
  json["damage"] = findings_json(result.damage);
  json["notes_count"] = result.notes_count;
  json["notes"] = findings_json(result.notes);
  return json;
}

CacheVerification verified(const CachePlace& place) {
  CacheView view(place);
  ProgressBar bar("bytes");
  return verify_cache(view, [&](std::uint64_t done, std::uint64_t total) { bar.show(done, total); });
}

}  // namespace

int verify_caches(const CacheArguments& arguments) {
  const CacheChoice choice = choose_caches(arguments);
  int code = tell_choice("verify", choice);
  if (code == wrong_input) return code;
  nlohmann::ordered_json json = {{"directory", choice.directory.string()}, {"caches", nlohmann::ordered_json::array()}};
  if (choice.caches.empty() && !arguments.json) console::print("{}\n", no_caches_text(choice));
  for (const CachePlace& place : choice.caches) {
    const CacheVerification result = verified(place);
    if (!result.whole()) code = model_failed;
    if (arguments.json) {
      json["caches"].push_back(verification_json(place, result));
    } else {
      console::print(text_of(place, result));
      console::flush();
    }
  }
  if (arguments.json) console::print(dump_json(json));
  return code;
}

}  // namespace fenceline::cli

// SPDX-License-Identifier: Apache-2.0
#include "api/cli/cache_choice.hpp"
#include "api/cli/cache_text.hpp"
#include "api/cli/commands.hpp"
#include "shadercache/files/cache_removal.hpp"
#include "sim/config/json_file.hpp"
#include "sim/config_error.hpp"
#include "sim/files/console.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace fenceline::cli {
namespace {

using Ending = CacheClearing::What;

const char* word_for(Ending what) {
  if (what == Ending::removed) return "removed";
  return what == Ending::emptied ? "emptied" : "refused";
}

/// What was, or would be, done with a cache.
void tell_clearing(const KnownCache& cache, const CacheClearing& clearing, bool did) {
  const std::string name = one_line(cache.place.name());
  if (clearing.what == Ending::refused) {
    console::flush();
    console::tell("fenceline cache clear: {}: {}: {}\n", name, did ? "was not cleared" : "would not be cleared",
                  one_line(clearing.reason));
    return;
  }
  const char* word = did ? word_for(clearing.what) : clearing.what == Ending::removed ? "would remove" : "would empty";
  console::print("{} {}{}: {} entries, {} bytes of values\n", word, name,
                 clearing.what == Ending::emptied ? ", which is open" : "", cache.facts.entries,
                 cache.facts.value_bytes);
}

nlohmann::ordered_json clearing_json(const CachePlace& place, const CacheClearing& clearing) {
  nlohmann::ordered_json json = json_of(place);
  json["what"] = word_for(clearing.what);
  json["reason"] = clearing.reason;
  json["files"] = clearing.files;
  return json;
}

}  // namespace

int clear_caches(const CacheArguments& arguments) {
  if (arguments.all && !arguments.caches.empty()) {
    console::tell("fenceline cache clear: expected caches or --all, found both\n");
    return wrong_input;
  }
  const CacheChoice choice = choose_caches(arguments);
  int code = tell_choice("clear", choice);
  if (code == wrong_input) return code;
  const bool does = arguments.all || !arguments.caches.empty();
  nlohmann::ordered_json json = {
      {"directory", choice.directory.string()}, {"cleared", does}, {"caches", nlohmann::ordered_json::array()}};
  if (choice.caches.empty() && !arguments.json) console::print("{}\n", no_caches_text(choice));
  for (const CachePlace& place : choice.caches) {
    const KnownCache before = known_cache(place);
    const CacheClearing clearing = does ? clear_cache(place) : look_at_clearing(place);
    if (does && clearing.what == Ending::refused) code = model_failed;
    if (arguments.json) {
      json["caches"].push_back(clearing_json(place, clearing));
    } else {
      tell_clearing(before, clearing, does);
    }
  }
  if (arguments.json) {
    console::print(dump_json(json));
  } else if (!does && !choice.caches.empty()) {
    console::print("nothing was changed: name caches, or give --all\n");
  }
  return code;
}

}  // namespace fenceline::cli

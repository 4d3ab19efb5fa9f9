// SPDX-License-Identifier: Apache-2.0
#include "api/cli/cache_choice.hpp"
#include "api/cli/cache_text.hpp"
#include "api/cli/commands.hpp"
#include "sim/config/json_file.hpp"
#include "sim/files/console.hpp"

#include <vector>

namespace fenceline::cli {
namespace {

void print_json(const CacheChoice& choice, bool all) {
  nlohmann::ordered_json json = {{"directory", choice.directory.string()}, {"caches", nlohmann::ordered_json::array()}};
  for (const CachePlace& place : choice.caches) json["caches"].push_back(json_of(known_cache(place), all));
  console::print(dump_json(json));
}

}  // namespace

int list_caches(const CacheArguments& arguments) {
  const CacheChoice choice = choose_caches(arguments);
  const int code = tell_choice("list", choice);
  if (code == wrong_input) return code;
  if (arguments.json) {
    print_json(choice, false);
  } else if (choice.caches.empty()) {
    console::print("{}\n", no_caches_text(choice));
  } else {
    std::vector<KnownCache> caches;
    for (const CachePlace& place : choice.caches) caches.push_back(known_cache(place));
    console::print(cache_list_text(caches));
  }
  return code;
}

int stat_caches(const CacheArguments& arguments) {
  const CacheChoice choice = choose_caches(arguments);
  const int code = tell_choice("stat", choice);
  if (code == wrong_input) return code;
  if (arguments.json) {
    print_json(choice, true);
    return code;
  }
  if (choice.caches.empty()) console::print("{}\n", no_caches_text(choice));
  for (const CachePlace& place : choice.caches) console::print(cache_stat_text(known_cache(place)));
  return code;
}

}  // namespace fenceline::cli

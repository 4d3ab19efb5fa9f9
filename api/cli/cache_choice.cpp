// SPDX-License-Identifier: Apache-2.0
#include "api/cli/cache_choice.hpp"

#include "shadercache/shader_caches.hpp"
#include "sim/config_error.hpp"
#include "sim/files/console.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace fenceline::cli {
namespace {

std::string names_of(const std::vector<CachePlace>& caches) {
  constexpr std::size_t most = 10;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(most, caches.size()); ++i) names.push_back(one_line(caches[i].name()));
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  if (caches.size() > most) text += fmt::format(" and {} more (fenceline cache list)", caches.size() - most);
  return text;
}

bool begins_with(const std::string& text, const std::string& beginning) {
  return text.compare(0, beginning.size(), beginning) == 0;
}

/// GUIDs are often written in capitals.
std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

/// Those that a name may mean: one that is it, else those that begin with it.
std::vector<CachePlace> meant(const std::vector<CachePlace>& caches, const std::string& name) {
  const std::size_t slash = name.rfind('/');
  const std::string program = slash == std::string::npos ? "" : name.substr(0, slash);
  const std::string stem = lower(slash == std::string::npos ? name : name.substr(slash + 1));
  std::vector<CachePlace> same;
  std::vector<CachePlace> longer;
  for (const CachePlace& cache : caches) {
    if (stem.empty() || (slash != std::string::npos && cache.program != program)) continue;
    if (cache.stem == stem) same.push_back(cache);
    if (begins_with(cache.stem, stem)) longer.push_back(cache);
  }
  return same.empty() ? longer : same;
}

std::string choose(CacheChoice& choice, const std::vector<std::string>& names) {
  std::vector<CachePlace> chosen;
  std::set<std::pair<std::string, std::string>> seen;
  for (const std::string& name : names) {
    const std::vector<CachePlace> found = meant(choice.caches, name);
    if (found.empty()) {
      const std::string there = choice.caches.empty() ? no_caches_text(choice) : "one of " + names_of(choice.caches);
      return fmt::format("expected a cache, {}, found {}", there, in_quotes(name));
    }
    if (found.size() > 1) {
      return fmt::format("expected the beginning of one cache, found {}, which may be {}", in_quotes(name),
                         names_of(found));
    }
    if (seen.insert({found[0].program, found[0].stem}).second) chosen.push_back(found[0]);
  }
  std::sort(chosen.begin(), chosen.end(), [](const CachePlace& a, const CachePlace& b) {
    return std::tie(a.program, a.stem) < std::tie(b.program, b.stem);
  });
  choice.caches = std::move(chosen);
  return {};
}

}  // namespace

CacheChoice choose_caches(const CacheArguments& arguments) {
  CacheChoice choice;
  choice.directory = arguments.directory.empty() ? cache_home() : std::filesystem::path(arguments.directory);
  if (choice.directory.empty()) {
    choice.error = "expected a path from / in XDG_CACHE_HOME or HOME, or --directory, found none";
    return choice;
  }
  CachePlaces places = find_caches(choice.directory);
  choice.exists = places.exists;
  choice.caches = std::move(places.caches);
  choice.unreadable = std::move(places.unreadable);
  if (!places.reason.empty()) {
    choice.error = "expected a directory that can be read, found " + one_line(places.reason);
  } else if (!arguments.caches.empty()) {
    choice.error = choose(choice, arguments.caches);
  }
  return choice;
}

int tell_choice(const char* verb, const CacheChoice& choice) {
  if (!choice.error.empty()) {
    console::tell("fenceline cache {}: {}\n", verb, choice.error);
    return wrong_input;
  }
  for (const std::string& folder : choice.unreadable) {
    console::tell("fenceline cache {}: expected a folder that can be read, found {}\n", verb, one_line(folder));
  }
  return choice.unreadable.empty() ? done : model_failed;
}

std::string no_caches_text(const CacheChoice& choice) {
  return fmt::format("no caches in {}{}", one_line(choice.directory.string()),
                     choice.exists ? "" : ": there is no such directory");
}

}  // namespace fenceline::cli

// SPDX-License-Identifier: Apache-2.0
#include "api/resources/names.hpp"

#include "sim/config/nearest_name.hpp"

namespace fenceline {

void Names::add(const std::string& name, std::size_t index, const std::string& pointer) {
  const bool is_new = indices_.emplace(name, static_cast<std::uint32_t>(index)).second;
  if (is_new && !name.empty()) return;
  const ConfigError error = name.empty()
                                ? ConfigError(file_, pointer, "a name", "an empty string")
                                : ConfigError(file_, pointer, fmt::format("a name of its own among the {}", plural_),
                                              in_quotes(name) + " a second time");
  wrong_.emplace(name, error);
  errors_.add(error);
}

std::uint32_t Names::index(const std::string& name, const std::string& pointer) const {
  const auto found = indices_.find(name);
  // What has no name may be the one that is meant.
  const auto wrong = wrong_.find(found == indices_.end() ? std::string() : name);
  if (wrong != wrong_.end()) throw ConfigError(wrong->second);
  if (found != indices_.end()) return found->second;
  if (indices_.empty()) {
    throw ConfigError(file_, pointer, fmt::format("one of the {}, of which there are none", plural_), in_quotes(name));
  }
  constexpr std::size_t most = 12;
  std::vector<std::string> all;
  std::string listed;
  for (const auto& [other, index] : indices_) {
    if (all.size() < most) listed += (listed.empty() ? "" : ", ") + in_quotes(other);
    all.push_back(other);
  }
  if (all.size() > most) listed += ", ...";
  const std::string near = nearest_name(name, all);
  throw ConfigError(file_, pointer, fmt::format("one of the {} {}", plural_, listed),
                    in_quotes(name) + (near.empty() ? "" : fmt::format(" (did you mean {}?)", in_quotes(near))));
}

}  // namespace fenceline

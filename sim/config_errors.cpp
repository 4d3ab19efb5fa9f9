// SPDX-License-Identifier: Apache-2.0
#include "sim/config_errors.hpp"

#include <algorithm>
#include <string_view>

namespace fenceline {

void ConfigErrors::add(const ConfigError& error) {
  for (const ConfigError& one : error.each()) {
    if (errors_.size() > ConfigError::most) return;
    const auto is_it = [&](const ConfigError& other) { return std::string_view(other.what()) == one.what(); };
    if (std::none_of(errors_.begin(), errors_.end(), is_it)) errors_.push_back(one);
  }
}

void ConfigErrors::throw_any() const {
  if (!errors_.empty()) throw ConfigError(errors_);
}

}  // namespace fenceline

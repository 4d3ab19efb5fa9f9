// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fenceline {

/// What a workload calls the value of an enum (enum_names).
template <class E>
const char* word_of(E value) {
  for (const auto& [one, name] : enum_names(value)) {
    if (one == value) return name;
  }
  return "?";
}

}  // namespace fenceline

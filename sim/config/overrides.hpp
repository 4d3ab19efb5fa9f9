// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace fenceline {

/// Carries out one `/pointer=value`, as `--set` takes it. The text up to the first `=` is a JSON Pointer (RFC 6901);
/// the value is taken as JSON if it is JSON, else as a string. Missing objects on the way are created; an array takes
/// an index it has, one more (or `-`) to append, or what an element is called by (element_name.hpp). Mistakes are
/// ConfigErrors with file `--set`. Returns the pointer that was set, with indices in place of names and `-`.
std::string apply_override(nlohmann::ordered_json& document, std::string_view assignment);

}  // namespace fenceline

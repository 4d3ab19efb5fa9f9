// SPDX-License-Identifier: Apache-2.0
#include "sim/config/fields.hpp"

namespace fenceline {

void Fields::violated(std::string_view, std::string_view, std::string_view) {}

}  // namespace fenceline

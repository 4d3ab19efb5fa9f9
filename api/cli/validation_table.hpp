// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/validation/validation.hpp"

#include <string>

namespace fenceline::cli {

/// What a person sees of a validation: every case if `rows`, their operations if `ops`, and a line for each kind.
std::string validation_table(const Validation& validation, const std::string& machine, bool rows, bool ops);

}  // namespace fenceline::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/validation/validation.hpp"

#include <string>
#include <vector>

namespace fenceline::cli {

/// What a person sees of a validation: every case if `rows`, their operations if `ops`, a line for each kind, and how
/// many of them keep their limits.
std::string validation_table(const Validation& validation, const std::string& machine, bool rows, bool ops);
/// The same of several machines, one below the other, and of all together.
std::string validation_tables(const std::vector<MachineValidation>& validations, bool rows, bool ops);

}  // namespace fenceline::cli

// SPDX-License-Identifier: Apache-2.0
#include "api/cli/usage/seed_argument.hpp"

#include "sim/config_error.hpp"

#include <cstddef>

namespace fenceline::cli {

std::string refuse_seed(const std::string& text) {
  constexpr std::size_t most_digits = 19;  // all of them fit 64 bits
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  if (digits && text.size() <= most_digits) return "";
  return "expected a number of at most 19 digits, found " + in_quotes(text);
}

}  // namespace fenceline::cli

// SPDX-License-Identifier: Apache-2.0
#include "api/cli/commands.hpp"
#include "api/compare/run_difference.hpp"
#include "sim/config/json_file.hpp"
#include "sim/files/console.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <limits>

namespace fenceline::cli {

int compare(const CompareArguments& arguments) {
  constexpr std::size_t usual_lines = 20;
  const RunDifference difference = difference_of(arguments.one, arguments.other);
  const std::size_t most = arguments.all ? std::numeric_limits<std::size_t>::max() : usual_lines;
  console::print(arguments.json ? dump_json(json_of(difference)) : text_of(difference, most));
  return done;
}

}  // namespace fenceline::cli

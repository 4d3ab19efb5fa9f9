// SPDX-License-Identifier: Apache-2.0
#include "api/cli/commands.hpp"
#include "api/cli/history/run_page.hpp"
#include "api/compare/compare_page.hpp"
#include "api/compare/run_difference.hpp"
#include "sim/config/json_file.hpp"
#include "sim/config_error.hpp"
#include "sim/files/console.hpp"
#include "sim/files/whole_file.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>

namespace fenceline::cli {

int compare(const CompareArguments& arguments) {
  constexpr std::size_t usual_lines = 20;
  const RunDifference difference = difference_of(arguments.one, arguments.other);
  const std::optional<std::size_t> most = arguments.all ? std::nullopt : std::optional(usual_lines);
  if (!arguments.html.empty()) {
    check_output(arguments.html, {difference.one.report, difference.other.report});
    write_compare_page(arguments.html, difference, page_text(arguments.one), page_text(arguments.other));
  }
  console::print(arguments.json ? dump_json(json_of(difference)) : text_of(difference, most));
  if (!arguments.html.empty() && !arguments.json) console::print("page         {}\n", one_line(arguments.html));
  return done;
}

}  // namespace fenceline::cli

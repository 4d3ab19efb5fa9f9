// SPDX-License-Identifier: Apache-2.0
#include "api/cli/commands.hpp"
#include "api/cli/history/run_page.hpp"
#include "api/report/contents/resource_history.hpp"
#include "sim/config/json_file.hpp"
#include "sim/config_error.hpp"
#include "sim/files/console.hpp"

#include <nlohmann/json.hpp>

namespace fenceline::cli {

int report(const ReportArguments& arguments) {
  if (arguments.html) {
    const std::string page = one_line(add_page(arguments.run).string());
    console::print("page         {}\n", page);
    return done;
  }
  const nlohmann::ordered_json history = resource_history(arguments.run, arguments.resource);
  console::print(arguments.json ? dump_json(history) : history_text(history));
  return done;
}

}  // namespace fenceline::cli

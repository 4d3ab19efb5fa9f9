// SPDX-License-Identifier: Apache-2.0
#include "api/cli/commands.hpp"
#include "api/report/contents/resource_history.hpp"
#include "sim/config/json_file.hpp"
#include "sim/files/console.hpp"

#include <nlohmann/json.hpp>

namespace fenceline::cli {

int report(const ReportArguments& arguments) {
  const nlohmann::ordered_json history = resource_history(arguments.run, arguments.resource);
  console::print(arguments.json ? dump_json(history) : history_text(history));
  return done;
}

}  // namespace fenceline::cli

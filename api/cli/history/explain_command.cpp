// SPDX-License-Identifier: Apache-2.0
#include "api/cli/commands.hpp"
#include "api/report/explain/explain_deadline.hpp"
#include "sim/config/json_file.hpp"
#include "sim/files/console.hpp"

#include <nlohmann/json.hpp>

#include <optional>

namespace fenceline::cli {

int explain(const ExplainArguments& arguments) {
  const std::optional<double> at_ps = arguments.at_us < 0 ? std::nullopt : std::optional(arguments.at_us * 1e6);
  const nlohmann::json time = deadline_time(arguments.run, arguments.deadline, at_ps);
  console::print(arguments.json ? time.dump(2) + "\n" : explained(time));
  return done;
}

}  // namespace fenceline::cli

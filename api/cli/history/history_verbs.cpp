// SPDX-License-Identifier: Apache-2.0
#include "api/cli/commands.hpp"
#include "api/cli/usage/number_arguments.hpp"

#include <CLI/CLI.hpp>

#include <memory>

namespace fenceline::cli {
namespace {

void add_report(CLI::App& app, int& code) {
  const auto arguments = std::make_shared<ReportArguments>();
  auto* command = app.add_subcommand(
      "report", "of a run that is over: the history of a resource, who read and wrote it; or its timeline.html");
  command->add_option("run", arguments->run, "directory of a run")->required();
  auto* resource = command->add_option("--resource", arguments->resource,
                                       "print the history of this resource: of a run whose workload acts on bytes");
  auto* html = command->add_flag("--html", arguments->html,
                                 "play the run again and put timeline.html into its directory, as run --html does");
  auto* json = command->add_flag("--json", arguments->json, "print one JSON document and nothing else");
  html->excludes(resource)->excludes(json);
  command->callback([&code, arguments] {
    if (arguments->resource.empty() && !arguments->html) throw CLI::RequiredError("--resource or --html");
    code = report(*arguments);
  });
}

void add_explain(CLI::App& app, int& code) {
  const auto arguments = std::make_shared<ExplainArguments>();
  auto* command = app.add_subcommand(
      "explain", "say why a deadline of a run was missed: its packet, where its time went, what was in the way");
  command->add_option("run", arguments->run, "directory of a run whose workload has deadlines")->required();
  command->add_option("--deadline", arguments->deadline, "name of the deadline")->required();
  command
      ->add_option("--at", arguments->at_us,
                   "the one that was due nearest to this time, us (default: the latest of all)")
      ->check(CLI::Validator([](const std::string& text) { return refuse_time_us(text, 0); }, "0 to 9e12"));
  command->add_flag("--json", arguments->json, "print one JSON document and nothing else");
  command->footer("Example: fenceline explain runs/game_and_compositor --deadline vsync --at 20833");
  command->callback([&code, arguments] { code = explain(*arguments); });
}

void add_compare(CLI::App& app, int& code) {
  const auto arguments = std::make_shared<CompareArguments>();
  auto* command = app.add_subcommand("compare", "say what changed from run A to run B: inputs and results");
  command->add_option("A", arguments->one, "directory of a run, or its report.json")->required();
  command->add_option("B", arguments->other, "directory of a run, or its report.json")->required();
  command->add_flag("--all", arguments->all, "every difference, not the 20 greatest of each kind");
  command->add_flag("--json", arguments->json, "print one JSON document and nothing else");
  command->footer("Example: fenceline compare runs/before runs/after");
  command->callback([&code, arguments] { code = compare(*arguments); });
}

}  // namespace

void add_history_verbs(CLI::App& app, int& code) {
  add_report(app, code);
  add_explain(app, code);
  add_compare(app, code);
}

}  // namespace fenceline::cli

// SPDX-License-Identifier: Apache-2.0
#include "api/cli/commands.hpp"
#include "api/cli/usage/number_arguments.hpp"
#include "api/documents/file_kind.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>
#include <vector>

namespace fenceline::cli {
namespace {

const std::vector<FileKind> runs = {FileKind::report, FileKind::run};

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
    code = with_files({{arguments->run, {FileKind::run}}}, [&] { return report(*arguments); });
  });
}

void add_explain(CLI::App& app, int& code) {
  const auto arguments = std::make_shared<ExplainArguments>();
  auto* command = app.add_subcommand(
      "explain",
      "say why a deadline of a run was missed, why a packet had not run: the chain of causes; or what a frame hung on");
  command->add_option("run", arguments->run, "directory of a run, or its report.json")->required();
  auto* deadline = command->add_option("--deadline", arguments->deadline, "name of a deadline");
  auto* queue = command->add_option("--queue", arguments->queue,
                                    "name of a queue: what stood first in it at --at, and why it was not done");
  auto* packet = command->add_option("--packet", arguments->packet, "number of a packet, as packets.csv has it")
                     ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 62));
  auto* frame = command
                    ->add_option("--frame", arguments->frame,
                                 "number of a frame, as frames.csv has it: its critical path, from the present of "
                                 "the frame before it to its own")
                    ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 62));
  command->add_option("--swap-chain", arguments->swap_chain, "of the frame (default: the only one)")->needs(frame);
  deadline->excludes(queue)->excludes(packet)->excludes(frame);
  queue->excludes(packet)->excludes(frame);
  packet->excludes(frame);
  auto* at = command->add_option("--at", arguments->at_us,
                                 "simulated time, us, or with its unit, such as 16.7ms: of a deadline the one that was "
                                 "due nearest to it (default: the latest of all), of a packet (default: half-way "
                                 "through its wait)");
  at->transform(CLI::Validator(
      [](std::string& text) {
        if (const auto ps = time_in(text)) text = fmt::format("{}", static_cast<double>(*ps) / 1e6);
        return refuse_time_us(text, 0);
      },
      "0 to 9e12"));
  queue->needs(at);
  frame->excludes(at);
  command->add_flag("--json", arguments->json, "print one JSON document and nothing else");
  command->footer(R"(
The run is played again to see what was in the way: a chain from the packet over the fences, queues, engines and CPU
threads that it waited for to what was the matter in the end. A frame's critical path says so of every moment of it.)");
  command->callback([&code, arguments] {
    const bool of_packet = !arguments->queue.empty() || arguments->packet != 0;
    if (arguments->deadline.empty() && !of_packet && arguments->frame == 0) {
      throw CLI::RequiredError("--deadline, --queue, --packet or --frame");
    }
    code = with_files({{arguments->run, runs}}, [&] { return explain(*arguments); });
  });
}

void add_compare(CLI::App& app, int& code) {
  const auto arguments = std::make_shared<CompareArguments>();
  auto* command = app.add_subcommand("compare", "say what changed from run A to run B: inputs and results");
  command->add_option("A", arguments->one, "directory of a run, or its report.json")->required();
  command->add_option("B", arguments->other, "directory of a run, or its report.json")->required();
  command->add_flag("--all", arguments->all,
                    "every difference, not the 20 greatest of each kind, of distributions p50 and p99");
  command->add_option(
      "--html", arguments->html,
      "write a page with both timelines on one axis to this file; a run without timeline.html is played "
      "again for it");
  command->add_flag("--json", arguments->json, "print one JSON document and nothing else");
  command->callback([&code, arguments] {
    code = with_files({{arguments->one, runs}, {arguments->other, runs}}, [&] { return compare(*arguments); });
  });
}

}  // namespace

void add_history_verbs(CLI::App& app, int& code) {
  add_report(app, code);
  add_explain(app, code);
  add_compare(app, code);
}

}  // namespace fenceline::cli

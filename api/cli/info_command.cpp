// SPDX-License-Identifier: Apache-2.0
#include "api/capture/file/capture_format.hpp"
#include "api/capture/file/workload_document.hpp"
#include "api/cli/commands.hpp"
#include "api/cli/workload_counts.hpp"
#include "api/workload/beats.hpp"
#include "api/workload/workload.hpp"
#include "sim/config/config.hpp"
#include "sim/config/json_file.hpp"
#include "sim/files/console.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fenceline::cli {
namespace {

using Json = nlohmann::ordered_json;

struct NamedCount {
  const char* name;
  std::uint64_t count;
};
std::vector<NamedCount> rows_of(const WorkloadCounts& counts) {
  return {{"queues", counts.queues},       {"cpus", counts.cpus},         {"resources", counts.resources},
          {"pipelines", counts.pipelines}, {"fences", counts.fences},     {"command_lists", counts.lists},
          {"commands", counts.commands},   {"steps", counts.steps},       {"submits", counts.submits},
          {"frames", counts.frames},       {"contents", counts.contents}, {"writes", counts.writes},
          {"markers", counts.markers}};
}

/// Name of the machine that it was taken on; empty: not said.
std::string machine_of(const CaptureFacts& capture) {
  const auto name = capture.machine.is_object() ? capture.machine.find("name") : capture.machine.end();
  if (!capture.machine.is_object() || name == capture.machine.end() || !name->is_string()) return "";
  return name->get<std::string>();
}

std::string version_of(const CaptureFacts& capture) { return fmt::format("{}.{}", capture_major, capture.minor); }

Json json_of(const CaptureFacts& capture) {
  Json json = {{"format", version_of(capture)}, {"whole", capture.cut_off.empty()}};
  if (!capture.cut_off.empty()) json["cut_off"] = capture.cut_off;
  json["machine"] = machine_of(capture);
  json["sections"] = Json::array();
  for (const SectionFacts& one : capture.sections) {
    json["sections"].push_back({{"type", one.type},
                                {"offset", one.offset},
                                {"compressed", one.is_compressed},
                                {"stored_bytes", one.stored_bytes},
                                {"full_bytes", one.full_bytes}});
  }
  json["blobs"] = Json::array();
  for (const BlobFacts& one : capture.blobs) json["blobs"].push_back({{"name", one.name}, {"bytes", one.bytes}});
  return json;
}

std::string text_of(const CaptureFacts& capture) {
  std::string text =
      fmt::format("format         {}, {}\n", version_of(capture), capture.cut_off.empty() ? "whole" : "cut off");
  const std::string machine = machine_of(capture);
  text += fmt::format("taken on       {}\n", machine.empty() ? "not said" : one_line(machine));
  for (const BlobFacts& one : capture.blobs)
    text += fmt::format("blob           {}: {} bytes\n", one_line(one.name), one.bytes);
  text += fmt::format("{:>9} {:>6} {:>12} {:>14} {:>14}\n", "section", "type", "at byte", "stored bytes", "full bytes");
  std::uint64_t stored = 0;
  std::uint64_t full = 0;
  for (std::size_t i = 0; i < capture.sections.size(); ++i) {
    const SectionFacts& one = capture.sections[i];
    text += fmt::format("{:>9} {:>6} {:>12} {:>14} {:>14}\n", i + 1, one.type, one.offset, one.stored_bytes,
                        one.full_bytes);
    stored += one.stored_bytes;
    full += one.full_bytes;
  }
  return text + fmt::format("{:>9} {:>6} {:>12} {:>14} {:>14}\n", "all", "", "", stored, full);
}

}  // namespace

int info(const InfoArguments& arguments) {
  const WorkloadDocument read = load_workload_document(arguments.workload);
  const std::string file = arguments.workload == "-" ? "standard input" : arguments.workload;
  auto workload = read_config<Workload>(read.workload, file);
  resolve_beats(workload, file);
  const auto counts = rows_of(counts_of(workload));
  if (arguments.json) {
    Json json = {{"file", file}, {"kind", read.capture ? "capture" : "json"}, {"workload", workload.name}};
    for (const NamedCount& one : counts) json[one.name] = one.count;
    if (read.capture) json["capture"] = json_of(*read.capture);
    console::print(dump_json(json));
  } else {
    std::string text = fmt::format("workload       {}\n", one_line(workload.name));
    for (const NamedCount& one : counts) text += fmt::format("{:<14} {}\n", one.name, one.count);
    if (read.capture) text += text_of(*read.capture);
    console::print(text);
  }
  if (read.capture && !read.capture->cut_off.empty()) console::tell("{}\n", read.capture->cut_off);
  return done;
}

}  // namespace fenceline::cli

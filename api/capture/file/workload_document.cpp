// SPDX-License-Identifier: Apache-2.0
#include "api/capture/file/workload_document.hpp"

#include "api/capture/file/read_capture.hpp"
#include "sim/config/json_file.hpp"
#include "sim/files/input_file.hpp"

#include <string>
#include <utility>

namespace fenceline {
namespace {

WorkloadDocument document_of(Capture&& capture) { return {std::move(capture.workload), std::move(capture.facts)}; }

WorkloadDocument document_of(nlohmann::json&& document, const std::string& file) {
  WorkloadDocument read{std::move(document), std::nullopt};
  if (is_report(read.workload)) read.recorded = take_recorded_run(read.workload, file);
  return read;
}

}  // namespace

WorkloadDocument load_workload_document(const std::filesystem::path& named) {
  const std::filesystem::path file = report_of(named);
  if (file == "-") {  // which can be read once
    std::string text = read_input(file);
    const std::string name = "standard input";
    if (text.compare(0, capture_magic.size(), capture_magic) == 0) {
      WorkloadDocument document = document_of(read_capture(text, name));
      document.bytes = std::move(text);
      return document;
    }
    return document_of(parse_json(text, name), name);
  }
  if (!is_capture(file)) return document_of(load_json(file), file.string());
  InputFile input(file, InputFile::trace_limit);
  const auto read = [&](char* to, std::size_t most) { return input.read(to, most); };
  return document_of(read_capture(read, input.name()));
}

}  // namespace fenceline

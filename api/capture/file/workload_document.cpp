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

}  // namespace

WorkloadDocument load_workload_document(const std::filesystem::path& file) {
  if (file == "-") {  // which can be read once
    std::string text = read_input(file);
    const std::string name = "standard input";
    if (text.compare(0, capture_magic.size(), capture_magic) == 0) {
      WorkloadDocument document = document_of(read_capture(text, name));
      document.bytes = std::move(text);
      return document;
    }
    return {parse_json(text, name), std::nullopt};
  }
  if (!is_capture(file)) return {load_json(file), std::nullopt};
  InputFile input(file, InputFile::trace_limit);
  const auto read = [&](char* to, std::size_t most) { return input.read(to, most); };
  return document_of(read_capture(read, input.name()));
}

}  // namespace fenceline

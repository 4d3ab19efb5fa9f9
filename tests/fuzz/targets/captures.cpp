// SPDX-License-Identifier: Apache-2.0
// Captures: read, or refused in one line. Where somebody made their checks right what is read is theirs, and no more
// goes wrong; what was read can be written, and read again.
#include "api/capture/file/read_capture.hpp"
#include "api/contents/program_contents.hpp"
#include "api/workload/load/blob_contents.hpp"
#include "api/workload/program.hpp"
#include "api/workload/workload.hpp"
#include "sim/config/config.hpp"
#include "tests/fuzz/targets/target.hpp"
#include "tests/support/capture_bytes.hpp"
#include "tests/support/mutator.hpp"
#include "tests/support/samples.hpp"

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace fenceline::testing {
namespace {

std::optional<Capture> read_or_refused(std::string_view bytes) {
  try {
    return read_capture(bytes, "x.capture");
  } catch (const ConfigError& error) {
    if (!has_the_form(error.what(), "x.capture")) throw std::logic_error(std::string("form: ") + error.what());
    return std::nullopt;
  }
}

void unsealed(std::string_view bytes) { read_or_refused(bytes); }

void sealed(std::string_view bytes) {
  const auto capture = read_or_refused(resealed_capture(bytes));
  if (!capture) return;
  const auto again = read_or_refused(packed_capture(capture->workload, capture->facts.machine));
  if (!again || again->workload != capture->workload) throw std::logic_error("another workload");
  try {
    read_config<Workload>(capture->workload, "x.capture");
  } catch (const ConfigError&) {
    return;
  }
}

/// What it contains is read, or refused, before there is memory for it.
void contents(std::string_view bytes) {
  const std::string capture = resealed_capture(bytes);
  const auto read = read_or_refused(capture);
  if (!read) return;
  try {
    auto workload = read_config<Workload>(read->workload, "x.capture");
    load_contents(workload, {"x.capture", true, capture});
    const Program program = make_program(workload, "x.capture");
    if (!program.contents) return;
    for (const ContentResource& one : program.contents->resources) {
      for (const InitialBytes& part : one.initial) {
        const bool fits = part.source == nullptr || part.source->repeats() || part.source->bytes().size() == part.count;
        const bool within = part.offset <= one.bytes && part.count <= one.bytes - part.offset;
        if (!fits || !within) throw std::logic_error("a content of another size than its resource");
      }
    }
  } catch (const ConfigError&) {
    return;
  }
}

std::vector<std::string> contents_seeds() {
  nlohmann::json document = small_workload();
  const auto buffer = [](const std::string& name, const std::string& heap, const nlohmann::json& content) {
    return nlohmann::json{{"type", "buffer"}, {"name", name}, {"heap", heap}, {"bytes", 4}, {"content", content}};
  };
  document["resources"].push_back(buffer("fuzzed", "upload", {{"blob", "a.bin"}}));
  document["resources"].push_back(buffer("other", "default", {{"base64", "AAECAw=="}}));
  document["resources"].push_back(
      {{"type", "memory"},
       {"name", "memory"},
       {"bytes", 64},
       {"pieces", nlohmann::json::array({{{"offset", 4}, {"content", {{"blob", "a.bin"}}}}})}});
  const nlohmann::json write = {
      {"type", "write"}, {"destination", "memory"},   {"destination_offset", 9}, {"row_bytes", 1},
      {"rows", 3},       {"content", {{"blob", "b"}}}};
  document["command_lists"][0]["commands"].push_back({{"type", "copy_buffer"},
                                                      {"route", "device_to_device"},
                                                      {"bytes", 3},
                                                      {"effects", nlohmann::json::array({write})}});
  document["cpus"].push_back(
      {{"name", "writer"},
       {"timeline", {{{"type", "write"}, {"resource", "fuzzed"}, {"offset", 1}, {"content", {{"blob", "b"}}}}}}});
  const std::string whole =
      packed_capture(document, nullptr, {{"a.bin", std::string_view("\1\2\3\4", 4)}, {"b", "xyz"}});
  if (!read_or_refused(whole)) throw std::logic_error("a seed that is refused");
  return {whole, packed_capture(document, nullptr, {{"a.bin", "longer than it may be"}})};
}

std::vector<std::string> capture_seeds() {
  const std::string plain = capture_of(
      {section_of("WORK",
                  cbor_text({{"workload", {{"queues", {{{"timeline", {1, -1, 1.5}}}}}, {"command_lists", {1}}}}})),
       section_of("LIST", cbor_text({{{"name", "l"}, {"commands", {nullptr}}}, {true}})),
       section_of("STEP", cbor_text({{{"queue", 0}, {"steps", {"a"}}}})),
       section_of("BLOB", std::string("\1\0bytes", 7)), section_of("NEW1", "x", SectionHeader::skippable_flag),
       section_of("DONE", cbor_text({{"WORK", 1}, {"LIST", 1}, {"STEP", 1}, {"BLOB", 1}, {"NEW1", 1}}))});
  if (!read_or_refused(plain)) throw std::logic_error("a seed that is refused");
  return {plain, packed_capture(small_workload(), {{"name", "m"}})};
}

}  // namespace

std::vector<FuzzTarget> capture_targets() {
  return {{"capture", unsealed, capture_seeds},
          {"capture_forged", sealed, capture_seeds},
          {"capture_contents", contents, contents_seeds}};
}

}  // namespace fenceline::testing

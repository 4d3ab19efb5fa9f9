// SPDX-License-Identifier: Apache-2.0
// Captures: read, or refused in one line. Where somebody made their checks right what is read is theirs, and no more
// goes wrong; what was read can be written, and read again.
#include "api/capture/file/read_capture.hpp"
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
  return {{"capture", unsealed, capture_seeds}, {"capture_forged", sealed, capture_seeds}};
}

}  // namespace fenceline::testing

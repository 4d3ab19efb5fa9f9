// SPDX-License-Identifier: Apache-2.0
#include "api/report/frames.hpp"

#include "api/report/csv_row.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace fenceline {
namespace {

constexpr std::string_view frames_header =
    "swap_chain,output,frame,interval,fate,input_us,presented_us,ready_us,on_screen_us,left_us,"
    "input_to_screen_us,present_to_screen_us,shown_us,tear_line,lines\n";

}  // namespace

FramesSink::FramesSink(OutputFile& file) : file_(file) { file_.append(frames_header); }

void FramesSink::frame(const EventLog& log, const FrameRecord& frame) {
  const bool shown = frame.fate != FrameRecord::Fate::discarded;
  const auto if_shown = [&](std::uint64_t ps) { return shown ? std::optional(ps) : std::nullopt; };
  CsvRow row(file_.buffer());
  row.text(log.text(frame.swap_chain)).text(log.text(frame.output)).integer(frame.frame).integer(frame.interval);
  row.text(name_of(frame.fate)).time(frame.input_ps).time(frame.presented_ps).time(frame.ready_ps);
  row.time(if_shown(frame.on_screen_ps)).time(frame.left_ps);
  row.time(frame.input_ps ? if_shown(frame.on_screen_ps - *frame.input_ps) : std::nullopt);
  row.time(if_shown(frame.on_screen_ps - frame.presented_ps)).time(if_shown(frame.left_ps - frame.on_screen_ps));
  frame.tear_line ? row.integer(*frame.tear_line) : row.nothing();
  shown ? row.integer(frame.lines) : row.nothing();
  row.end();
  file_.end_record();
}

}  // namespace fenceline

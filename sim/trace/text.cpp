// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/text.hpp"

#include "sim/trace/packets.hpp"
#include "sim/trace/time_text.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <iterator>

namespace fenceline {
namespace {

constexpr std::size_t time_width = 13;  // lines stay aligned for runs of up to 1 s

}  // namespace

void TextSink::instant(const EventLog& log, const Instant& instant) {
  start_line(Severity::info, instant.at_ps, log.text(instant.track));
  append_line_text(log.text(instant.name));
  if (instant.value != 0) fmt::format_to(std::back_inserter(file_.buffer()), " {}", instant.value);
  end_line();
}

void TextSink::packet(const EventLog& log, const PacketRecord& packet) {
  const auto reasons = reasons_of(log, packet);
  const bool completed = packet.status == PacketStatus::completed;
  fmt::memory_buffer& line = file_.buffer();
  const auto out = std::back_inserter(line);
  start_line(completed ? Severity::info : Severity::warning, packet.completed_ps, log.text(packet.context));
  fmt::format_to(out, "packet {} {} \"", packet.id, name_of(packet.type));
  append_line_text(log.text(packet.label));
  line.push_back('"');
  if (packet.type != PacketType::render) fmt::format_to(out, " {}", packet.fence_value);
  if (packet.node != LogName{}) {
    line.append(std::string_view(" on "));
    append_line_text(log.text(packet.node));
  }
  fmt::format_to(out, " {} after {} us", completed ? "done" : name_of(packet.status),
                 TimeText(packet.completed_ps - packet.submitted_ps).view());
  const char* separator = ": ";
  for (const PacketReason& reason : reasons) {
    if (reason.start_ps == reason.end_ps) continue;
    fmt::format_to(out, "{}{} {}", separator, reason.name, TimeText(reason.end_ps - reason.start_ps).view());
    separator = ", ";
  }
  if (packet.preemptions != 0) fmt::format_to(out, "{}preempted {} times", separator, packet.preemptions);
  end_line();
}

void TextSink::message(const EventLog& log, const Message& message) {
  start_line(message.severity, message.at_ps, log.text(message.track));
  append_line_text(message.text);
  end_line();
}

void TextSink::finish(const EventLog&, std::uint64_t end_ps) {
  start_line(Severity::info, end_ps, "run");
  file_.buffer().append(std::string_view("end"));
  end_line();
}

void TextSink::start_line(Severity severity, std::uint64_t at_ps, std::string_view track) {
  fmt::memory_buffer& line = file_.buffer();
  const TimeText time(at_ps);
  line.push_back('[');
  line.push_back(severity == Severity::warning ? 'W' : ' ');
  line.push_back(' ');
  for (std::size_t width = time.view().size(); width < time_width; ++width) line.push_back(' ');
  line.append(time.view());
  line.append(std::string_view(" us] "));
  append_line_text(track);
  line.append(std::string_view(": "));
}

/// One event is one line, so control characters are shown escaped.
void TextSink::append_line_text(std::string_view text) {
  fmt::memory_buffer& line = file_.buffer();
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7F) {
      line.push_back(c);
    } else if (c == '\n') {
      line.append(std::string_view("\\n"));
    } else {
      fmt::format_to(std::back_inserter(line), "\\x{:02x}", byte);
    }
  }
}

void TextSink::end_line() {
  file_.buffer().push_back('\n');
  file_.end_record();
}

}  // namespace fenceline

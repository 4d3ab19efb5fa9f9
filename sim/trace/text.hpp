// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/log.hpp"
#include "sim/trace/output_file.hpp"

#include <cstdint>
#include <string_view>

namespace fenceline {

/// Writes log.txt for a person: one line per message, instant and completed packet,
/// `[      12.345678 us] adapter.copy0: ...`. A warning has a W after the bracket.
class TextSink final : public LogSink {
 public:
  explicit TextSink(OutputFile& file) : file_(file) {}
  void instant(const EventLog& log, const Instant& instant) override;
  void packet(const EventLog& log, const PacketRecord& packet) override;
  void message(const EventLog& log, const Message& message) override;
  void finish(const EventLog& log, std::uint64_t end_ps) override;

 private:
  void start_line(Severity severity, std::uint64_t at_ps, std::string_view track);
  void append_line_text(std::string_view text);
  void end_line();

  OutputFile& file_;
};

}  // namespace fenceline

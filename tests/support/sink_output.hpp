// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/files/output_file.hpp"
#include "sim/log.hpp"
#include "tests/support/temporary_directory.hpp"

#include <cstdint>
#include <string>

namespace fenceline::testing {

/// What a sink makes of all that `write` writes to the log.
template <class Sink, class Write>
std::string output_of(EventLog& log, Write write, EventLog::Detail detail = EventLog::Detail::commands) {
  const TemporaryDirectory directory;
  OutputFile file(directory / "out");
  Sink sink(file);
  log.attach(sink, detail);
  write();
  log.detach(sink);
  file.close();
  return contents_of(directory / "out");
}

/// The same of a sink that hears of everything and makes its output when the run is over.
template <class Sink, class Write>
std::string finished_output_of(EventLog& log, std::uint64_t end_ps, Write write) {
  return output_of<Sink>(
      log,
      [&] {
        write();
        log.finish(end_ps);
      },
      EventLog::Detail::waves);
}

}  // namespace fenceline::testing

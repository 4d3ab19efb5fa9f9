// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/files/output_file.hpp"
#include "sim/log.hpp"
#include "tests/support/temporary_directory.hpp"

#include <string>

namespace fenceline::testing {

/// What a sink makes of all that `write` writes to the log.
template <class Sink, class Write>
std::string output_of(EventLog& log, Write write) {
  const TemporaryDirectory directory;
  OutputFile file(directory / "out");
  Sink sink(file);
  log.attach(sink);
  write();
  log.detach(sink);
  file.close();
  return contents_of(directory / "out");
}

}  // namespace fenceline::testing

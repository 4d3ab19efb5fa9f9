// SPDX-License-Identifier: Apache-2.0
#include "api/import/kineto_trace.hpp"

#include <fmt/format.h>

namespace fenceline {

ConfigError KinetoTrace::error(const KinetoOp& op, const std::string& member, const std::string& expected,
                               const std::string& found) const {
  const std::string& prefix = tables.empty() ? pointer_prefix : tables[op.table];
  return {file, fmt::format("{}/{}{}", prefix, op.event, member), expected, found};
}

}  // namespace fenceline

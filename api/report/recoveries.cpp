// SPDX-License-Identifier: Apache-2.0
#include "api/report/recoveries.hpp"

#include "api/report/csv_row.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace fenceline {
namespace {

constexpr std::string_view recoveries_header =
    "at_us,step,node,hardware_queue,process,queue,packet,fence_id,last_submitted,last_completed,reason\n";

}  // namespace

RecoveriesSink::RecoveriesSink(OutputFile& file) : file_(file) { file_.append(recoveries_header); }

void RecoveriesSink::recovery(const EventLog& log, const RecoveryRecord& record) {
  if (!is_row(record.step)) return;
  CsvRow row(file_.buffer());
  const auto number = [&](const std::optional<std::uint64_t>& value) { value ? row.integer(*value) : row.nothing(); };
  const auto known = [&](std::uint64_t value) { value > 0 ? row.integer(value) : row.nothing(); };
  row.time(record.at_ps).text(name_of(record.step)).text(log.text(record.node));
  number(record.hardware_queue);
  row.text(log.text(record.process)).text(log.text(record.queue));
  known(record.packet);
  known(record.fence_id);
  number(record.last_submitted);
  number(record.last_completed);
  row.text(log.text(record.reason));
  row.end();
  file_.end_record();
}

}  // namespace fenceline

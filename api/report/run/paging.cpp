// SPDX-License-Identifier: Apache-2.0
#include "api/report/run/paging.hpp"

#include "api/report/csv_row.hpp"

#include <string_view>

namespace fenceline {
namespace {

constexpr std::string_view paging_header = "start_us,end_us,operation,resource,bytes,packet,process\n";

}  // namespace

PagingSink::PagingSink(OutputFile& file) : file_(file) { file_.append(paging_header); }

void PagingSink::paging(const EventLog& log, const PagingRecord& record) {
  CsvRow row(file_.buffer());
  row.time(record.start_ps).time(record.end_ps).text(name_of(record.operation)).text(log.text(record.resource));
  row.integer(record.bytes).integer(record.packet).text(log.text(record.process));
  row.end();
  file_.end_record();
}

}  // namespace fenceline

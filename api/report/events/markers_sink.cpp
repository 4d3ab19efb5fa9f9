// SPDX-License-Identifier: Apache-2.0
#include "api/report/events/markers_sink.hpp"

#include "api/report/csv_row.hpp"

#include <fmt/format.h>

namespace fenceline {

MarkersSink::MarkersSink(OutputFile& file)
    : file_(file), regions_([this](const EventLog& log, const MarkerRow& row) { write(log, row); }) {
  file_.append("marker,of,context,packet,list,path,name,color,count,start_us,end_us,duration_us\n");
}

void MarkersSink::write(const EventLog& log, const MarkerRow& row) {
  CsvRow cells(file_.buffer());
  cells.text(row.region ? "region" : "marker").text(row.packet == 0 ? "queue" : "list").text(log.text(row.context));
  if (row.packet == 0) {
    cells.nothing().nothing();
  } else {
    cells.integer(row.packet).text(log.text(row.list));
  }
  cells.text(row.path).text(log.text(row.name));
  if (row.color == 0) {
    cells.nothing();
  } else {
    cells.text(fmt::format("0x{:08x}", row.color));
  }
  if (row.region) {
    cells.integer(row.count);
  } else {
    cells.nothing();
  }
  cells.time(row.start_ps).time(row.end_ps).time(row.end_ps - row.start_ps).end();
  file_.end_record();
}

}  // namespace fenceline

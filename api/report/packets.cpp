// SPDX-License-Identifier: Apache-2.0
#include "api/report/packets.hpp"

#include "api/report/csv_row.hpp"
#include "sim/assert.hpp"
#include "sim/text/time_text.hpp"

#include <fmt/format.h>

#include <string_view>

namespace fenceline {
namespace {

constexpr std::string_view packets_header =
    "id,context,type,label,node,submission_fence_id,fence_value,preemptions,"
    "submitted_us,head_us,ready_us,hardware_us,started_us,finished_us,completed_us,"
    "queued_us,fence_us,node_us,running_us,preempted_us,completing_us,status,pieces,markers\n";

}  // namespace

std::array<PacketReason, 6> reasons_of(const EventLog& log, const PacketRecord& packet) {
  struct Stamp {
    const char* name;
    std::uint64_t at_ps;
  };
  const Stamp stamps[] = {{"submitted", packet.submitted_ps}, {"head", packet.head_ps},
                          {"ready", packet.ready_ps},         {"hardware", packet.hardware_ps},
                          {"started", packet.started_ps},     {"finished", packet.finished_ps},
                          {"completed", packet.completed_ps}};
  for (std::size_t i = 1; i < std::size(stamps); ++i) {
    FENCELINE_ASSERT(stamps[i - 1].at_ps <= stamps[i].at_ps,
                     fmt::format("{}: packet {} has {} at {} us, before {} at {} us", log.text(packet.context),
                                 packet.id, stamps[i].name, TimeText(stamps[i].at_ps).view(), stamps[i - 1].name,
                                 TimeText(stamps[i - 1].at_ps).view()));
  }
  FENCELINE_ASSERT(packet.preempted_ps <= packet.finished_ps - packet.started_ps,
                   fmt::format("{}: packet {} was preempted for {} us, longer than from start to finish",
                               log.text(packet.context), packet.id, TimeText(packet.preempted_ps).view()));
  const std::uint64_t ran_ps = packet.finished_ps - packet.preempted_ps;
  return {{{"queued", packet.submitted_ps, packet.head_ps},
           {"fence", packet.head_ps, packet.ready_ps},
           {"node", packet.ready_ps, packet.started_ps},
           {"running", packet.started_ps, ran_ps},
           {"preempted", ran_ps, packet.finished_ps},
           {"completing", packet.finished_ps, packet.completed_ps}}};
}

PacketsSink::PacketsSink(OutputFile& file) : file_(file) { file_.append(packets_header); }

void PacketsSink::packet(const EventLog& log, const PacketRecord& packet) {
  const auto reasons = reasons_of(log, packet);
  CsvRow row(file_.buffer());
  row.integer(packet.id).text(log.text(packet.context)).text(name_of(packet.type)).text(log.text(packet.label));
  row.text(log.text(packet.node)).integer(packet.submission_fence_id).integer(packet.fence_value);
  row.integer(packet.preemptions);
  for (const std::uint64_t stamp : {packet.submitted_ps, packet.head_ps, packet.ready_ps, packet.hardware_ps,
                                    packet.started_ps, packet.finished_ps, packet.completed_ps}) {
    row.time(stamp);
  }
  for (const PacketReason& reason : reasons) row.time(reason.end_ps - reason.start_ps);
  row.text(name_of(packet.status)).integer(packet.pieces).text(paths_.of(packet.id)).end();
  paths_.forget(packet.id);
  file_.end_record();
}

}  // namespace fenceline

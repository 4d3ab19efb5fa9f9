// SPDX-License-Identifier: Apache-2.0
#include "api/import/kineto_play.hpp"

#include "api/machine.hpp"
#include "api/workload/play/player.hpp"
#include "api/workload/program.hpp"
#include "sim/log.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace fenceline {
namespace {

constexpr double least_played = 0.5;  // of what was guessed

/// What the commands of each queue's lists take, in the order in which the queue runs them.
class Durations final : public LogSink {
 public:
  /// Of one list, by command.
  using List = std::map<std::size_t, std::uint64_t>;

  explicit Durations(std::map<LogName, std::size_t> queues) : lists(queues.size()), queues_(std::move(queues)) {}
  void span(const EventLog&, const Span& span) override {
    if (span.kind == SpanKind::command) running_[span.id][span.command] += span.end_ps - span.start_ps;
  }
  void packet(const EventLog&, const PacketRecord& packet) override {
    if (packet.type != PacketType::render || packet.status != PacketStatus::completed) return;
    lists[queues_.at(packet.context)].push_back(std::move(running_[packet.id]));
    running_.erase(packet.id);
  }

  std::vector<std::vector<List>> lists;  // by queue

 private:
  std::map<LogName, std::size_t> queues_;
  std::map<std::uint64_t, List> running_;  // by packet
};

}  // namespace

std::optional<KinetoShares> played_shares(const Workload& workload, const MachineConfig& config,
                                          const KinetoTrace& trace, const KinetoSchedule& schedule,
                                          const KinetoWork& work, const KinetoShares& guessed) {
  const Program program = make_program(workload, trace.file);
  Machine machine(config);
  std::map<LogName, std::size_t> queues;
  for (std::size_t i = 0; i < workload.queues.size(); ++i) {
    queues[machine.log().name("adapter.scheduler." + workload.queues[i].name)] = i;
  }
  Durations durations(std::move(queues));
  machine.log().attach(durations, EventLog::Detail::commands);
  Player player(machine, program);
  const bool ended = player.play();
  machine.log().detach(durations);
  if (!ended) return std::nullopt;

  KinetoShares shares(trace.ops.size(), 1.0);
  std::vector<std::size_t> next(schedule.streams.size());
  for (std::uint32_t list = 0; list < schedule.lists.size(); ++list) {
    const std::uint32_t stream = schedule.lists[list].stream;
    if (next[stream] >= durations.lists[stream].size()) return std::nullopt;
    const Durations::List& took = durations.lists[stream][next[stream]++];
    const std::vector<std::uint32_t>& ops = schedule.lists[list].ops;
    for (std::size_t i = 0; i < ops.size(); ++i) {
      const std::uint64_t alone_ps = work.alone_ps(list, i);
      const auto played = took.find(KinetoWork::command_of(i));
      if (alone_ps == 0 || played == took.end() || played->second == 0) continue;
      const double share = static_cast<double>(alone_ps) / static_cast<double>(played->second);
      shares[ops[i]] = std::clamp(share, guessed[ops[i]] * least_played, guessed[ops[i]]);
    }
  }
  return shares;
}

}  // namespace fenceline

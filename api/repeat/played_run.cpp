// SPDX-License-Identifier: Apache-2.0
#include "api/repeat/played_run.hpp"

#include "api/machine.hpp"
#include "api/report/preemption_sink.hpp"
#include "api/workload/play/player.hpp"
#include "scheduler/fences/fence_unit.hpp"
#include "sim/log.hpp"

#include <map>
#include <utility>

namespace fenceline {
namespace {

class Packets final : public LogSink {
 public:
  Packets(PlayedRun& run, std::map<LogName, std::uint32_t> queues) : run_(run), queues_(std::move(queues)) {}
  void packet(const EventLog& log, const PacketRecord& packet) override {
    const auto queue = queues_.find(packet.context);
    if (packet.type != PacketType::render || queue == queues_.end()) return;
    run_.packets.push_back({queue->second, packet.submitted_ps, packet.started_ps, packet.finished_ps,
                            std::string(log.text(packet.label))});
  }

 private:
  PlayedRun& run_;
  std::map<LogName, std::uint32_t> queues_;
};

/// Sinks of a machine's log, for as long as this lives.
class Listening {
 public:
  Listening(EventLog& log, std::vector<LogSink*> sinks) : log_(log), sinks_(std::move(sinks)) {
    for (LogSink* sink : sinks_) log_.attach(*sink, EventLog::Detail::packets);
  }
  ~Listening() {
    for (LogSink* sink : sinks_) log_.detach(*sink);
  }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;

 private:
  EventLog& log_;
  std::vector<LogSink*> sinks_;
};

}  // namespace

MachineConfig with_jitter(MachineConfig machine, std::uint64_t seed) {
  machine.scheduler.jitter = true;
  machine.scheduler.seed = seed;
  return machine;
}

PlayedRun play_once(const LoadedWorkload& loaded, std::uint64_t seed, std::uint64_t limit_ps) {
  PlayedRun run;
  Machine machine(with_jitter(loaded.machine, seed));
  std::map<LogName, std::uint32_t> queues;
  for (std::uint32_t i = 0; i < loaded.program.queues.size(); ++i) {
    queues[machine.log().name("adapter.scheduler." + loaded.program.queues[i].name)] = i;
  }
  Packets packets(run, std::move(queues));
  PreemptionSink preemption;
  const Listening listening(machine.log(), {&packets, &preemption});
  Player player(machine, loaded.program);
  std::vector<LogName> fences;
  for (std::size_t i = 0; i < loaded.program.fences.size(); ++i) {
    fences.push_back(machine.fences().log_name_of(player.fence(i)));
  }
  DeadlineWatch deadlines(loaded.program, std::move(fences), machine.now_ps());
  const Listening watched(machine.log(), {&deadlines});
  run.completed = player.play(limit_ps) && !machine.bugchecked();
  run.makespan_ps = machine.now_ps();
  run.preemption_ps = preemption.latencies();
  if (player.limited()) deadlines.end_at(run.makespan_ps);
  run.deadlines = deadlines.results();
  return run;
}

}  // namespace fenceline

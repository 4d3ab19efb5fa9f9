// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"
#include "api/d3d12/hazards/access_history.hpp"
#include "api/d3d12/hazards/access_times.hpp"
#include "api/d3d12/hazards/queue_order.hpp"
#include "api/machine.hpp"
#include "sim/log.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace fenceline::d3d12 {

/// A rule that is broken, for the debug layer to tell.
struct Hazard {
  D3D12_MESSAGE_ID id;
  std::string kind;  ///< "unsynchronised writes"
  std::string text;
  std::uint64_t packet;  ///< of the machine, during which it was found
};

/// Finds accesses of common bytes by several queues of a device, one of them a write, that no fence and nothing that
/// the CPU has seen brings in order (QueueOrder), and resources that go while the GPU uses them. What queues and fences
/// do it learns from the machine's log, so that whoever submits to the machine counts; what lists access from those who
/// record and execute them. All with the host's lock, but for constructor and destructor, which take it.
///
/// Of several adapters each has its own, which does not see what the others do with bytes that are shared. What goes by
/// way of another adapter counts as ordered wherever it may be: a signal by another one knows all that has been
/// executed here, and whoever sees something there knows all that has been signalled by shared fences here.
class Hazards final : public LogSink {
 public:
  using Tell = std::function<void(const Hazard& hazard)>;

  /// The machine outlives it.
  Hazards(Machine& machine, Tell tell);
  ~Hazards() override;
  Hazards(const Hazards&) = delete;
  Hazards& operator=(const Hazards&) = delete;

  std::uint64_t now_ps() const { return machine_.now_ps(); }

  /// The queue that packet of the machine went to, the last one so far, has been given a list.
  void submitted(std::uint64_t packet, const std::string& queue_name, std::shared_ptr<const AccessTimes> list);
  /// Every command of the list is complete.
  void executed(const AccessTimes& list);

  /// A thread of the program has seen the fence's present value, or will see that it has reached one.
  void cpu_sees_value(FenceId fence);
  void cpu_sees_reached(FenceId fence, std::uint64_t value);

  /// The program takes away `what` by `method`: wrong, and `id` says how, while a list that uses it is not done.
  void ends(const std::function<bool(const Accesses&)>& uses, const std::string& what, const char* method,
            D3D12_MESSAGE_ID id);

  // What the machine says.
  void queued(const EventLog& log, const QueuedRecord& record) override;
  void packet(const EventLog& log, const PacketRecord& record) override;
  void counter(const EventLog& log, const Counter& counter) override;

 private:
  /// A list that has been submitted and not executed.
  struct Running {
    std::shared_ptr<const AccessTimes> accesses;
    std::shared_ptr<const ExecutedList> by;
    std::uint32_t queue;
    std::uint64_t packet;
  };
  /// Of one resource two queues are told of once per execution of the one that came first.
  struct Told {
    AccessedResourcePtr resource;
    std::uint32_t queue;
    std::uint64_t execution;
    std::uint32_t other;
  };
  std::uint32_t queue_of(LogName path);
  std::uint32_t fence_of(LogName path);
  void find_fences();
  void others_learn() const;
  void collide(const PastAccess& earlier, const PastAccess& later, std::uint64_t packet);
  void forget();

  Machine& machine_;
  Tell tell_;
  QueueOrder order_;
  AccessHistory history_;
  std::map<LogName, std::uint32_t> queues_;  // by path, numbered as they come
  std::map<LogName, std::uint32_t> fences_;
  std::size_t known_fences_ = 0;
  bool queue_signals_ = false;    // the next move of a fence is a queue's signal
  std::uint32_t last_queue_ = 0;  // that was given a packet to execute
  std::vector<Running> running_;  // by packet
  std::vector<Told> told_;
  std::size_t forget_at_;  // accesses in the history
};

}  // namespace fenceline::d3d12

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/checker/node_limits.hpp"
#include "scheduler/checker/violations.hpp"
#include "scheduler/policies/policy.hpp"
#include "sim/log.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

struct SchedulerConfig;

/// What the rules of docs/scheduling.md need to know of a machine's scheduler.
struct SchedulingRules {
  const PolicyTraits* policy = &wddm_policy;
  std::array<std::uint64_t, priority_bands> process_quantum_ps{};
  std::array<std::uint64_t, priority_bands> process_grace_ps{};
  double floor = 0;      ///< share of the normal band, 0 to 1
  bool preempts = true;  ///< running packets may be stopped, queued ones withheld
};
SchedulingRules rules_of(const SchedulerConfig& config);

/// Holds a run against the rules of docs/scheduling.md about who runs, and who gives way to whom when.
///
/// A judge of its own: it knows the log and the rules, not the scheduler. That a packet runs the log says when a piece
/// of it ends, so most rules are held against the piece that has just ended, and against everything that waited
/// meanwhile. Where the rules or the log leave something open (a turn whose owner had nothing to do for a moment, a
/// wait whose fence is not there) it takes what is in the scheduler's favour.
///
/// Order (rules 5, Policies). What is handed over leaves nothing of higher rank behind that could have been handed
/// over instead; among processes that have not had a turn the first to come goes first. What begins to run has not been
/// queued in front of something higher that has been known for longer.
///
/// Who is stopped (11, 12, 13). A request names a packet on the node and one that waits for it, of higher rank, or of
/// equal rank where the turn is over; what runs is left to finish where only what is queued behind it is in the way.
/// Nothing is stopped for a packet that an empty hardware queue could take, and nothing where something lower could
/// be.
///
/// Grace and quantum (6 to 10). Nothing is asked to stop before the grace or the turn is over, and what runs beyond is
/// asked by then.
///
/// The floor (16). Of the time in which both bands want the engine each has its part, in windows of 10 ms.
///
/// Progress (14, 19). What was restored does some work before it is stopped again; attempts and submissions come to
/// an end where nothing else happens.
///
/// What the scheduler knows (17). A place in a hardware queue is free when the scheduler has learned of it.
class RuleChecker {
 public:
  RuleChecker(const SchedulingRules& rules, const std::vector<NodeLimits>& nodes, EventLog& log,
              Violations& violations);

  void context(const ContextRecord& record);
  void queued(const QueuedRecord& record);
  void ready(const ReadyRecord& record);
  void attempt(const AttemptRecord& record);
  void submission(const SubmissionRecord& record);
  void span(const Span& span);
  void interrupt(const InterruptRecord& record);
  void request(const PreemptionRequest& request);
  void preemption(const PreemptionRecord& record);
  void packet(const PacketRecord& record);
  void instant(const Instant& instant);

 private:
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  enum class Place : std::uint8_t { software, hardware, done };
  struct Packet {
    PacketType type = PacketType::render;
    Place place = Place::software;
    std::uint32_t context = 0;
    std::uint32_t queue = 0;
    std::uint64_t ready_first_ps = never;
    std::uint64_t ready_ps = never;     // since it wants the node without a break
    std::uint64_t submitted_ps = 0;     // the last time
    std::uint64_t queued_at = 0;        // number of the event
    bool returned = false;              // it came back, and goes there again
    bool restored = false;              // in this submission
    bool ran = false;                   // in this submission
    std::uint32_t idle_rounds = 0;      // submissions in a row that came back after a restore and no work
    std::uint32_t timeless_rounds = 0;  // submissions in a row that came back after work that took no time
  };
  struct Context {
    LogName path{};
    LogName process{};
    std::uint32_t node = 0;
    std::uint8_t band = 0;
    std::uint32_t level = 0;
    int in_process = 0;
    std::uint64_t quantum_ps = 0;
    std::uint64_t grace_ps = 0;
    std::uint64_t grace_same_priority_ps = 0;
    std::uint64_t changed_ps = 0;
    bool suspended = false;
    std::uint64_t ready_packet = 0;     // of its software queue; 0: none
    std::deque<std::uint64_t> on_node;  // packets there, as far as the scheduler knows
    std::uint32_t returned = 0;         // packets that came back and are not ready yet
    std::uint64_t waited_ps = never;    // when a wait of it passed last
  };
  /// Engine time of a turn: at least and at most, where rules and log leave it open.
  struct Used {
    bool has = false;
    std::uint64_t least_ps = 0;
    std::uint64_t most_ps = 0;
  };
  /// Who takes turns with his like: a process in a band and level, or a context in its process.
  struct Party {
    LogName owner{};    // process or context
    LogName process{};  // of which; of a process: itself
    bool is_process = false;
    std::uint8_t band = 0;
    std::uint32_t level = 0;
    int in_process = 0;        // of a context
    std::vector<Used> used{};  // by hardware queue
    // Of a process: when it came, as early and as late as it may have been.
    bool wants = false;
    bool away = false;    // it wants the node with another rank, and has done so ever since it did with this one
    bool served = false;  // something of it has been on the node since it came
    std::uint64_t came_early_ps = 0;
    std::uint64_t came_late_ps = 0;
    std::uint64_t idle_ps = never;  // since when it wants nothing
    std::uint64_t idle_at = 0;      // number of that event
    std::uint64_t last_ps = 0;      // its last piece ended
  };
  struct Request {
    PreemptionRequest record;
    std::uint64_t stops_ps;  // since when it is for what runs, too; `never`: only for what is behind it
  };
  struct Piece {
    std::uint32_t context = 0;
    std::uint64_t ran_ps = 0;
    std::uint64_t known_ps = never;  // until its interrupt comes
  };
  struct Queue {
    std::deque<std::uint64_t> packets;  // ids; the first may run
    std::deque<Piece> pieces;           // whose end the scheduler has not learned
    std::deque<std::uint64_t> news;     // when the scheduler learns of each that has ended lately
    std::uint64_t free_ps = 0;          // the last piece ended: what follows has had the engine since
    std::uint64_t known_ps = 0;         // the scheduler knows of all interrupts
    std::uint64_t known_before_ps = 0;  // the scheduler knows of all interrupts but the last one
    std::optional<Request> request;
    std::vector<PreemptionRequest> turns_over;  // requests because of a turn: judged when the piece is known
  };
  /// One way to count what the bands have of the time.
  struct Share {
    double owed_ps = 0;         // to the normal band
    double focus_too_much = 0;  // that it ran beyond its part, in picoseconds
    double normal_too_much = 0;
  };
  struct Floor {
    std::uint64_t both_since_ps = never;             // both bands want the node
    std::vector<std::array<std::uint64_t, 2>> both;  // earlier such times, from and to, since the last piece's end
    std::uint64_t last_ps = 0;                       // end of the last piece
    std::array<Share, 3> shares{};
    std::uint32_t late_starts = 0;  // focus pieces in a row that began while the normal band was due
    bool told = false;
  };
  struct Node {
    LogName path{};
    std::uint32_t depth = 1;
    bool stops_inside = false;  // whatever it runs
    bool withholds = false;
    std::vector<Queue> queues;
    std::vector<std::uint32_t> contexts;
    std::vector<Party> parties;
    Floor floor;
    std::uint64_t requested_ps = 0;  // the last request because of a rank
    std::uint64_t rounds = 0;        // attempts, requests and submissions since something last happened
    bool told = false;
  };
  enum class Standing : std::uint8_t { above, below, equal, open };

  // The model: rule_checker.cpp.
  void tick(std::uint64_t at_ps);
  Packet* packet_of(std::uint64_t id);
  Node* node_of(LogName name);
  Node& node_of(const Packet& packet) { return nodes_[contexts_[packet.context].node]; }
  Queue* queue_of(LogName node, std::uint32_t queue);
  Context* context_of(LogName name);
  std::string label(std::uint64_t id) const;
  std::string text(LogName name) const { return std::string(log_.text(name)); }
  Standing standing(const Context& a, const Context& b) const;
  bool wants(const Context& context) const;
  void look_at_wants(Context& context);
  void leaves(Context& context, std::uint64_t id);
  /// Calls with each packet that wants the node and does not have it, a context's first one: context, id, packet.
  template <class Visit>
  void each_waiting(const Node& node, Visit&& visit) const {
    for (const std::uint32_t index : node.contexts) {
      const Context& context = contexts_[index];
      if (context.suspended) continue;
      std::uint64_t id = context.ready_packet;
      if (!context.on_node.empty()) {
        const Packet& first = packets_.at(context.on_node.front());
        const auto& packets = node.queues[first.queue].packets;
        const bool waits = first.place == Place::hardware && packets.front() != context.on_node.front();
        id = waits ? context.on_node.front() : node.queues.size() == 1 ? id : 0;
      }
      if (id == 0) continue;
      const Packet& packet = packets_.at(id);
      if (packet.type == PacketType::render) visit(context, id, packet);
    }
  }
  // Order: rule_checker_order.cpp.
  void check_handed_over(const SubmissionRecord& record, const Packet& packet);
  void check_arrival(const Node& node, const SubmissionRecord& record, const Packet& packet);
  void check_begun(const Node& node, std::uint64_t id, const Packet& packet, const Span& span);
  bool could_go(const Node& node, const Context& waiting, std::uint32_t queue, const Context& instead) const;
  // Who is stopped: rule_checker_victim.cpp.
  void check_request(Node& node, Queue& queue, const PreemptionRequest& request);
  void check_ranks(const Node& node, const PreemptionRequest& request, const Packet& victim, const Packet& waiting);
  void check_lowest(const Node& node, const PreemptionRequest& request, const Packet& victim, const Packet& waiting);
  // Grace, quantum and turns: rule_checker_turns.cpp.
  std::uint64_t grace_of(const Context& running) const;
  Party& party_of(Node& node, const Context& context, bool of_process);
  bool takes_turns_with(const Context& a, const Context& b) const;
  std::uint64_t quantum_of(const Context& context, bool of_process) const;
  std::uint64_t turn_grace_of(const Context& context, bool of_process) const;
  void check_turn_over(Node& node, std::uint32_t queue, const Packet& packet, std::uint64_t start_ps);
  void check_still_running(Node& node, std::uint32_t queue, std::uint64_t id, const Packet& packet, const Span& span);
  bool another_takes(const Node& node, const Context& waiting, std::uint64_t since_ps, std::uint64_t end_ps) const;
  void use(Node& node, std::uint32_t queue, const Packet& packet, const Span& span);
  void take_turns_along(const Context& context);
  // The normal band's floor: rule_checker_floor.cpp.
  void look_at_bands(Node& node);
  void check_floor(Node& node, std::uint32_t queue, const Packet& packet, const Span& span);
  // Progress: rule_checker_progress.cpp.
  void round(Node& node, const char* what);
  void progress();
  void check_work_done(const Node& node, std::uint64_t id, Packet& packet);

  SchedulingRules rules_;
  EventLog& log_;
  Violations& violations_;
  std::vector<Node> nodes_;
  std::vector<Context> contexts_;
  std::map<LogName, std::uint32_t> node_index_;
  std::map<LogName, std::uint32_t> context_index_;
  std::map<std::uint64_t, Packet> packets_;
  std::uint64_t now_ps_ = 0;
  std::uint64_t events_ = 0;
};

}  // namespace fenceline

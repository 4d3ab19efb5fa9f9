// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/checker/node_limits.hpp"
#include "scheduler/checker/scheduling_rules.hpp"
#include "sim/log.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

/// What the log has told so far of nodes, contexts and packets: what rules about who runs are held against.
///
/// RuleChecker keeps it up to date, record by record, and judges by it; the questions that several rules ask of it are
/// answered here.
struct ScheduleModel {
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
    bool last = true;                   // this submission is for all that is left of its list
    bool between = false;               // a piece of its list has ended there, and the next one is not ready yet
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
    std::uint64_t waited_ps = never;    // when a wait of it passed last, or it had to wait for video memory
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
  struct Node {
    LogName path{};
    std::uint32_t depth = 1;
    bool stops_inside = false;  // whatever it runs
    bool withholds = false;
    std::vector<Queue> queues;
    std::vector<std::uint32_t> contexts;
    std::vector<Party> parties;
    std::uint64_t held_ps = never;   // since when it is asked nothing more: a reset is under way
    bool reset = false;              // since then
    std::uint64_t requested_ps = 0;  // the last request because of a rank
    std::uint64_t rounds = 0;        // attempts, requests and submissions since something last happened
    bool told = false;
  };
  enum class Standing : std::uint8_t { above, below, equal, open };

  ScheduleModel(const SchedulingRules& scheduling_rules, const std::vector<NodeLimits>& limits, EventLog& event_log);

  /// Something happens now, or at the latest moment that there was.
  void tick(std::uint64_t at_ps);
  /// Null: none of that name or number.
  Packet* packet_of(std::uint64_t id);
  Node* node_of(LogName name);
  Queue* queue_of(LogName node, std::uint32_t queue);
  Context* context_of(LogName name);
  Node& node_of(const Packet& packet) { return nodes[contexts[packet.context].node]; }
  std::string text(LogName name) const { return std::string(log.text(name)); }
  /// A packet in the words of a violation: "packet 7 of game".
  std::string label(std::uint64_t id) const;

  /// Who goes before whom, whatever has run. `open`: the floor decides, or nothing but the order of submission does.
  Standing standing(const Context& a, const Context& b) const;
  /// Of equal standing, where equals take turns.
  bool takes_turns_with(const Context& a, const Context& b) const;
  /// How long a running packet may go on beside a higher one.
  std::uint64_t grace_of(const Context& running) const;
  /// It has something for its node.
  bool wants(const Context& context) const;
  /// Calls with each packet that wants the node and does not have it, a context's first one: context, id, packet.
  template <class Visit>
  void each_waiting(const Node& node, Visit&& visit) const {
    for (const std::uint32_t index : node.contexts) {
      const Context& context = contexts[index];
      if (context.suspended) continue;
      std::uint64_t id = context.ready_packet;
      if (!context.on_node.empty()) {
        const Packet& first = packets.at(context.on_node.front());
        const std::deque<std::uint64_t>& there = node.queues[first.queue].packets;
        const bool waits = first.place == Place::hardware && there.front() != context.on_node.front();
        id = waits ? context.on_node.front() : node.queues.size() == 1 ? id : 0;
      }
      if (id == 0) continue;
      const Packet& packet = packets.at(id);
      if (has_commands(packet.type)) visit(context, id, packet);
    }
  }
  /// The scheduler has learned that a piece has ended there: the packet is in its software queue again.
  void goes_on(Context& context, std::uint64_t id);
  /// A reset takes the packet, the last of its context there, out of its hardware queue: it goes there again, unless it
  /// is a wait, or is behind one.
  void comes_back(Context& context, std::uint64_t id);
  /// The packet is nowhere any more.
  void leaves(Context& context, std::uint64_t id);

  SchedulingRules rules;
  EventLog& log;
  std::vector<Node> nodes;
  std::vector<Context> contexts;
  std::map<LogName, std::uint32_t> node_index;
  std::map<LogName, std::uint32_t> context_index;
  std::map<std::uint64_t, Packet> packets;
  std::uint64_t now_ps = 0;
  std::uint64_t events = 0;
};

}  // namespace fenceline

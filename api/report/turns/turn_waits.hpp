// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/log.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace fenceline {

/// What says for how long that which runs may go on although somebody waits.
enum class TurnKnob : std::uint8_t {
  quantum,              ///< its turn among its process's contexts
  process_quantum,      ///< its process's turn
  grace,                ///< against a higher rank
  same_priority_grace,  ///< after its turn, against an equal of its process
  process_grace,        ///< after its process's turn
  rank,                 ///< nothing: what runs is of a higher rank
  floor,                ///< what the normal band is to have beside the focus band; of the band that waits
};

/// Of a packet's wait the part that one of them made, of one context that ran.
struct TurnWait {
  TurnKnob knob = TurnKnob::quantum;
  LogName context{};            ///< that ran
  std::uint8_t band = 0;        ///< where it stood
  std::uint64_t waited_ps = 0;  ///< since the packet was ready
  /// Both are of the same knob and context.
  bool is_of(const TurnWait& other) const {
    return knob == other.knob && context == other.context && band == other.band;
  }
};

/// Adds `wait` to the one of its knob and context.
void add_wait(std::vector<TurnWait>& all, const TurnWait& wait);

/// How long packets that are ready wait for quanta and graces to end, or for what is of a higher rank, from the
/// attempts to preempt that they make: from one that misses for such a reason until their next one. Memory grows with
/// the packets that wait.
class TurnWaits {
 public:
  /// Of an attempt or a request: the contexts of its two packets.
  struct Pair {
    LogName waiting;  ///< context of the packet that waits
    LogName running;  ///< of the one that runs
  };
  void context(const ContextRecord& record);                    ///< where one stands from now on
  void ready(std::uint64_t packet) { waiting_.erase(packet); }  ///< its wait begins, or begins anew
  void attempt(const AttemptRecord& record, std::string_view result, const Pair& pair);  ///< `result`: its name
  void request(const PreemptionRequest& request, const Pair& pair);  ///< after the attempt that led to it
  void gone(std::uint64_t packet) { waiting_.erase(packet); }        ///< it waits for nothing any more

  /// What the packet has waited for until then.
  std::vector<TurnWait> of(std::uint64_t packet, std::uint64_t until_ps) const;

 private:
  /// Why it waits: for a turn or grace to end, and after the turn for a grace of so long.
  struct Hold {
    TurnWait wait;
    std::optional<TurnWait> after{};
    bool withheld = false;  ///< what is queued in between is withheld meanwhile
  };
  struct Waiting {
    std::map<std::uint32_t, Hold> holds;  // by hardware queue; the first counts
    std::optional<Hold> current;
    std::uint64_t since_ps = 0;  // of it
    std::vector<TurnWait> over;  // what it has waited for before
  };
  std::optional<Hold> hold(const Pair& pair, bool equals) const;
  static void hold(Waiting& waiting, std::uint32_t queue, const std::optional<Hold>& hold, std::uint64_t at_ps,
                   bool stops);

  std::map<LogName, ContextRecord> contexts_;
  std::map<std::uint64_t, Waiting> waiting_;  // by packet
};

}  // namespace fenceline

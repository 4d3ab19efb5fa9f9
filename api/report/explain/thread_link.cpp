// SPDX-License-Identifier: Apache-2.0
// The link of a CPU thread.
#include "api/report/explain/cause_link.hpp"
#include "api/report/explain/thread_spent.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>

namespace fenceline {
namespace {

using Place = ThreadLog::Place;

/// What a CPU thread did at that time, that was to come to a step.
class ThreadLink final : public CauseLink {
 public:
  /// `then_ps`: when it came to the step; 0: never.
  ThreadLink(const CauseLog& log, const Place& wanted, std::uint64_t at_ps, std::uint64_t then_ps)
      : CauseLink(log, at_ps), wanted_(wanted), then_ps_(then_ps) {
    cause_.queue = log.threads().name(wanted.thread);
    cause_.what = thread_link;
  }

  Cause cause() {
    const ThreadLog& threads = log_.threads();
    const std::optional<Place> place = threads.at(wanted_.thread, at_ps_);
    if (!place || place->step >= wanted_.step) return ended(CauseKind::calls, then_ps_);
    cause_.then = spent_text(log_.threads(), {wanted_.thread, place->step + 1}, wanted_.step);
    const std::uint64_t end_ps = threads.end_of(*place);
    switch (threads.did(*place).kind) {
      case Step::Kind::work: return ended(CauseKind::works, end_ps);
      case Step::Kind::sleep_until: return ended(CauseKind::sleeps, end_ps);
      case Step::Kind::fence_wait: return waits_for_fence(threads.did(*place), end_ps);
      case Step::Kind::wait_vblank: return waits_for_thing("a vertical blank", end_ps);
      case Step::Kind::create_pipeline_states: return waits_for_thing("pipeline states that it created", end_ps);
      case Step::Kind::make_resident:
        if (const auto memory = waits_for_memory("")) return *memory;
        return waits_for_thing("memory that it made resident", end_ps);
      case Step::Kind::wait_for_budget_change: return waits_for_thing("its budget of video memory to change", end_ps);
      default: return ended(CauseKind::calls, end_ps);
    }
  }

 private:
  Cause waits_for_thing(const char* what, std::uint64_t end_ps) {
    cause_.by = what;
    return ended(CauseKind::waits, end_ps);
  }

  Cause waits_for_fence(const ThreadLog::Did& did, std::uint64_t end_ps) {
    const std::string name = log_.threads().fence_of(did);
    cause_.by = fmt::format("{} at {}", in_quotes(name), did.value);
    const std::optional<LogName> fence = log_.fence(name);
    if (!fence) {
      if (const auto place = log_.threads().to_signal(name, did.value)) {
        return ended_by(CauseKind::fence_by_cpu, 0, place);
      }
      return ended(CauseKind::never, 0);
    }
    const auto reached = log_.reached(*fence, did.value, did.at_ps);
    if (reached && reached->at_ps <= at_ps_) return ended(CauseKind::hearing, end_ps);
    return waits_for(*fence, did.value, reached);
  }

  Place wanted_;
  std::uint64_t then_ps_;
};

}  // namespace

FoundLink link_of(const CauseLog& log, const ThreadLog::Place& wanted, std::uint64_t at_ps, std::uint64_t then_ps) {
  ThreadLink link(log, wanted, at_ps, then_ps);
  const Cause cause = link.cause();
  return {cause, link.by_thread()};
}

}  // namespace fenceline

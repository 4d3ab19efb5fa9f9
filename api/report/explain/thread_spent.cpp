// SPDX-License-Identifier: Apache-2.0
#include "api/report/explain/thread_spent.hpp"

#include "sim/text/time_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace fenceline {
namespace {

enum Spent : std::size_t { worked, slept, waited_for_fences, waited, made_calls, ways };
constexpr const char* texts[ways] = {"worked", "slept", "waited for fences", "waited for other things", "made calls"};

Spent spent_by(Step::Kind kind) {
  switch (kind) {
    case Step::Kind::work: return worked;
    case Step::Kind::sleep_until: return slept;
    case Step::Kind::fence_wait: return waited_for_fences;
    case Step::Kind::wait_vblank:
    case Step::Kind::create_pipeline_states:
    case Step::Kind::make_resident:
    case Step::Kind::wait_for_budget_change: return waited;
    default: return made_calls;
  }
}

}  // namespace

std::string spent_text(const ThreadLog& threads, ThreadLog::Place from, std::size_t to_step) {
  std::uint64_t spent_ps[ways] = {};
  for (; from.step < std::min(to_step, threads.steps(from.thread)); ++from.step) {
    const std::uint64_t end_ps = threads.end_of(from);
    const ThreadLog::Did& did = threads.did(from);
    spent_ps[spent_by(did.kind)] += std::max(end_ps, did.at_ps) - did.at_ps;
  }
  std::string text;
  for (std::size_t way = 0; way < ways; ++way) {
    if (spent_ps[way] == 0) continue;
    text += fmt::format("{}{} for {:.3f} us", text.empty() ? "" : ", ", texts[way], us(spent_ps[way]));
  }
  return text;
}

}  // namespace fenceline

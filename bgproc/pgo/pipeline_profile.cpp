// SPDX-License-Identifier: Apache-2.0
#include "bgproc/pgo/pipeline_profile.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace fenceline {

PipelineProfile::PipelineProfile(const FoldedParts& parts) : parts_(parts) {}

void PipelineProfile::measured(ConstantsKey constants, Measurement how, std::uint64_t executions,
                               const ExecutionPatterns& patterns) {
  if (how == Measurement::none) return;
  executions_ += executions;
  // A histogram that is full knows no new constants: with so many, none of them is frequent.
  constexpr std::size_t most_values = 4096;
  if (values_.size() >= most_values && values_.count(constants) == 0) return;
  Value& value = values_[constants];
  value.executions += executions;
  if (how == Measurement::light) return;
  value.rich += executions;
  value.branches.add(patterns.branches, executions);
  value.resources.add(patterns.resources, executions);
  rich_ = true;
}

void PipelineProfile::Value::begin_histogram() {
  executions = 0;
  rich = 0;
  branches.clear();
  resources.clear();
}

/// Goes on to the next round that is worth a compile: `next` is it then. False: there is none so far.
bool PipelineProfile::judge(Value& value, double steady_part) const {
  while (const std::uint32_t round = round_open(value.next.rounds, value.rich > 0)) {
    value.next.rounds = round;
    if (round == 1) return true;
    SteadyPattern& taken = round == 2 ? value.next.branches : value.next.resources;
    taken = (round == 2 ? value.branches : value.resources).steadiest();
    if (taken.part >= steady_part) return true;
    taken = {0, 0};
  }
  return false;
}

std::vector<Variant> PipelineProfile::act(const PgoConfig& config, bool committed) {
  std::vector<Variant> variants;
  if (executions_ == 0 || (!committed && executions_ < config.act_now_executions)) return variants;
  // Scaling a histogram up changes no part of it.
  const double frequent = config.frequent_part * static_cast<double>(executions_);
  for (auto at = values_.begin(); at != values_.end();) {
    auto& [constants, value] = *at;
    value.frequent = static_cast<double>(value.executions) >= frequent;
    value.judged = value.judged || value.executions > 0;
    if (value.frequent && !value.compiling && judge(value, config.steady_part)) {
      value.compiling = true;
      value.next.constants = constants;
      variants.push_back(value.next);
    }
    value.begin_histogram();
    const bool forgotten = !value.frequent && value.variant.rounds == 0 && !value.compiling;
    at = forgotten ? values_.erase(at) : std::next(at);
  }
  judged_ = executions_;
  executions_ = 0;
  return variants;
}

void PipelineProfile::compiled(const Variant& variant) {
  Value& value = values_[variant.constants];
  value.compiling = false;
  if (variant.rounds >= value.variant.rounds) value.variant = variant;
  if (value.next.rounds < value.variant.rounds) value.next = value.variant;
}

void PipelineProfile::dropped(const Variant& variant) {
  Value& value = values_[variant.constants];
  value.compiling = false;
  value.next = value.variant;
}

void PipelineProfile::discard() {
  for (auto& [constants, value] : values_) {
    value.begin_histogram();
    value.judged = value.frequent = false;
    if (!value.compiling) value.next = value.variant;
  }
  executions_ = judged_ = 0;
  rich_ = false;
}

bool PipelineProfile::wants_more(double frequent_part) const {
  const double frequent = frequent_part * static_cast<double>(std::max(executions_, judged_));
  return std::any_of(values_.begin(), values_.end(), [&](const auto& one) {
    const Value& value = one.second;
    return (value.judged ? value.frequent
                         : value.executions > 0 && static_cast<double>(value.executions) >= frequent) &&
           round_open(value.next.rounds, rich_) != 0;
  });
}

Variant PipelineProfile::variant_of(ConstantsKey constants) const {
  const auto at = values_.find(constants);
  return at != values_.end() ? at->second.variant : Variant{};
}

/// The round behind so many, of those that fold anything away; 0: none, or none that can be found.
std::uint32_t PipelineProfile::round_open(std::uint32_t rounds, bool rich) const {
  const auto parts = parts_.by_round();
  for (std::uint32_t round = rounds + 1; round <= parts.size(); ++round) {
    if (parts[round - 1] > 0) return round == 1 || rich ? round : 0;
  }
  return 0;
}

}  // namespace fenceline

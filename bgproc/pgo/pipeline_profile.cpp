// SPDX-License-Identifier: Apache-2.0
#include "bgproc/pgo/pipeline_profile.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace fenceline {

PipelineProfile::PipelineProfile(const FoldedParts& parts) : parts_(parts) {}

void PipelineProfile::measured(ConstantsKey constants, Measurement how, std::uint64_t executions) {
  if (how == Measurement::none) return;
  executions_ += executions;
  // A histogram that is full knows no new constants: with so many, none of them is frequent.
  constexpr std::size_t most_values = 4096;
  if (values_.size() >= most_values && values_.count(constants) == 0) return;
  Value& value = values_[constants];
  value.executions += executions;
  if (how == Measurement::light) return;
  value.rich += executions;
  rich_ = true;
}

std::vector<Recompile> PipelineProfile::act(const PgoConfig& config, bool committed) {
  std::vector<Recompile> recompiles;
  if (executions_ == 0 || (!committed && executions_ < config.act_now_executions)) return recompiles;
  // Scaling a histogram up changes no part of it.
  const double frequent = config.frequent_part * static_cast<double>(executions_);
  for (auto at = values_.begin(); at != values_.end();) {
    auto& [constants, value] = *at;
    value.frequent = static_cast<double>(value.executions) >= frequent;
    value.judged = value.judged || value.executions > 0;
    const std::uint32_t round = round_open(value.compiled, value.rich > 0);
    if (value.frequent && value.compiling == 0 && round != 0) {
      value.compiling = round;
      recompiles.push_back({constants, round});
    }
    value.executions = 0;
    value.rich = 0;
    const bool forgotten = !value.frequent && value.compiled == 0 && value.compiling == 0;
    at = forgotten ? values_.erase(at) : std::next(at);
  }
  judged_ = executions_;
  executions_ = 0;
  return recompiles;
}

void PipelineProfile::compiled(const Recompile& recompile) {
  Value& value = values_[recompile.constants];
  value.compiling = 0;
  value.compiled = std::max(value.compiled, recompile.rounds);
}

void PipelineProfile::dropped(const Recompile& recompile) { values_[recompile.constants].compiling = 0; }

void PipelineProfile::discard() {
  for (auto& [constants, value] : values_) {
    value.executions = 0;
    value.rich = 0;
    value.judged = value.frequent = false;
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
           round_open(std::max(value.compiled, value.compiling), rich_) != 0;
  });
}

std::uint32_t PipelineProfile::rounds_of(ConstantsKey constants) const {
  const auto at = values_.find(constants);
  return at != values_.end() ? at->second.compiled : 0;
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

// SPDX-License-Identifier: Apache-2.0
#include "api/workload/replay/chosen_steps.hpp"

#include "api/workload/replay/shifted_step.hpp"

#include <cstddef>
#include <utility>
#include <variant>

namespace fenceline {
namespace {

/// Which steps of a block are chosen, by iteration from the first one of which any is.
struct ChosenOfBlock {
  std::uint32_t block = 0;
  std::uint32_t first = 0;
  std::vector<std::vector<bool>> iterations;

  /// What takes part in the iteration does in the next.
  bool goes_on(std::size_t iteration) const {
    if (iteration + 1 == iterations.size()) return false;
    for (std::size_t i = 0; i < iterations[iteration].size(); ++i) {
      if (iterations[iteration][i] && !iterations[iteration + 1][i]) return false;
    }
    return true;
  }
};

/// `chosen`, from `at` on, as far as it is of one block; moves `at` behind that.
ChosenOfBlock next_block(const std::vector<StepPlace>& chosen, std::size_t& at, std::size_t steps) {
  ChosenOfBlock block{chosen[at].block, chosen[at].iteration, {}};
  for (; at < chosen.size() && chosen[at].block == block.block; ++at) {
    block.iterations.resize(chosen[at].iteration - block.first + 1, std::vector<bool>(steps));
    block.iterations.back()[chosen[at].step] = true;
  }
  return block;
}

template <class Repeat, class AnyStep>
class Chooser {
 public:
  Chooser(const std::vector<AnyStep>& timeline, std::uint64_t earlier_ps)
      : timeline_(timeline), earlier_ps_(earlier_ps) {}

  std::vector<AnyStep> choose(const std::vector<StepPlace>& chosen) {
    for (std::size_t at = 0; at < chosen.size();) {
      const AnyStep& block = timeline_[chosen[at].block];
      if (const auto* repeat = std::get_if<Repeat>(&block)) {
        add(*repeat, next_block(chosen, at, repeat->steps.size()));
      } else {
        std::visit([&](const auto& step) { add_alone(step, 0); }, block);
        ++at;
      }
    }
    return std::move(result_);
  }

 private:
  template <class One>
  void add_alone(const One& step, std::uint64_t iteration) {
    if constexpr (!std::is_same_v<One, Repeat>) {
      result_.emplace_back(shifted(step, {iteration, iteration, true, earlier_ps_}));
    }
  }

  /// In pieces, each a repeat, or steps by themselves where it would be one iteration.
  void add(const Repeat& repeat, const ChosenOfBlock& block) {
    for (std::size_t from = 0; from < block.iterations.size();) {
      std::size_t to = from;
      while (block.goes_on(to)) ++to;
      if (to == from) {
        for (std::size_t i = 0; i < repeat.steps.size(); ++i) {
          if (!block.iterations[from][i]) continue;
          std::visit([&](const auto& step) { add_alone(step, block.first + from); }, repeat.steps[i]);
        }
      } else {
        add_piece(repeat, block, from, to);
      }
      from = to + 1;
    }
  }

  void add_piece(const Repeat& repeat, const ChosenOfBlock& block, std::size_t from, std::size_t to) {
    Repeat piece = repeat;
    piece.count = to - from + 1;
    piece.steps.clear();
    for (std::size_t i = 0; i < repeat.steps.size(); ++i) {
      std::size_t takes_part = from;
      while (takes_part <= to && !block.iterations[takes_part][i]) ++takes_part;
      if (takes_part > to) continue;
      const StepShift shift{block.first + from, block.first + takes_part, false, earlier_ps_};
      std::visit([&](const auto& step) { piece.steps.emplace_back(shifted(step, shift)); }, repeat.steps[i]);
    }
    result_.emplace_back(std::move(piece));
  }

  const std::vector<AnyStep>& timeline_;
  std::uint64_t earlier_ps_;
  std::vector<AnyStep> result_;
};

}  // namespace

std::vector<QueueStep> chosen_steps(const std::vector<QueueStep>& timeline, const std::vector<StepPlace>& chosen,
                                    std::uint64_t earlier_ps) {
  return Chooser<QueueRepeat, QueueStep>(timeline, earlier_ps).choose(chosen);
}

std::vector<CpuStep> chosen_steps(const std::vector<CpuStep>& timeline, const std::vector<StepPlace>& chosen,
                                  std::uint64_t earlier_ps) {
  return Chooser<CpuRepeat, CpuStep>(timeline, earlier_ps).choose(chosen);
}

}  // namespace fenceline

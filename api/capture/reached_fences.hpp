// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/machine.hpp"
#include "scheduler/fences/fence.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace fenceline {

/// When fences came to the values that threads await.
class ReachedFences final : public FenceWaiter {
 public:
  explicit ReachedFences(const Machine& machine) : machine_(machine) {}
  /// A wait for it begins, which the machine is to tell of under the number that comes back: the fence is not there, or
  /// not any more. Nothing: it is known of.
  std::optional<std::uint64_t> await(FenceId fence, std::uint64_t value) {
    std::vector<Await>& awaits = awaits_[{fence, value}];
    if (!awaits.empty() && !awaits.back().reached_ps) return std::nullopt;
    if (awaits.size() == most_kept) awaits.erase(awaits.begin());
    awaits.push_back({machine_.now_ps(), std::nullopt});
    awaited_[next_] = {fence, value};
    return next_++;
  }
  void fence_reached(std::uint64_t token, Signaller) override {
    const auto awaited = awaited_.find(token);
    const auto awaits = awaits_.find(awaited->second);
    if (awaits != awaits_.end()) awaits->second.back().reached_ps = machine_.now_ps();
    awaited_.erase(awaited);
  }
  /// For a wait of which threads were told at `told_ps`. Nothing: it was there before anybody waited, or is not yet.
  std::optional<std::uint64_t> time(FenceId fence, std::uint64_t value, std::uint64_t told_ps) const {
    const auto found = awaits_.find({fence, value});
    if (found == awaits_.end()) return std::nullopt;
    // Others may have rewound the fence since then, and await it again.
    const Await& last = found->second.back();
    return (last.since_ps <= told_ps ? last : found->second.front()).reached_ps;
  }
  /// Nobody asks for lower values of the fence any more.
  void forget(FenceId fence, std::uint64_t below) {
    const auto end = awaits_.lower_bound({fence, below});
    for (auto one = awaits_.lower_bound({fence, 0}); one != end;) {
      one = one->second.back().reached_ps ? awaits_.erase(one) : ++one;
    }
  }

 private:
  /// From when a value was not there until it was; between two of one value the fence was rewound.
  struct Await {
    std::uint64_t since_ps = 0;
    std::optional<std::uint64_t> reached_ps;
  };
  static constexpr std::size_t most_kept = 2;  // of one value: whoever was told of an earlier one has gone on

  const Machine& machine_;
  std::uint64_t next_ = 0;
  std::map<std::uint64_t, std::pair<FenceId, std::uint64_t>> awaited_;  // by number
  std::map<std::pair<FenceId, std::uint64_t>, std::vector<Await>> awaits_;
};

/// Signals by queues whose packets a capture has not heard.
class UnheardSignals final : public FenceWaiter {
 public:
  using Tell = std::function<void(FenceId fence, std::uint64_t value)>;
  /// `tell` is called from inside the simulation.
  explicit UnheardSignals(Tell tell) : tell_(std::move(tell)) {}
  /// It is to come.
  void expect(Machine& machine, FenceId fence, std::uint64_t value, const std::shared_ptr<UnheardSignals>& self) {
    expected_.emplace_back(fence, value);
    if (machine.watch_fence(fence, value, self, expected_.size() - 1)) expected_.pop_back();
  }
  void fence_reached(std::uint64_t token, Signaller) override {
    if (tell_) tell_(expected_[token].first, expected_[token].second);
  }
  /// Nobody is to be told any more.
  void forget() { tell_ = nullptr; }

 private:
  Tell tell_;
  std::vector<std::pair<FenceId, std::uint64_t>> expected_;
};

}  // namespace fenceline

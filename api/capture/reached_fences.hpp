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
  /// A wait for it begins, which the machine is to tell of under the number that comes back. Nothing: it is known of.
  std::optional<std::uint64_t> await(FenceId fence, std::uint64_t value) {
    if (!times_.try_emplace({fence, value}).second) return std::nullopt;
    awaited_[next_] = {fence, value};
    return next_++;
  }
  void fence_reached(std::uint64_t token, Signaller) override {
    const auto awaited = awaited_.find(token);
    const auto time = times_.find(awaited->second);
    if (time != times_.end()) time->second = machine_.now_ps();
    awaited_.erase(awaited);
  }
  /// Nothing: it was there before anybody waited, or is not yet.
  std::optional<std::uint64_t> time(FenceId fence, std::uint64_t value) const {
    const auto found = times_.find({fence, value});
    return found != times_.end() ? found->second : std::nullopt;
  }
  /// Nobody asks for lower values of the fence any more.
  void forget(FenceId fence, std::uint64_t below) {
    const auto end = times_.lower_bound({fence, below});
    for (auto time = times_.lower_bound({fence, 0}); time != end;) time = time->second ? times_.erase(time) : ++time;
  }

 private:
  const Machine& machine_;
  std::uint64_t next_ = 0;
  std::map<std::uint64_t, std::pair<FenceId, std::uint64_t>> awaited_;  // by number
  std::map<std::pair<FenceId, std::uint64_t>, std::optional<std::uint64_t>> times_;
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

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/kernel/channel.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace fenceline::testing {

/// One transfer as the reference sees it: fluid, in seconds and bytes.
struct ReferenceTransfer {
  long double start_s = 0;
  long double bytes = 0;
  int priority = 0;
  long double weight = 1;
  long double limit = INFINITY;  ///< bytes/s
  bool latency_bound = false;
  long double end_s = 0;  ///< the last byte, without latency
};

/// What the transfers of a channel would do if bytes and time were continuous. Written from the documented rules alone,
/// and by filling all at the same pace until one is full, which is not how the channel does it.
class ChannelReference {
 public:
  ChannelReference(long double capacity, ChannelSharing sharing, long double exponent)
      : capacity_(capacity), sharing_(sharing), exponent_(exponent) {}

  /// `transfers` in the order of their starts. Sets their ends.
  void run(std::vector<ReferenceTransfer>& transfers) const {
    struct Flow {
      ReferenceTransfer* transfer;
      long double remaining;
    };
    std::vector<Flow> flows;
    std::size_t next = 0;
    long double now = 0;
    while (next < transfers.size() || !flows.empty()) {
      std::vector<ReferenceTransfer*> active;
      active.reserve(flows.size());
      for (const Flow& flow : flows) active.push_back(flow.transfer);
      const std::vector<long double> rates = rates_of(active);
      long double until = next < transfers.size() ? transfers[next].start_s : INFINITY;
      std::size_t first = flows.size();
      for (std::size_t i = 0; i < flows.size(); ++i) {
        if (rates[i] > 0 && now + flows[i].remaining / rates[i] < until) {
          until = now + flows[i].remaining / rates[i];
          first = i;
        }
      }
      for (std::size_t i = 0; i < flows.size(); ++i) flows[i].remaining -= rates[i] * (until - now);
      now = until;
      if (first < flows.size()) {
        flows[first].transfer->end_s = now;
        flows.erase(flows.begin() + static_cast<std::ptrdiff_t>(first));
      } else {
        flows.push_back({&transfers[next], transfers[next].bytes});
        ++next;
      }
    }
  }

 private:
  std::vector<long double> rates_of(const std::vector<ReferenceTransfer*>& active) const {
    std::vector<long double> rates(active.size(), 0);
    long double left = capacity_;
    if (sharing_ == ChannelSharing::in_order) {
      for (std::size_t i = 0; i < active.size(); ++i) {
        rates[i] = std::min(left, limit_of(*active[i], active));
        left -= rates[i];
      }
      return rates;
    }
    std::vector<bool> settled(active.size(), false);
    for (;;) {
      // The highest priority that still wants more.
      bool any = false;
      int priority = 0;
      for (std::size_t i = 0; i < active.size(); ++i) {
        if (settled[i] || (any && active[i]->priority <= priority)) continue;
        any = true;
        priority = active[i]->priority;
      }
      if (!any || left <= 0) return rates;
      // Raise all of them together until the first is full or the capacity is used up.
      const auto rises = [&](std::size_t i) { return !settled[i] && active[i]->priority == priority; };
      long double weights = 0;
      long double step = INFINITY;  // bytes/s per unit of weight
      for (std::size_t i = 0; i < active.size(); ++i) {
        if (!rises(i)) continue;
        weights += active[i]->weight;
        step = std::min(step, (limit_of(*active[i], active) - rates[i]) / active[i]->weight);
      }
      const bool used_up = step * weights >= left;
      if (used_up) step = left / weights;
      for (std::size_t i = 0; i < active.size(); ++i) {
        if (!rises(i)) continue;
        rates[i] += step * active[i]->weight;
        if (rates[i] >= limit_of(*active[i], active) * (1 - 1e-15L)) settled[i] = true;
      }
      if (used_up) return rates;
      left -= step * weights;
    }
  }

  long double limit_of(const ReferenceTransfer& transfer, const std::vector<ReferenceTransfer*>& active) const {
    if (!transfer.latency_bound || exponent_ == 0) return transfer.limit;
    long double demand = 0;
    for (const ReferenceTransfer* other : active) demand += other->latency_bound ? other->limit : 0;
    return transfer.limit / std::pow(1 + std::pow(demand / capacity_, exponent_), 1 / exponent_);
  }

  long double capacity_;
  ChannelSharing sharing_;
  long double exponent_;
};

}  // namespace fenceline::testing

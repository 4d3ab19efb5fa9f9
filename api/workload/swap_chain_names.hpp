// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/resources/names.hpp"
#include "api/workload/workload.hpp"
#include "sim/config_errors.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace fenceline {

/// The swap chains of a workload by number: each queue's own, which has its name, then those of `swap_chains`.
class SwapChainNames {
 public:
  SwapChainNames(const Workload& workload, const std::string& file)
      : workload_(workload),
        file_(file),
        queues_(file, "queues", workload.queues),
        others_(file, "swap chains", "swap_chains", workload.swap_chains),
        own_(static_cast<std::uint32_t>(workload.queues.size())) {
    for (std::size_t i = 0; i < workload.swap_chains.size(); ++i) {
      const std::string& name = workload.swap_chains[i].name;
      if (!queues_.has(name)) continue;
      errors_.add({file, fmt::format("/swap_chains/{}/name", i), "a name that no queue has", in_quotes(name)});
    }
  }

  /// Throws ConfigError for names of `swap_chains` that are empty, there twice, or a queue's.
  void check() const {
    do_each([&] { others_.check(); }, [&] { errors_.throw_any(); });
  }
  /// ConfigError at `pointer` where neither a queue nor a swap chain has the name.
  std::uint32_t index(const std::string& name, const std::string& pointer) const {
    if (queues_.has(name) || own_only()) return queues_.index(name, pointer);
    return own_ + others_.index(name, pointer);
  }
  /// To which a `present` of the queue at `pointer` presents, which says `name`; empty: the queue's own.
  std::uint32_t presented_to(std::uint32_t queue, const std::string& name, const std::string& pointer) const {
    const QueueInfo& by = workload_.queues[queue];
    if (by.type != QueueType::direct) {  // DXGI: a swap chain is made for a direct queue
      throw ConfigError(file_, pointer, "a direct queue to present",
                        fmt::format("queue {} of type {}", in_quotes(by.name), name_of(by.type)));
    }
    if (name.empty()) return queue;
    const std::uint32_t chain = index(name, pointer + "/swap_chain");
    const std::string& whose = chain < own_ ? name : workload_.swap_chains[chain - own_].queue;
    if (whose == by.name) return chain;
    throw ConfigError(file_, pointer + "/swap_chain", fmt::format("a swap chain of queue {}", in_quotes(by.name)),
                      fmt::format("{}, of queue {}", in_quotes(name), in_quotes(whose)));
  }

 private:
  bool own_only() const { return others_.empty(); }

  const Workload& workload_;
  std::string file_;
  Names queues_;
  Names others_;
  std::uint32_t own_;
  ConfigErrors errors_;
};

}  // namespace fenceline

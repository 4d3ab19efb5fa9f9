// SPDX-License-Identifier: Apache-2.0
#include "api/workload/program_screen.hpp"

#include "api/resources/names.hpp"
#include "sim/config_errors.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace fenceline {
namespace {

class Screens {
 public:
  Screens(const Workload& workload, const std::string& file)
      : workload_(workload), file_(file), queues_(file, "queues", workload.queues) {}

  ProgramScreen own(std::uint32_t queue) const {
    const QueueInfo& info = workload_.queues[queue];
    return at(info, queue, fmt::format("/queues/{}", queue));
  }
  ProgramScreen further(std::size_t index) const {
    const SwapChainInfo& info = workload_.swap_chains[index];
    const std::string pointer = fmt::format("/swap_chains/{}", index);
    const std::uint32_t queue = queues_.index(info.queue, pointer + "/queue");
    if (workload_.queues[queue].type != QueueType::direct) {
      throw ConfigError(file_, pointer + "/queue", "a direct queue to present", in_quotes(info.queue));
    }
    return at(info, queue, pointer);
  }

 private:
  template <class Info>
  ProgramScreen at(const Info& info, std::uint32_t queue, const std::string& pointer) const {
    if (info.composed_by.empty()) return {info.name, queue, info.output, {}};
    std::uint32_t compositor = 0;
    do_each(
        [&] {
          compositor = queues_.index(info.composed_by, pointer + "/composed_by");
          const QueueInfo& by = workload_.queues[compositor];
          const bool is_itself = by.name == info.name;
          if (!is_itself && by.composed_by.empty() && by.type == QueueType::direct) return;
          throw ConfigError(file_, pointer + "/composed_by", "another direct queue whose frames are flipped",
                            in_quotes(info.composed_by));
        },
        [&] {
          if (info.output.empty()) return;
          throw ConfigError(file_, pointer + "/output", "no output: a window is on its compositor's",
                            in_quotes(info.output));
        });
    return {info.name, queue, "", compositor};
  }

  const Workload& workload_;
  const std::string& file_;
  Names queues_;
};

}  // namespace

std::vector<ProgramScreen> screens_of(const Workload& workload, const std::string& file, ConfigErrors& errors) {
  const Screens all(workload, file);
  std::vector<ProgramScreen> screens;
  for (std::uint32_t i = 0; i < workload.queues.size(); ++i) errors.keep([&] { screens.push_back(all.own(i)); });
  for (std::size_t i = 0; i < workload.swap_chains.size(); ++i) {
    errors.keep([&] { screens.push_back(all.further(i)); });
  }
  return screens;
}

}  // namespace fenceline

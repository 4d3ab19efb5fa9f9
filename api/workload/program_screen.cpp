// SPDX-License-Identifier: Apache-2.0
#include "api/workload/program_screen.hpp"

#include "api/resources/names.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

namespace fenceline {

ProgramScreen screen_of(const Workload& workload, std::uint32_t index, const std::string& file) {
  const QueueInfo& queue = workload.queues[index];
  if (queue.composed_by.empty()) return {queue.output, {}};
  const std::string pointer = fmt::format("/queues/{}", index);
  const std::uint32_t compositor =
      Names(file, "queues", workload.queues).index(queue.composed_by, pointer + "/composed_by");
  const QueueInfo& by = workload.queues[compositor];
  if (compositor == index || !by.composed_by.empty() || by.type != QueueType::direct) {
    throw ConfigError(file, pointer + "/composed_by", "another direct queue whose frames are flipped",
                      in_quotes(queue.composed_by));
  }
  if (!queue.output.empty()) {
    throw ConfigError(file, pointer + "/output", "no output: a window is on its compositor's", in_quotes(queue.output));
  }
  return {"", compositor};
}

}  // namespace fenceline

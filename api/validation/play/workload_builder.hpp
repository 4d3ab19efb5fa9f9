// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/workload/workload.hpp"
#include "sim/config/described.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace fenceline {

/// Which way a measured copy went: device memory is d, host memory h.
enum class CopyDirection : std::uint8_t { h2d, d2h, d2d };
constexpr EnumNames<CopyDirection, 3> enum_names(CopyDirection) {
  return {{{CopyDirection::h2d, "h2d"}, {CopyDirection::d2h, "d2h"}, {CopyDirection::d2d, "d2d"}}};
}
const char* name_of(CopyDirection direction);

/// Puts the workload of a measured row together.
class WorkloadBuilder {
 public:
  explicit WorkloadBuilder(const std::string& name) { workload_.name = name; }

  /// The queue's number for the calls below.
  std::size_t queue(const std::string& name, QueueType type, const char* path,
                    QueuePriority priority = QueuePriority::normal);
  void owned_by(std::size_t queue, const std::string& process);
  /// Adds the pipeline unless there is one of this name.
  const std::string& pipeline(const ComputePipeline& pipeline);
  const std::string& pipeline(const GraphicsPipeline& pipeline);
  /// A copy between two new buffers.
  CommandInfo copy(CopyDirection direction, std::uint64_t bytes);

  /// A command list of the queue's type.
  void list(std::size_t queue, const std::string& name, std::vector<CommandInfo> commands);
  /// The queue executes the list next, then another, ...
  void execute(std::size_t queue, const std::string& list);
  void execute(std::size_t queue, const std::string& name, std::vector<CommandInfo> commands) {
    list(queue, name, std::move(commands));
    execute(queue, name);
  }
  void signal(std::size_t queue, const std::string& fence);
  void wait(std::size_t queue, const std::string& fence);

  /// A CPU thread that begins with the play. A fence is made at its first mention; all values are 1.
  class Host {
   public:
    Host& works(double us);
    Host& signals(const std::string& fence);
    Host& waits(const std::string& fence);
    Host& executes(std::size_t queue, const std::string& list);
    Host& signals(std::size_t queue, const std::string& fence);

   private:
    friend class WorkloadBuilder;
    Host(WorkloadBuilder& builder, std::size_t index) : builder_(builder), index_(index) {}
    template <class Step>
    Host& with_fence(Step step, const std::string& fence);
    std::vector<CpuStep>& timeline() { return builder_.workload_.cpus[index_].timeline; }
    WorkloadBuilder& builder_;
    std::size_t index_;
  };
  Host host(const std::string& name);
  /// A CPU thread that executes the list `count` times and keeps `submitted` of them submitted.
  void keeps_busy(std::size_t queue, const std::string& list, std::uint64_t count, std::uint64_t submitted = 2);

  Workload finish() { return std::move(workload_); }

 private:
  const std::string& fence(const std::string& name);

  Workload workload_;
  std::set<std::string> fences_;
  std::set<std::string> compute_pipelines_;
  std::set<std::string> graphics_pipelines_;
};

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#include "api/validation/measured_queues.hpp"

#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace fenceline {
namespace {

constexpr const char* cuda_path = "cuda_stream";
const Range microseconds = between(0, 1e12);

void describe_op(Fields& f, MeasuredOp& c) {
  f.required("queue", c.queue, "operations of one queue run in order", between(0, 1023));
  f.optional("waits", c.waits, "indices of operations that must be complete first");
  f.optional("start_us", c.start_us, "measured start", microseconds);
  f.required("end_us", c.end_us, "measured end", microseconds);
}

void describe_grid(Fields& f, MeasuredGrid& c) {
  describe_op(f, c);
  f.required("grid", c.grid, "thread groups", between(1, 2147483647));
  f.required("threads", c.threads, "threads of a group", between(1, 1024));
  f.optional("smem", c.smem, "dynamic shared memory of a group, bytes", between(0, 1e7));
}

void describe_copy(Fields& f, MeasuredCopy& c) {
  describe_op(f, c);
  f.required("bytes", c.bytes, "copied", between(1, 1e15));
}

bool is_copy(const MeasuredOperation& operation) {
  return std::holds_alternative<MeasuredH2d>(operation) || std::holds_alternative<MeasuredD2h>(operation);
}

/// Builds the workload of one case.
class CaseBuilder {
 public:
  CaseBuilder(const MeasuredCase& measured, const MeasuredDevice& device) : device_(device) {
    workload_.fences.push_back({"gate", 0});
    // The gate lets the queues go in the order of their numbers.
    for (const MeasuredOperation& operation : measured.ops) {
      queue_of_.emplace(std::make_pair(measured_op(operation).queue, is_copy(operation)), 0);
    }
    for (auto& [queue, index] : queue_of_) {
      index = workload_.queues.size();
      add_queue(queue.first, queue.second);
    }
  }

  void add(const MeasuredOperation& operation, std::size_t index) {
    const MeasuredOp& op = measured_op(operation);
    const std::string name = fmt::format("op{}", index);
    const bool copy = is_copy(operation);
    CommandListInfo list{name, copy ? QueueType::copy : QueueType::compute, {}};
    std::visit([&](const auto& of_kind) { list.commands.push_back(command(of_kind, name)); }, operation);
    workload_.command_lists.push_back(std::move(list));
    workload_.fences.push_back({name, 0});

    auto& timeline = workload_.queues[queue_of_.at({op.queue, copy})].timeline;
    const auto previous = last_of_.find(op.queue);
    if (previous != last_of_.end() && previous->second.first != copy) wait(timeline, previous->second.second);
    for (const std::uint64_t dependency : op.waits) wait(timeline, dependency);
    timeline.push_back(ExecuteStep{{name}, 0});
    SignalStep signal;
    signal.fence = name;
    signal.value = 1;
    timeline.push_back(signal);
    last_of_[op.queue] = {copy, index};
  }

  Workload finish(const std::string& name) {
    workload_.name = name;
    CpuFenceSignal release;
    release.fence = "gate";
    release.value = 1;
    workload_.cpus.push_back({"host", {release}});
    return std::move(workload_);
  }

 private:
  void add_queue(std::uint32_t queue, bool copy) {
    QueueInfo info;
    info.name = fmt::format("q{}{}", queue, copy ? "_copy" : "");
    info.type = copy ? QueueType::copy : QueueType::compute;
    info.path = cuda_path;
    WaitStep gate;
    gate.fence = "gate";
    gate.value = 1;
    info.timeline.push_back(gate);
    workload_.queues.push_back(std::move(info));
  }
  static void wait(std::vector<QueueStep>& timeline, std::uint64_t operation) {
    WaitStep step;
    step.fence = fmt::format("op{}", operation);
    step.value = 1;
    timeline.push_back(step);
  }

  CommandInfo command(const MeasuredSpin& spin, const std::string& name) {
    ComputePipeline& pipeline = add_pipeline(spin, device_.spin_regs, name);
    pipeline.work.cycles = spin.cycles_per_block;
    return DispatchCommand{name, spin.grid, 1, 1};
  }
  CommandInfo command(const MeasuredRead& read, const std::string& name) {
    ComputePipeline& pipeline = add_pipeline(read, device_.read_regs, name);
    pipeline.work.vram_bytes = read.bytes_per_block;
    return DispatchCommand{name, read.grid, 1, 1};
  }
  CommandInfo command(const MeasuredH2d& copy, const std::string& name) {
    return copy_between(HeapType::upload, HeapType::default_heap, copy.bytes, name);
  }
  CommandInfo command(const MeasuredD2h& copy, const std::string& name) {
    return copy_between(HeapType::default_heap, HeapType::readback, copy.bytes, name);
  }

  ComputePipeline& add_pipeline(const MeasuredGrid& grid, std::uint32_t registers, const std::string& name) {
    ComputePipeline pipeline;
    pipeline.name = name;
    pipeline.group = {grid.threads, registers, grid.smem};
    workload_.compute_pipelines.push_back(pipeline);
    return workload_.compute_pipelines.back();
  }
  CommandInfo copy_between(HeapType from, HeapType to, std::uint64_t bytes, const std::string& name) {
    workload_.resources.emplace_back(BufferResource{name + ".source", from, bytes});
    workload_.resources.emplace_back(BufferResource{name + ".destination", to, bytes});
    CopyBufferCommand command;
    command.source = name + ".source";
    command.destination = name + ".destination";
    return command;
  }

  const MeasuredDevice& device_;
  Workload workload_;
  std::map<std::pair<std::uint32_t, bool>, std::size_t> queue_of_;  // measured queue, copies -> queue
  std::map<std::uint32_t, std::pair<bool, std::size_t>> last_of_;   // measured queue -> kind and index of its last op
};

}  // namespace

void describe(Fields& f, MeasuredSpin& c) {
  describe_grid(f, c);
  f.required("cycles_per_block", c.cycles_per_block, "SM cycles each group is busy", between(0, 1e15));
}
void describe(Fields& f, MeasuredRead& c) {
  describe_grid(f, c);
  f.required("bytes_per_block", c.bytes_per_block, "bytes each group streams from video memory", between(0, 1e12));
}
void describe(Fields& f, MeasuredH2d& c) { describe_copy(f, c); }
void describe(Fields& f, MeasuredD2h& c) { describe_copy(f, c); }

void describe(Fields& f, MeasuredCase& c) {
  f.optional("seed", c.seed, "of the random case: its name");
  f.optional("name", c.name, "of the case");
  f.optional("queues", c.queues, "number of queues");
  f.optional("makespan_us", c.makespan_us, "measured last end, median", microseconds);
  f.optional("makespan_min", c.makespan_min, "least over the repetitions", microseconds);
  f.optional("makespan_max", c.makespan_max, "most over the repetitions", microseconds);
  f.required("ops", c.ops, "operations in the order they were enqueued");
}

void describe(Fields& f, MeasuredDevice& c) {
  f.optional("name", c.name, "the device");
  f.optional("sms", c.sms, "SMs");
  f.optional("clock_khz", c.clock_khz, "SM clock");
  f.optional("l2", c.l2, "bytes");
  f.optional("regs_per_sm", c.regs_per_sm, "registers");
  f.optional("smem_per_sm", c.smem_per_sm, "bytes");
  f.optional("threads_per_sm", c.threads_per_sm, "resident threads");
  f.optional("blocks_per_sm", c.blocks_per_sm, "resident groups");
  f.optional("copy_engines", c.copy_engines, "copy engines");
  f.optional("stream_priorities", c.stream_priorities, "lowest and highest");
  f.optional("compute_preemption", c.compute_preemption, "supported");
  f.optional("spin_regs", c.spin_regs, "registers per thread of spin operations", between(0, 255));
  f.optional("read_regs", c.read_regs, "registers per thread of read operations", between(0, 255));
}

void describe(Fields& f, MeasuredQueues& c) {
  f.about("measured multi-queue workloads");
  f.optional("device", c.device, "what was measured");
  f.required("workloads", c.workloads, "cases");
}

const MeasuredOp& measured_op(const MeasuredOperation& operation) {
  return std::visit([](const auto& op) -> const MeasuredOp& { return op; }, operation);
}

Workload workload_of(const MeasuredCase& measured, const MeasuredDevice& device, const std::string& file,
                     const std::string& pointer) {
  CaseBuilder builder(measured, device);
  for (std::size_t i = 0; i < measured.ops.size(); ++i) {
    const auto& waits = measured_op(measured.ops[i]).waits;
    for (std::size_t j = 0; j < waits.size(); ++j) {
      if (waits[j] < i) continue;
      throw ConfigError(file, fmt::format("{}/ops/{}/waits/{}", pointer, i, j),
                        fmt::format("the index of an earlier operation, less than {}", i), fmt::format("{}", waits[j]));
    }
    builder.add(measured.ops[i], i);
  }
  return builder.finish(measured.name.value_or(measured.seed ? fmt::format("seed {}", *measured.seed) : pointer));
}

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#include "api/validation/measured/measured_queues.hpp"

#include "api/validation/measured/measured_ranges.hpp"
#include "api/validation/play/workload_builder.hpp"
#include "sim/config/fields.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace fenceline {
namespace {

void describe_op(Fields& f, MeasuredOp& c) {
  f.required("queue", c.queue, "operations of one queue run in order", between(0, 1023));
  f.optional("waits", c.waits, "indices of operations that must be complete first");
  f.optional("start_us", c.start_us, "measured start", measured_range::us_or_none);
  f.required("end_us", c.end_us, "measured end", measured_range::us_or_none);
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

std::string operation_name(std::size_t operation) { return fmt::format("op{}", operation); }

/// Builds the workload of one case.
class CaseBuilder {
 public:
  CaseBuilder(const MeasuredCase& measured, const MeasuredDevice& device, const std::string& name)
      : device_(device), builder_(name) {
    // The gate lets the queues go in the order of their numbers.
    for (const MeasuredOperation& operation : measured.ops) {
      queue_of_.emplace(std::make_pair(measured_op(operation).queue, is_copy(operation)), 0);
    }
    for (auto& [queue, index] : queue_of_) {
      const auto [number, copy] = queue;
      index = builder_.queue(fmt::format("q{}{}", number, copy ? "_copy" : ""),
                             copy ? QueueType::copy : QueueType::compute, cuda_path);
      builder_.wait(index, "gate");
    }
    builder_.host("host").signals("gate");
  }

  void add(const MeasuredOperation& operation, std::size_t index) {
    const MeasuredOp& op = measured_op(operation);
    const std::string name = operation_name(index);
    const bool copy = is_copy(operation);
    const std::size_t queue = queue_of_.at({op.queue, copy});
    const auto previous = last_of_.find(op.queue);
    if (previous != last_of_.end() && previous->second.first != copy) {
      builder_.wait(queue, operation_name(previous->second.second));
    }
    for (const std::uint64_t dependency : op.waits) builder_.wait(queue, operation_name(dependency));
    builder_.execute(queue, name, {std::visit([&](const auto& of_kind) { return command(of_kind, name); }, operation)});
    builder_.signal(queue, name);
    last_of_[op.queue] = {copy, index};
  }

  Workload finish() { return builder_.finish(); }

 private:
  CommandInfo command(const MeasuredSpin& spin, const std::string& name) {
    ComputePipeline pipeline = pipeline_of(spin, device_.spin_regs, name);
    pipeline.work.cycles = spin.cycles_per_block;
    return DispatchCommand{builder_.pipeline(pipeline), spin.grid, 1, 1};
  }
  CommandInfo command(const MeasuredRead& read, const std::string& name) {
    ComputePipeline pipeline = pipeline_of(read, device_.read_regs, name);
    pipeline.work.vram_bytes = read.bytes_per_block;
    return DispatchCommand{builder_.pipeline(pipeline), read.grid, 1, 1};
  }
  CommandInfo command(const MeasuredH2d& copy, const std::string&) {
    return builder_.copy(CopyDirection::h2d, copy.bytes);
  }
  CommandInfo command(const MeasuredD2h& copy, const std::string&) {
    return builder_.copy(CopyDirection::d2h, copy.bytes);
  }

  static ComputePipeline pipeline_of(const MeasuredGrid& grid, std::uint32_t registers, const std::string& name) {
    ComputePipeline pipeline;
    pipeline.name = name;
    pipeline.group = {grid.threads, registers, grid.smem};
    return pipeline;
  }

  const MeasuredDevice& device_;
  WorkloadBuilder builder_;
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
  f.optional("makespan_us", c.makespan_us, "measured last end, median", measured_range::us_or_none);
  f.optional("makespan_min", c.makespan_min, "least over the repetitions", measured_range::us_or_none);
  f.optional("makespan_max", c.makespan_max, "most over the repetitions", measured_range::us_or_none);
  f.required("ops", c.ops, "operations in the order they were enqueued");
}

const MeasuredOp& measured_op(const MeasuredOperation& operation) {
  return std::visit([](const auto& op) -> const MeasuredOp& { return op; }, operation);
}

Workload workload_of(const MeasuredCase& measured, const MeasuredDevice& device, const std::string& file,
                     const std::string& pointer) {
  CaseBuilder builder(measured, device,
                      measured.name.value_or(measured.seed ? fmt::format("seed {}", *measured.seed) : pointer));
  for (std::size_t i = 0; i < measured.ops.size(); ++i) {
    const auto& waits = measured_op(measured.ops[i]).waits;
    for (std::size_t j = 0; j < waits.size(); ++j) {
      if (waits[j] < i) continue;
      throw ConfigError(file, fmt::format("{}/ops/{}/waits/{}", pointer, i, j),
                        fmt::format("the index of an earlier operation, less than {}", i), fmt::format("{}", waits[j]));
    }
    builder.add(measured.ops[i], i);
  }
  return builder.finish();
}

PlannedCase plan(const MeasuredCase& measured, const MeasuredDevice& device, const std::string& file,
                 const std::string& pointer) {
  PlannedCase result;
  result.plays.push_back(workload_of(measured, device, file, pointer));
  result.name = result.plays.front().name;
  result.pointer = pointer;
  result.figure.to.of = Moment::Of::last_end;
  double last_us = 0;
  for (std::size_t i = 0; i < measured.ops.size(); ++i) {
    const double end_us = measured_op(measured.ops[i]).end_us;
    result.ops.push_back({operation_name(i), end_us});
    last_us = std::max(last_us, end_us);
  }
  result.measured_us = measured.makespan_us.value_or(last_us);
  return result;
}

}  // namespace fenceline

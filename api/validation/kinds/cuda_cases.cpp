// SPDX-License-Identifier: Apache-2.0
// Translations of the rows of microbenchmarks.json: CUDA streams.
#include "api/validation/kinds/kinds.hpp"
#include "api/validation/measured/measured_shaders.hpp"
#include "api/validation/play/workload_builder.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace fenceline {
namespace {

using Of = Moment::Of;

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

PlannedCase planned(WorkloadBuilder& builder, std::string name, std::string pointer, double measured_us,
                    double limit_pct, Figure figure) {
  PlannedCase result;
  result.name = std::move(name);
  result.pointer = std::move(pointer);
  result.measured_us = measured_us;
  result.limit_pct = limit_pct;
  result.plays.push_back(builder.finish());
  result.figure = std::move(figure);
  return result;
}

/// CUDA copies inside the device on the stream's compute engine, over PCIe with a copy engine.
QueueType queue_of(CopyDirection direction) {
  return direction == CopyDirection::d2d ? QueueType::compute : QueueType::copy;
}

std::string size_text(std::uint64_t bytes) {
  if (bytes % mebibyte == 0) return fmt::format("{} MiB", bytes / mebibyte);
  if (bytes % 1024 == 0) return fmt::format("{} KiB", bytes / 1024);
  return fmt::format("{} B", bytes);
}

/// Between two event records on an idle stream: the host calls record, copy, record, and each event is an empty packet
/// of the engine that copies, whose end the device's clock stamps.
PlannedCase cuda_copy(const MeasuredCopyTime& row, const std::string& pointer) {
  WorkloadBuilder builder("copy");
  const std::size_t stream = builder.queue("stream", queue_of(row.dir), cuda_path);
  builder.list(stream, "before", {});
  builder.list(stream, "copy", {builder.copy(row.dir, row.bytes)});
  builder.list(stream, "after", {});
  auto host = builder.host("host");
  host.executes(stream, "before");
  if (row.dir != CopyDirection::d2d) host.works(measured_shaders::copy_call_us);
  host.executes(stream, "copy").executes(stream, "after");
  return planned(builder, fmt::format("{} {}", name_of(row.dir), size_text(row.bytes)), pointer, row.us,
                 row.bytes >= mebibyte ? 3 : 15, {{Of::list_end, "before"}, {Of::list_end, "after"}});
}

/// Host time from submit to fence on the copy queue, less that of an empty list.
PlannedCase vulkan_copy(const MeasuredCopyTime& row, const std::string& pointer) {
  WorkloadBuilder builder("copy");
  const QueueType type = queue_of(row.dir);
  const std::size_t queue = builder.queue("copy", type, vulkan_path);
  builder.execute(queue, "copy", {builder.copy(row.dir, row.bytes)});
  builder.signal(queue, "done");
  builder.host("waiter").waits("done").signals("seen");
  PlannedCase result = planned(builder, fmt::format("{} {}", name_of(row.dir), size_text(row.bytes)), pointer, row.us,
                               row.bytes >= mebibyte ? 3 : 15, {{}, {Of::fence, "seen"}});
  result.less_empty_list = type;
  return result;
}

/// Kernel after kernel of one stream, all enqueued at once; what a launch adds once they run back to back.
PlannedCase launch_period(const MeasuredDevice& device, std::uint64_t groups, double measured_us, const char* key) {
  constexpr int between_first_and_last = 62;
  WorkloadBuilder builder("launch");
  const std::size_t stream = builder.queue("stream", QueueType::compute, cuda_path);
  builder.execute(stream, "first", {empty_kernel(builder, device, groups)});
  builder.execute(stream, "next", {empty_kernel(builder, device, groups)});
  for (int i = 1; i < between_first_and_last; ++i) builder.execute(stream, "next");
  builder.execute(stream, "last", {empty_kernel(builder, device, groups)});
  Figure figure{{Of::work_end, "first"}, {Of::work_end, "last"}};
  figure.divide_by = between_first_and_last + 1;
  return planned(builder, fmt::format("period of empty kernels, {} group{}", groups, groups == 1 ? "" : "s"),
                 fmt::format("/launch/{}", key), measured_us, 10, figure);
}

/// The host launches a kernel that writes to host memory, where the host waits for it.
PlannedCase host_round_trip(const MeasuredDevice& device, double measured_us) {
  WorkloadBuilder builder("launch");
  const std::size_t stream = builder.queue("stream", QueueType::compute, cuda_path);
  builder.execute(stream, "kernel", {empty_kernel(builder, device, 1)});
  builder.signal(stream, "done");
  builder.host("waiter").waits("done").signals("seen");
  return planned(builder, "host to device to host", "/launch/host_to_device_to_host_us", measured_us, 10,
                 {{}, {Of::fence, "seen"}});
}

/// From one kernel's last group to the next one's first, with what says that it may start in between.
PlannedCase gap(const MeasuredDevice& device, const char* key, const char* name, double measured_ns, bool other_queue,
                const char* path) {
  constexpr std::uint64_t cycles = 40000;  // long enough that the second launch waits for the first kernel only
  WorkloadBuilder builder("gap");
  const auto kernel = [&] {
    return spin_command(builder, "kernel", {measured_shaders::empty_kernel_threads, device.spin_regs, 0}, 1, cycles);
  };
  const std::size_t first = builder.queue("first", QueueType::compute, path);
  const std::size_t second = other_queue ? builder.queue("second", QueueType::compute, path) : first;
  builder.execute(first, "kernel", {kernel()});
  if (other_queue) {
    builder.signal(first, "done");
    builder.wait(second, "done");
  }
  builder.execute(second, "next", {kernel()});
  return planned(builder, name, fmt::format("/fences/{}", key), measured_ns / 1e3, 10,
                 {{Of::work_end, "kernel"}, {Of::work_start, "next"}});
}

/// "d2d 4x1GiB"
struct SharingCopy {
  CopyDirection direction = CopyDirection::h2d;
  std::uint64_t times = 1;
  std::uint64_t bytes = 0;
};

/// Reads a number and goes past it; 0 when there is none.
std::uint64_t number_at(const std::string& text, std::size_t& position) {
  std::uint64_t number = 0;
  for (; position < text.size() && text[position] >= '0' && text[position] <= '9' && number < mebibyte; ++position) {
    number = number * 10 + static_cast<std::uint64_t>(text[position] - '0');
  }
  return number;
}

std::optional<SharingCopy> sharing_copy(const std::string& text) {
  SharingCopy copy;
  const std::size_t space = text.find(' ');
  bool known = false;
  for (const auto& [direction, name] : enum_names(CopyDirection{})) {
    if (text.compare(0, space, name) != 0) continue;
    copy.direction = direction;
    known = true;
  }
  if (!known || space == std::string::npos) return std::nullopt;
  std::size_t position = space + 1;
  std::uint64_t number = number_at(text, position);
  if (position < text.size() && text[position] == 'x') {
    copy.times = number;
    number = number_at(text, ++position);
  }
  const std::string unit = text.substr(position);
  const int shift = unit == "KiB" ? 10 : unit == "MiB" ? 20 : unit == "GiB" ? 30 : -1;
  if (shift < 0 || number == 0 || copy.times == 0 || copy.times > 1024) return std::nullopt;
  copy.bytes = number << shift;
  return copy;
}

void add_sharing(const MeasuredSharing& row, const PlanInput& input, std::size_t index, Plan& cases) {
  const std::string pointer = row_pointer("bandwidth_sharing", index);
  const bool kernel = row.kernel_us > 0;
  const bool copies = row.copy_us > 0;
  WorkloadBuilder builder("sharing");
  if (kernel) {
    ComputePipeline pipeline;
    pipeline.name = "read";
    pipeline.group = {measured_shaders::group_threads, input.measured.device.read_regs, 0};
    pipeline.work.vram_bytes = (measured_shaders::streaming_bytes + measured_shaders::streaming_groups - 1) /
                               measured_shaders::streaming_groups;
    const std::size_t stream = builder.queue("kernel", QueueType::compute, cuda_path);
    builder.execute(stream, "kernel",
                    {DispatchCommand{builder.pipeline(pipeline), measured_shaders::streaming_groups, 1, 1}});
  }
  if (copies) {
    const std::optional<SharingCopy> copy = sharing_copy(row.copy);
    if (!copy) {
      throw ConfigError(input.measured.path, pointer + "/copy", "a copy such as \"h2d 256MiB\" or \"d2d 4x1GiB\"",
                        in_quotes(row.copy));
    }
    const std::size_t stream = builder.queue("copy", queue_of(copy->direction), cuda_path);
    for (std::uint64_t i = 0; i < copy->times; ++i) {
      builder.execute(stream, fmt::format("copy{}", i), {builder.copy(copy->direction, copy->bytes)});
    }
    builder.signal(stream, "copied");
  }
  const Workload workload = builder.finish();
  const auto add = [&](const std::string& name, double measured_us, Figure figure) {
    PlannedCase one;
    one.name = name;
    one.pointer = pointer;
    one.measured_us = measured_us;
    one.limit_pct = 12;
    one.plays.push_back(workload);
    one.figure = std::move(figure);
    cases.push_back(std::move(one));
  };
  if (kernel) {
    add(copies ? fmt::format("kernel beside {}", row.copy) : "kernel", row.kernel_us,
        {{Of::work_start, "kernel"}, {Of::work_end, "kernel"}});
  }
  if (copies) {
    add(kernel ? fmt::format("{} beside kernel", row.copy) : row.copy, row.copy_us,
        {{Of::list_start, "copy0"}, {Of::fence, "copied"}});
  }
}

const char* name_of(L2Beside beside) {
  for (const auto& [value, name] : enum_names(L2Beside{})) {
    if (value == beside) return name;
  }
  return "";
}

/// Kernels of so many groups, one an SM, that begin together.
void add_l2(const MeasuredL2& row, const PlanInput& input, std::size_t index, Plan& cases) {
  const std::string pointer = row_pointer("l2_us", index);
  const bool beside = row.beside == L2Beside::same || row.beside == L2Beside::stream;
  if (row.other_us.has_value() != beside) {
    throw ConfigError(input.measured.path, pointer + "/other_us",
                      beside ? "the time of the kernel beside" : "no time, since nothing runs beside",
                      beside ? "none" : fmt::format("{}", *row.other_us));
  }
  WorkloadBuilder builder("l2");
  const auto add_kernel = [&](const std::string& name, std::uint64_t set_bytes) {
    ComputePipeline pipeline;
    pipeline.name = name;
    pipeline.group = {row.threads, input.measured.device.read_regs, 0};
    pipeline.work.vram_bytes = row.bytes_per_block;
    pipeline.work.working_set_bytes = set_bytes;
    pipeline.work.bytes_in_flight_per_thread = measured_shaders::walk_bytes_in_flight;
    const std::size_t stream = builder.queue(name, QueueType::compute, cuda_path);
    builder.execute(stream, name, {DispatchCommand{builder.pipeline(pipeline), row.blocks, 1, 1}});
  };
  const auto set_bytes = static_cast<std::uint64_t>(std::llround(row.set_mb * mebibyte));
  add_kernel("kernel", set_bytes);
  if (beside) add_kernel("other", row.beside == L2Beside::same ? set_bytes : 0);
  const Workload workload = builder.finish();
  const auto add = [&](const std::string& name, double measured_us, const char* kernel) {
    PlannedCase one;
    one.name = name;
    one.pointer = pointer;
    one.measured_us = measured_us;
    one.limit_pct = 10;
    one.plays.push_back(workload);
    one.figure = {{Of::work_start, kernel}, {Of::work_end, kernel}};
    cases.push_back(std::move(one));
  };
  const std::string name = fmt::format("{} groups, {} MiB, beside {}", row.blocks, row.set_mb, name_of(row.beside));
  add(name, row.us, "kernel");
  if (beside) add(name + ": the other", *row.other_us, "other");
}

}  // namespace

Plan plan_copies(const PlanInput& input) {
  const bool vulkan = input.measured.copies_of_vulkan();
  Plan cases;
  for (std::size_t i = 0; i < input.measured.copies_us.size(); ++i) {
    const MeasuredCopyTime& row = input.measured.copies_us[i];
    const std::string pointer = row_pointer("copies_us", i);
    cases.push_back(vulkan ? vulkan_copy(row, pointer) : cuda_copy(row, pointer));
  }
  return cases;
}

Plan plan_block_waves(const PlanInput& input) {
  return plan_rows(
      input.measured.microbenchmarks.block_waves, "block_waves",
      [&](Plan& cases, const MeasuredBlockWave& row, const std::string& pointer) {
        WorkloadBuilder builder("block waves");
        const std::size_t stream = builder.queue("stream", QueueType::compute, cuda_path);
        builder.execute(stream, "kernel",
                        {spin_command(builder, "spin", {row.threads, input.measured.device.spin_regs, row.smem},
                                      row.grid, row.cycles)});
        cases.push_back(
            planned(builder,
                    fmt::format("{} groups of {}, {} B shared, {} cycles", row.grid, row.threads, row.smem, row.cycles),
                    pointer, row.us, 2, {{Of::work_start, "kernel"}, {Of::work_end, "kernel"}}));
      });
}

Plan plan_launch(const PlanInput& input) {
  const MeasuredLaunch& row = input.measured.microbenchmarks.launch;
  const MeasuredDevice& device = input.measured.device;
  Plan cases;
  if (row.empty_1block_period_us) {
    cases.push_back(launch_period(device, 1, *row.empty_1block_period_us, "empty_1block_period_us"));
  }
  if (row.empty_1056block_period_us) {
    cases.push_back(launch_period(device, 1056, *row.empty_1056block_period_us, "empty_1056block_period_us"));
  }
  if (row.host_to_device_to_host_us) cases.push_back(host_round_trip(device, *row.host_to_device_to_host_us));
  return cases;
}

Plan plan_fences(const PlanInput& input) {
  const MeasuredFences& row = input.measured.microbenchmarks.fences;
  const MeasuredDevice& device = input.measured.device;
  const char* value_path =
      input.machine.submission_paths.count(cuda_value_fence_path) > 0 ? cuda_value_fence_path : cuda_path;
  Plan cases;
  if (row.same_queue_gap_ns) {
    cases.push_back(gap(device, "same_queue_gap_ns", "same queue", *row.same_queue_gap_ns, false, cuda_path));
  }
  if (row.cross_queue_event_gap_ns) {
    cases.push_back(gap(device, "cross_queue_event_gap_ns", "other queue through an event",
                        *row.cross_queue_event_gap_ns, true, cuda_path));
  }
  if (row.cross_queue_value_fence_gap_ns) {
    cases.push_back(gap(device, "cross_queue_value_fence_gap_ns", "other queue through a 64-bit value",
                        *row.cross_queue_value_fence_gap_ns, true, value_path));
  }
  return cases;
}

Plan plan_bandwidth_sharing(const PlanInput& input) {
  Plan cases;
  const auto& rows = input.measured.microbenchmarks.bandwidth_sharing;
  for (std::size_t i = 0; i < rows.size(); ++i) add_sharing(rows[i], input, i, cases);
  return cases;
}

Plan plan_l2(const PlanInput& input) {
  Plan cases;
  const auto& rows = input.measured.microbenchmarks.l2_us;
  for (std::size_t i = 0; i < rows.size(); ++i) add_l2(rows[i], input, i, cases);
  return cases;
}

}  // namespace fenceline

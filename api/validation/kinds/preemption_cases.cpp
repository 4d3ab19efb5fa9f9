// SPDX-License-Identifier: Apache-2.0
// Translations of rows that need preemption: block_boundary_preemption, time_slicing.json, context_preemption.json and
// the tables of gv100.
#include "api/validation/kinds/kinds.hpp"
#include "api/validation/measured/measured_shaders.hpp"
#include "api/validation/play/case_player.hpp"
#include "api/validation/play/workload_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <utility>

namespace fenceline {
namespace {

using Of = Moment::Of;

/// The i-th of moments that lie evenly over [0, 1) and jump about: multiples of the golden section.
double spread_evenly(std::size_t i) {
  constexpr double golden_section = 0.6180339887498949;
  const double multiple = (static_cast<double>(i) + 0.5) * golden_section;
  return multiple - std::floor(multiple);
}

std::uint64_t cycles_of_us(double us, const MachineConfig& machine) {
  return static_cast<std::uint64_t>(std::llround(us * machine.shader_array.clock_mhz));
}

/// Shown, without a limit.
PlannedCase informative(PlannedCase one) {
  one.limit_pct.reset();
  one.counts = false;
  return one;
}

/// The background kernel keeps every SM full (2 groups of 1024 threads each). How many waves of groups it had and when
/// the launches came is not in the rows; the least and greatest latency of same_priority say: 39 waves of the short
/// groups, 7 of the long ones, launches while the second wave ran. Here they lie evenly over that time.
std::shared_ptr<const Samples> boundary_samples(const MeasuredBoundary& row, const PlanInput& input) {
  constexpr int moments = 40;
  constexpr double longest_short_us = 100;
  constexpr std::uint64_t groups_per_wave = std::uint64_t{132} * 2;
  auto samples = std::make_shared<Samples>();
  for (int moment = 0; moment < moments; ++moment) {
    WorkloadBuilder builder("boundary");
    const double after_us = row.block_us * (1 + (moment + 0.5) / moments);
    const QueuePriority priority =
        row.mode == BoundaryMode::high_priority ? QueuePriority::high : QueuePriority::normal;
    if (row.mode != BoundaryMode::idle) {
      const std::size_t background = builder.queue("background", QueueType::compute, cuda_path);
      const std::uint64_t waves = row.block_us <= longest_short_us ? 39 : 7;
      builder.execute(background, "background",
                      {spin_command(builder, "spin", {1024, input.measured.device.spin_regs, 0},
                                    groups_per_wave * waves, cycles_of_us(row.block_us, input.machine))});
    }
    const std::size_t stream = builder.queue("stream", QueueType::compute, cuda_path, priority);
    builder.list(stream, "kernel", {empty_kernel(builder, input.measured.device, 1)});
    builder.host("host").works(after_us).executes(stream, "kernel").signals(stream, "done");
    builder.host("waiter").waits("done").signals("seen");
    samples->plays.push_back(builder.finish());
  }
  samples->figures = {{{Of::submitted, "kernel"}, {Of::fence, "seen"}}};
  return samples;
}

/// Two processes, each with one kernel that lasts for so many slices.
Workload endless_kernels(const MeasuredSlicing& row, const PlanInput& input) {
  constexpr double endless_us = 50'000;
  WorkloadBuilder builder("time slicing");
  const GroupFootprint footprint{row.threads, input.measured.device.spin_regs, row.smem};
  const CommandInfo kernel =
      spin_command(builder, "spin", footprint, row.blocks, cycles_of_us(endless_us, input.machine));
  for (const char* process : {"first", "second"}) {
    const std::size_t stream = builder.queue(process, QueueType::compute, cuda_path);
    builder.owned_by(stream, process);
    builder.execute(stream, process, {kernel});
  }
  return builder.finish();
}

std::shared_ptr<const Samples> slicing_samples(const Workload& workload, Samples::Of of, const char* list) {
  auto samples = std::make_shared<Samples>();
  samples->plays.push_back(workload);
  samples->of = of;
  samples->list = list;
  return samples;
}

/// What the background process of a row executes again and again.
CommandInfo background_command(WorkloadBuilder& builder, const MeasuredContextPreemption& row) {
  if (row.background_queue == 1) return dispatch_command(builder, {row.groups, row.loops});
  return draw_command(builder, 1, measured_shaders::background_draw_pixels, row.loops);
}

constexpr std::size_t context_sample_count = 60;

/// Here a host sleeps, submits a short dispatch, waits for it, and so on.
void add_sampler(WorkloadBuilder& builder, double after_sleep_us) {
  const std::size_t queue = builder.queue("sampler", QueueType::compute, vulkan_path);
  builder.owned_by(queue, "sampler");
  auto host = builder.host("sampler");
  const CommandInfo dispatch = dispatch_command(builder, {1, 0});
  for (std::size_t i = 0; i < context_sample_count; ++i) {
    const std::string list = fmt::format("sample {}", i);
    const std::string done = fmt::format("done {}", i);
    builder.list(queue, list, {dispatch});
    host.works(measured_shaders::least_sleep_us + measured_shaders::sleep_range_us * spread_evenly(i));
    host.signals(fmt::format("asked {}", i)).works(after_sleep_us).executes(queue, list).signals(queue, done);
    host.waits(done).signals(fmt::format("seen {}", i));
  }
}

/// There another process keeps two lists submitted on one queue, for as long as the samples may take.
void add_background(WorkloadBuilder& builder, const MeasuredContextPreemption& row, CasePlayer& player) {
  const QueueType type = row.background_queue == 0 ? QueueType::direct : QueueType::compute;
  const auto add_list = [&](WorkloadBuilder& to) {
    const std::size_t queue = to.queue("background", type, vulkan_path);
    to.list(queue, "background", std::vector<CommandInfo>(row.draws_or_dispatches, background_command(to, row)));
    return queue;
  };
  WorkloadBuilder alone("background");
  alone.execute(add_list(alone), "background");
  const double list_us =
      player.figure_us(alone.finish(), {{Of::list_start, "background"}, {Of::list_end, "background"}});
  constexpr double most_lists_a_sample = 3;  // the two that are submitted, and the switches
  constexpr double most_us = measured_shaders::least_sleep_us + measured_shaders::sleep_range_us + 3000;
  const std::size_t queue = add_list(builder);
  builder.owned_by(queue, "background");
  const double lists = context_sample_count * (most_lists_a_sample + most_us / list_us);
  constexpr double most_lists = 1e6;  // of lists that take no time none keeps it busy
  builder.keeps_busy(queue, "background", static_cast<std::uint64_t>(std::min(lists, most_lists)));
}

std::shared_ptr<const Samples> context_samples(const MeasuredContextPreemption& row, double after_sleep_us) {
  auto samples = std::make_shared<Samples>();
  for (std::size_t i = 0; i < context_sample_count; ++i) {
    samples->figures.push_back({{Of::fence, fmt::format("asked {}", i)}, {Of::fence, fmt::format("seen {}", i)}});
  }
  samples->fitted = [row, after_sleep_us](CasePlayer& player) {
    WorkloadBuilder builder("context preemption");
    add_sampler(builder, after_sleep_us);
    if (row.draws_or_dispatches > 0) add_background(builder, row, player);
    return builder.finish();
  };
  return samples;
}

/// 1, 2 or 3, as the name of the table says. Else what its latencies look like beside the kernels: several of them,
/// one at most, hardly any of one.
int level_of(const std::string& path, const std::vector<MeasuredLevel>& rows) {
  const std::string name = std::filesystem::path(path).stem().string();
  for (const int level : {1, 2, 3}) {
    if (name.find(fmt::format("level{}", level)) != std::string::npos) return level;
  }
  double least = rows.front().p90 / rows.front().kernel_time;
  for (const MeasuredLevel& row : rows) least = std::min(least, row.p90 / row.kernel_time);
  constexpr double one_kernel = 2;
  constexpr double hardly_any = 0.5;
  return least > one_kernel ? 1 : least > hardly_any ? 2 : 3;
}

/// Where a machine's compute engines stop at a level: not at all, between kernels, inside them.
void stop_at_level(MachineConfig& machine, int level) {
  constexpr std::array<ComputePreemption, 3> granularity = {
      ComputePreemption::none, ComputePreemption::dispatch_boundary, ComputePreemption::shader_boundary};
  for (NodeConfig& node : machine.engines) {
    auto* engine = std::get_if<ComputeEngineConfig>(&node);
    if (engine == nullptr) continue;
    engine->compute_preemption = {granularity.at(static_cast<std::size_t>(level - 1)), {}};
    engine->hardware_queues = 1;  // the queue that is stopped, and nothing beside it
  }
}

/// A queue of kernels is stopped again and again: from the submission of urgent work until the engine is its. When
/// after its going on it was stopped is not in the tables, but shows in those of level 2. At level 1 that would give
/// the measured medians of long kernels, but not their means and 99th percentiles, six and eight kernels: they say that
/// the hardware may have held any number between its refills.
std::shared_ptr<const Samples> level_samples(const MeasuredLevel& row, int level, const PlanInput& input) {
  constexpr std::size_t count = 300;
  constexpr std::uint64_t groups = 64;
  constexpr std::uint32_t threads = 64;
  constexpr std::uint64_t kernels_submitted = 64;
  const double kernel_us = row.kernel_time * measured_shaders::gv100_kernel_stretch;
  const double longest_rest_us =
      level == 1 ? measured_shaders::gv100_kernels_held * kernel_us : measured_shaders::gv100_longest_rest_us;
  auto samples = std::make_shared<Samples>();
  WorkloadBuilder builder("preemption");
  const std::size_t kernels = builder.queue("kernels", QueueType::compute, cuda_path);
  builder.list(kernels, "kernel",
               {spin_command(builder, "kernel", {threads, input.measured.device.spin_regs, 0}, groups,
                             cycles_of_us(kernel_us, input.machine))});
  const std::size_t urgent = builder.queue("urgent", QueueType::compute, cuda_path, QueuePriority::high);
  auto host = builder.host("host");
  for (std::size_t i = 0; i < count; ++i) {
    const std::string list = fmt::format("urgent {}", i);
    const std::string done = fmt::format("done {}", i);
    builder.list(urgent, list, {});
    host.works(longest_rest_us * spread_evenly(i));
    host.executes(urgent, list).signals(urgent, done).waits(done);
    samples->figures.push_back({{Of::submitted, list}, {Of::list_start, list}});
  }
  constexpr double most_kernels_a_sample = 9;  // those that the hardware holds, and one more
  const double most = count * (most_kernels_a_sample + (longest_rest_us + 100) / kernel_us);
  builder.keeps_busy(kernels, "kernel", static_cast<std::uint64_t>(most), kernels_submitted);
  samples->plays.push_back(builder.finish());
  samples->adapt = [level](MachineConfig& machine) { stop_at_level(machine, level); };
  return samples;
}

}  // namespace

Plan plan_block_boundary(const PlanInput& input) {
  constexpr double limit_pct = 12;
  return plan_rows(input.measured.microbenchmarks.block_boundary_preemption, "block_boundary_preemption",
                   [&](Plan& cases, const MeasuredBoundary& row, const std::string& pointer) {
                     const auto samples = boundary_samples(row, input);
                     const auto add = [&](const std::optional<double>& measured_us, Statistic statistic,
                                          const char* text, bool judged) {
                       if (!measured_us || *measured_us <= 0) return;
                       const char* mode = enum_names(row.mode)[static_cast<std::size_t>(row.mode)].second;
                       PlannedCase one = sampled(fmt::format("{}, groups of {} us, {}", mode, row.block_us, text),
                                                 pointer, *measured_us, limit_pct, samples, statistic);
                       cases.push_back(judged ? std::move(one) : informative(std::move(one)));
                     };
                     add(row.p50, Statistic::p50, "p50", row.mode != BoundaryMode::idle);
                     add(row.max, Statistic::max, "max", row.mode == BoundaryMode::high_priority);
                   });
}

Plan plan_time_slicing(const PlanInput& input) {
  constexpr double slice_limit_pct = 3;
  constexpr double switch_limit_pct = 10;
  constexpr std::array<const char*, 2> processes = {"first", "second"};
  return plan_rows(
      input.measured.preemption.time_slicing, "time_slicing",
      [&](Plan& cases, const MeasuredSlicing& row, const std::string& pointer) {
        if (row.ok && !*row.ok) return;
        const Workload workload = endless_kernels(row, input);
        const std::string what = fmt::format("{} groups of {}, {} B shared", row.blocks, row.threads, row.smem);
        for (std::size_t process = 0; process < std::min(row.slice_us.size(), processes.size()); ++process) {
          cases.push_back(sampled(fmt::format("{}: slice of the {} process", what, processes[process]), pointer,
                                  row.slice_us[process], slice_limit_pct,
                                  slicing_samples(workload, Samples::Of::slices, processes[process])));
        }
        if (row.switch_us.p50) {
          cases.push_back(sampled(fmt::format("{}: switch", what), pointer, *row.switch_us.p50, switch_limit_pct,
                                  slicing_samples(workload, Samples::Of::switches, "")));
        }
      });
}

Plan plan_context_preemption(const PlanInput& input) {
  constexpr double limit_pct = 15;
  return plan_rows(input.measured.preemption.context_preemption, "context_preemption",
                   [&](Plan& cases, const MeasuredContextPreemption& row, const std::string& pointer) {
                     const auto samples = context_samples(row, input.machine.host.after_sleep_us);
                     const bool dispatches = row.background_queue == 1;
                     const std::string what =
                         row.draws_or_dispatches == 0 ? "nothing else"
                         : dispatches                 ? fmt::format("beside {} dispatches of {} groups, {} loops",
                                                                    row.draws_or_dispatches, row.groups, row.loops)
                                      : fmt::format("beside {} draws, {} loops", row.draws_or_dispatches, row.loops);
                     const auto add = [&](const std::optional<double>& measured_us, Statistic statistic,
                                          const char* text, bool judged) {
                       if (!measured_us) return;
                       PlannedCase one = sampled(fmt::format("{}, {}", what, text), pointer, *measured_us, limit_pct,
                                                 samples, statistic);
                       cases.push_back(judged ? std::move(one) : informative(std::move(one)));
                     };
                     add(row.latency_us.p50, Statistic::p50, "p50", true);
                     add(row.latency_us.p90, Statistic::p90, "p90", false);
                     add(row.latency_us.max, Statistic::max, "max", false);
                   });
}

Plan plan_kernel_time(const PlanInput& input) {
  constexpr double limit_pct = 12;
  const auto& rows = input.measured.preemption.kernel_time;
  if (rows.empty()) return {};
  const int level = level_of(input.measured.path, rows);
  return plan_rows(rows, "kernel_time", [&](Plan& cases, const MeasuredLevel& row, const std::string& pointer) {
    const auto samples = level_samples(row, level, input);
    const auto add = [&](double measured_us, Statistic statistic, const char* text, bool judged) {
      PlannedCase one = sampled(fmt::format("kernels of {} us, {}", row.kernel_time, text), pointer, measured_us,
                                limit_pct, samples, statistic);
      cases.push_back(judged ? std::move(one) : informative(std::move(one)));
    };
    add(row.avg, Statistic::mean, "mean", true);
    add(row.p50, Statistic::p50, "p50", false);
    add(row.p90, Statistic::p90, "p90", false);
    add(row.p99, Statistic::p99, "p99", true);
  });
}

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
// Translations of published figures: a small workload each that shows the figure on the machine.
#include "api/validation/kinds/kinds.hpp"
#include "api/validation/measured/measured_published.hpp"
#include "api/validation/play/workload_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace fenceline {
namespace {

using Of = Moment::Of;

constexpr double bytes_a_mib = 1024 * 1024;
/// vram_read: so many bytes, in groups of 256 threads with one 16-byte load in flight a thread.
constexpr double read_bytes = 2048 * bytes_a_mib;
constexpr std::uint32_t group_threads = 256;
constexpr std::uint64_t groups_per_sm = 64;
/// lattice_boltzmann: a box of 256^3 cells, a thread each, in groups of 64. FluidX3D's README: a cell takes 153 bytes
/// and 363 operations a step; all of its 19 values of 4 bytes are in flight at once (assumption), in 64 registers
/// (assumption).
constexpr std::uint64_t cells = std::uint64_t{256} * 256 * 256;
constexpr std::uint32_t cell_group = 64;
constexpr std::uint32_t cell_bytes = 153;
constexpr std::uint32_t cell_bytes_in_flight = 76;
constexpr double cell_instructions = 363;
constexpr std::uint32_t cell_registers = 64;
/// fp32: multiply-adds of a thread, each behind the one before.
constexpr double multiply_adds = 16384;
/// load_latency: dependent loads of one thread, each so large that a set is walked often enough to be warm, as the
/// benchmarks' is, and small beside what memory moves meanwhile. At most so many, which take about a second.
constexpr std::uint32_t load_bytes = 8192;
constexpr double most_loads = 1e6;
constexpr double walks = 256;
constexpr std::uint64_t copy_bytes = std::uint64_t{256} << 20;

/// A kernel, and what it has done when it ends.
struct Kernel {
  ComputePipeline pipeline;
  std::uint64_t groups = 1;
  double amount = 1;  ///< in the figure's unit times a microsecond; of times, the number of them in one unit
};

void loads_through(double set_bytes, Kernel& kernel) {
  const double loads = std::ceil(std::min(most_loads, walks * set_bytes / load_bytes));
  kernel.pipeline.group = {1, 32, 0};
  kernel.pipeline.work.vram_bytes = static_cast<std::uint64_t>(loads) * load_bytes;
  kernel.pipeline.work.working_set_bytes = static_cast<std::uint64_t>(std::llround(set_bytes));
  kernel.pipeline.work.bytes_in_flight_per_thread = load_bytes;
  kernel.amount = 1e3 / loads;
}

Kernel kernel_of(const PublishedFigure& row, const MachineConfig& machine) {
  Kernel kernel;
  kernel.pipeline.name = "kernel";
  kernel.pipeline.group = {group_threads, 32, 0};
  const std::uint64_t sms = machine.shader_array.sms;
  GroupWork& work = kernel.pipeline.work;
  switch (row.figure) {
    case PublishedKind::vram_read:
      kernel.groups = sms * groups_per_sm;
      work.vram_bytes = static_cast<std::uint64_t>(read_bytes) / kernel.groups;
      kernel.amount = static_cast<double>(work.vram_bytes * kernel.groups) / 1e3;
      break;
    case PublishedKind::lattice_boltzmann:
      kernel.pipeline.group = {cell_group, cell_registers, 0};
      kernel.groups = cells / cell_group;
      work.vram_bytes = std::uint64_t{cell_group} * cell_bytes;
      work.bytes_in_flight_per_thread = cell_bytes_in_flight;
      work.shader.alu_instructions = cell_instructions;
      kernel.amount = static_cast<double>(cells);
      break;
    case PublishedKind::fp32:
      kernel.groups = sms * groups_per_sm;
      work.shader.alu_instructions = multiply_adds;
      kernel.amount = 2 * multiply_adds * static_cast<double>(kernel.groups * group_threads) / 1e6;
      break;
    case PublishedKind::load_latency: loads_through(*row.set_mib * bytes_a_mib, kernel); break;
    case PublishedKind::launch_latency:  // empty
    case PublishedKind::pcie_to_device:
    case PublishedKind::pcie_to_host: break;
  }
  return kernel;
}

/// Others measured through OpenCL, Vulkan and HIP: Vulkan's path, or CUDA's where a machine has no other.
const char* path_of(const MachineConfig& machine) {
  return machine.submission_paths.count(vulkan_path) == 0 && machine.submission_paths.count(cuda_path) > 0
             ? cuda_path
             : vulkan_path;
}

/// What the row says in its own unit, and how a time is told in it.
FigureInUnits in_units(const PublishedFigure& row) {
  FigureInUnits units;
  units.measured = row.value;
  units.source = fmt::format("{}, {}: {}", row.source, row.year, row.measured);
  return units;
}

PlannedCase planned(const PublishedFigure& row, const MachineConfig& machine, std::string pointer) {
  PlannedCase one;
  const char* name = enum_names(row.figure)[static_cast<std::size_t>(row.figure)].second;
  one.name = row.set_mib ? fmt::format("{}, {} MiB", name, *row.set_mib) : name;
  one.pointer = std::move(pointer);
  FigureInUnits units = in_units(row);
  WorkloadBuilder builder("published");
  if (row.figure == PublishedKind::pcie_to_device || row.figure == PublishedKind::pcie_to_host) {
    const bool to_device = row.figure == PublishedKind::pcie_to_device;
    const std::size_t queue = builder.queue("copy", QueueType::copy, path_of(machine));
    builder.execute(queue, "list", {builder.copy(to_device ? CopyDirection::h2d : CopyDirection::d2h, copy_bytes)});
    one.figure = {{Of::list_start, "list"}, {Of::list_end, "list"}};
    units.amount = static_cast<double>(copy_bytes) / 1e3;
  } else {
    const Kernel kernel = kernel_of(row, machine);
    const std::size_t queue = builder.queue("compute", QueueType::compute, path_of(machine));
    builder.list(queue, "list", {DispatchCommand{builder.pipeline(kernel.pipeline), kernel.groups, 1, 1}});
    one.figure = {{Of::work_start, "list"}, {Of::work_end, "list"}};
    units.amount = kernel.amount;
    if (row.figure == PublishedKind::launch_latency) {
      builder.host("host").executes(queue, "list");
      one.figure = {{}, {Of::work_end, "list"}};
    } else {
      builder.execute(queue, "list");
    }
    units.is_time = row.figure == PublishedKind::launch_latency || row.figure == PublishedKind::load_latency;
  }
  one.measured_us = units.us_of(row.value);
  one.units = std::move(units);
  one.plays.push_back(builder.finish());
  return one;
}

}  // namespace

Plan plan_published(const PlanInput& input) {
  return plan_rows(input.measured.published, "published",
                   [&](Plan& cases, const PublishedFigure& row, const std::string& pointer) {
                     cases.push_back(planned(row, input.machine, pointer));
                   });
}

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#include "api/import/kineto_work.hpp"

#include "engines/shader_array/rules/occupancy.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fenceline {
namespace {

constexpr double same_time = 0.05;        // of lists that become one
constexpr std::int64_t tick_ps = 32'000;  // of the profiler's clock on an H200: every measured time is a multiple
constexpr std::uint64_t most_waves = 1'000'000;  // each is simulated

std::uint64_t bytes_of(const KinetoOp& op) { return std::max<std::uint64_t>(1, op.bytes); }

GroupFootprint footprint_of(const KinetoOp& op) { return {op.threads, op.registers_per_thread, op.shared_bytes}; }

/// Why not even one group fits on an SM.
std::string misfit(const GroupFootprint& footprint, const ShaderArrayConfig& sm) {
  const GroupOccupancy need = occupancy_of(footprint, sm);
  if (need.threads > sm.threads_per_sm) return fmt::format("{} threads of {}", need.threads, sm.threads_per_sm);
  if (need.registers > sm.registers_per_sm) {
    return fmt::format("{} registers of {}", need.registers, sm.registers_per_sm);
  }
  return fmt::format("{} bytes of shared memory of {}", need.shared_bytes, sm.shared_bytes_per_sm);
}

std::int64_t rounded_to_tick(double ps) {
  return std::max<std::int64_t>(1, std::llround(ps / static_cast<double>(tick_ps))) * tick_ps;
}

}  // namespace

std::string short_kernel_name(const std::string& name) {
  constexpr std::string_view anonymous = "(anonymous namespace)::";
  std::string text = name;
  for (std::size_t at = text.find(anonymous); at != std::string::npos; at = text.find(anonymous)) {
    text.erase(at, anonymous.size());
  }
  text.resize(std::min(text.find_first_of("<("), text.size()));
  const std::size_t scope = text.rfind("::");
  if (scope != std::string::npos) text.erase(0, scope + 2);
  text.erase(text.find_last_not_of(' ') + 1);
  const std::size_t space = text.rfind(' ');  // "void kernel"
  if (space != std::string::npos) text.erase(0, space + 1);
  constexpr std::size_t longest = 48;
  text = one_line(text.substr(0, longest));
  return text.empty() ? "kernel" : text;
}

KinetoWork::KinetoWork(const KinetoTrace& trace, const KinetoSchedule& schedule, const std::string& prefix,
                       const MachineConfig& machine, LoneCommands& lone, const KinetoShares& shares, Workload& workload)
    : trace_(trace),
      schedule_(schedule),
      prefix_(prefix),
      machine_(machine),
      lone_(lone),
      workload_(workload),
      costs_{kineto_costs(machine, false), kineto_costs(machine, true)},
      several_(schedule.streams.size(), false),
      own_start_(own_starts(trace, schedule)),
      share_(shares) {
  for (const KinetoList& list : schedule.lists) {
    if (list.ops.size() > 1) several_[list.stream] = true;
  }
}

void KinetoWork::record(KinetoImport& result, const Progress& progress) {
  check_fit();
  find_shapes();
  find_classes();
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    if (progress) progress(i, classes_.size());
    record_class(classes_[i], result);
  }
  add_copy_buffers();
  result.pipelines = pipelines_.size();
  result.lists = recorded_.size();
}

void KinetoWork::check_fit() const {
  const ShaderArrayConfig& sm = machine_.shader_array;
  for (const KinetoOp& op : trace_.ops) {
    if (op.kind != KinetoOp::Kind::kernel) continue;
    const GroupFootprint footprint = footprint_of(op);
    if (groups_that_fit(footprint, sm) == 0) {
      throw trace_.error(op, trace_.pointers.launch,
                         fmt::format("a kernel whose blocks fit on an SM of machine {}", machine_.name),
                         fmt::format("{}, whose block needs {}", in_quotes(short_kernel_name(trace_.names[op.name])),
                                     misfit(footprint, sm)));
    }
    if (op.groups() / lone_.capacity(footprint) > most_waves) {
      throw trace_.error(op, trace_.pointers.grid,
                         fmt::format("blocks for at most {} waves on the machine", most_waves),
                         fmt::format("{} blocks", op.groups()));
    }
  }
}

void KinetoWork::find_shapes() {
  std::map<std::vector<std::uint64_t>, std::uint32_t> shapes;
  for (const KinetoOp& op : trace_.ops) {
    const auto kind = static_cast<std::uint64_t>(op.kind);
    const std::vector<std::uint64_t> shape =
        op.kind == KinetoOp::Kind::kernel
            ? std::vector<std::uint64_t>{kind,           op.name, op.x, op.y, op.z, op.threads, op.registers_per_thread,
                                         op.shared_bytes}
            : std::vector<std::uint64_t>{kind, static_cast<std::uint64_t>(op.route), bytes_of(op)};
    shape_.push_back(shapes.emplace(shape, static_cast<std::uint32_t>(shapes.size())).first->second);
  }
}

void KinetoWork::find_classes() {
  std::map<std::vector<std::uint32_t>, std::vector<std::uint32_t>> by_shapes;
  for (const KinetoList& list : schedule_.lists) {
    std::vector<std::uint32_t> shapes = {several_[list.stream] ? 1u : 0u};
    std::vector<double> advance;
    std::vector<double> own;
    std::int64_t end_ns = 0;
    // What the path costs in the gap before the list; 0 where the gap is the host's.
    const KinetoCosts& costs = costs_of(list.stream);
    const bool waited = !list.waits.empty() && list.idle_ns <= engine_gap_ns;
    const bool followed = list.waits.empty() && !list.first && list.idle_ns <= follow_gap_ns;
    const std::int64_t path_ps = waited ? costs.event_ps : followed ? costs.follow_ps : 0;
    for (std::size_t i = 0; i < list.ops.size(); ++i) {
      const std::uint32_t index = list.ops[i];
      const KinetoOp& op = trace_.ops[index];
      shapes.push_back(shape_[index]);
      own.push_back(static_cast<double>(op.end_ns - own_start_[index]));
      if (i > 0) {
        advance.push_back(static_cast<double>(std::max<std::int64_t>(0, op.end_ns - end_ns)));
      } else if (path_ps > 0) {
        const double since = static_cast<double>(op.end_ns - list.start_ns + list.idle_ns);
        advance.push_back(std::max(since - static_cast<double>(path_ps) / 1e3, own.back() / 2));
      } else {
        advance.push_back(own.back());
      }
      end_ns = std::max(end_ns, op.end_ns);
    }
    double length = 0;
    double alone = 0;
    for (std::size_t i = 0; i < advance.size(); ++i) {
      length += advance[i];
      alone += advance[i] * share_[list.ops[i]];
    }
    const auto length_ns = static_cast<std::int64_t>(std::llround(length));
    const auto alone_ns = static_cast<std::int64_t>(std::llround(alone));
    const auto near = [](std::int64_t first, std::int64_t other) {
      const std::int64_t apart = std::abs(first - other);
      return static_cast<double>(apart) <= same_time * static_cast<double>(first) || apart * 1000 <= 2 * tick_ps;
    };

    std::vector<std::uint32_t>& candidates = by_shapes[shapes];
    const auto fits = std::find_if(candidates.begin(), candidates.end(), [&](std::uint32_t candidate) {
      return near(classes_[candidate].first_length_ns, length_ns) && near(classes_[candidate].first_alone_ns, alone_ns);
    });
    const auto list_index = static_cast<std::uint32_t>(class_of_.size());
    if (fits == candidates.end()) {
      candidates.push_back(static_cast<std::uint32_t>(classes_.size()));
      class_of_.push_back(candidates.back());
      Class one;
      one.first_list = list_index;
      one.first_length_ns = length_ns;
      one.first_alone_ns = alone_ns;
      one.advance_ns.resize(list.ops.size());
      one.own_ns.resize(list.ops.size());
      one.share.resize(list.ops.size());
      one.alone_ps.resize(list.ops.size());
      classes_.push_back(std::move(one));
    } else {
      class_of_.push_back(*fits);
    }
    Class& one = classes_[class_of_.back()];
    ++one.members;
    for (std::size_t i = 0; i < list.ops.size(); ++i) {
      one.advance_ns[i] += advance[i];
      one.own_ns[i] += own[i];
      one.share[i] += share_[list.ops[i]];
    }
  }
}

void KinetoWork::record_class(Class& one, KinetoImport& result) {
  const KinetoList& list = schedule_.lists[one.first_list];
  const auto members = static_cast<double>(one.members);
  const auto barrier_ps = static_cast<double>(costs_of(list.stream).barrier_ps);
  CommandListInfo info;
  info.type = CommandListType::compute;
  std::vector<std::uint64_t> content;
  double measured_ps = 0;   // end of the operation in the list, as measured
  double simulated_ps = 0;  // end of the operation in the list, on the machine
  for (std::size_t i = 0; i < list.ops.size(); ++i) {
    const KinetoOp& op = trace_.ops[list.ops[i]];
    if (i > 0) {
      info.commands.emplace_back(BarrierCommand{});
      simulated_ps += barrier_ps;
    }
    measured_ps += one.advance_ns[i] / members * 1e3;
    if (op.kind == KinetoOp::Kind::kernel) {
      const double share = one.share[i] / members;
      const double least_ps = one.own_ns[i] / members * 1e3 / 2;
      const std::int64_t wanted_ps = rounded_to_tick(std::max(measured_ps - simulated_ps, least_ps) * share);
      LoneCommands::Fit fit;
      info.commands.push_back(dispatch(op, wanted_ps, fit));
      const std::int64_t off_ps = std::abs(static_cast<std::int64_t>(fit.duration_ps) - wanted_ps);
      if (off_ps > tick_ps && off_ps * 1000 > wanted_ps) result.unmatched += one.members;
      one.alone_ps[i] = fit.duration_ps;
      simulated_ps += static_cast<double>(fit.duration_ps) / share;
      content.insert(content.end(),
                     {shape_[list.ops[i]], fit.work.cycles, fit.work.vram_bytes, fit.work.bytes_in_flight_per_thread});
    } else if (op.kind == KinetoOp::Kind::copy) {
      info.commands.push_back(copy(op));
      simulated_ps += static_cast<double>(lone_.duration_ps(CopyBuffer{op.route, bytes_of(op)}));
      content.insert(content.end(), {shape_[list.ops[i]], 0, 0, 0});
    } else {
      info.commands.push_back(fill(op));
      simulated_ps += static_cast<double>(lone_.duration_ps(Clear{bytes_of(op)}));
      content.insert(content.end(), {shape_[list.ops[i]], 0, 0, 0});
    }
  }
  one.length_ps = std::llround(simulated_ps);

  const auto [known, is_new] = recorded_.emplace(content, "");
  if (is_new) {
    const KinetoOp& first = trace_.ops[list.ops.front()];
    const std::string base = list.ops.size() > 1                    ? "graph"
                             : first.kind == KinetoOp::Kind::kernel ? short_kernel_name(trace_.names[first.name])
                             : first.kind == KinetoOp::Kind::copy   ? "copy"
                                                                    : "fill";
    info.name = known->second = unique_name(base, list_counts_);
    workload_.command_lists.push_back(std::move(info));
  }
  one.name = known->second;
  result.executions += one.members;
}

CommandInfo KinetoWork::dispatch(const KinetoOp& op, std::int64_t wanted_ps, LoneCommands::Fit& fit) {
  const GroupFootprint footprint = footprint_of(op);
  const KernelBound bound = bound_of(footprint, op.groups(), static_cast<double>(wanted_ps) / 1e6, machine_);
  fit = lone_.fit(footprint, op.groups(), static_cast<std::uint64_t>(wanted_ps), bound);
  const auto [pipeline, is_new] =
      pipelines_.emplace(std::tuple(op.name, op.threads, op.registers_per_thread, op.shared_bytes, fit.work.cycles,
                                    fit.work.vram_bytes, fit.work.bytes_in_flight_per_thread),
                         "");
  if (is_new) {
    ComputePipeline made;
    made.name = pipeline->second = unique_name(short_kernel_name(trace_.names[op.name]), pipeline_counts_);
    made.group = footprint;
    made.work = fit.work;
    workload_.compute_pipelines.push_back(std::move(made));
  }
  return DispatchCommand{pipeline->second, op.x, op.y, op.z};
}

CommandInfo KinetoWork::copy(const KinetoOp& op) {
  const bool from_host = op.route == CopyRoute::host_to_device || op.route == CopyRoute::host_to_host;
  const bool to_host = op.route == CopyRoute::device_to_host || op.route == CopyRoute::host_to_host;
  CopyBufferCommand command;
  command.source = prefix_ + (from_host ? "host source" : "device source");
  command.destination = prefix_ + (to_host ? "host destination" : "device destination");
  command.bytes = bytes_of(op);
  for (const std::string& buffer : {command.source, command.destination}) {
    copy_buffers_[buffer] = std::max(copy_buffers_[buffer], bytes_of(op));
  }
  return command;
}

CommandInfo KinetoWork::fill(const KinetoOp& op) {
  const auto [resource, is_new] = fills_.emplace(bytes_of(op), "");
  if (is_new) {
    resource->second = fmt::format("{}filled {} B", prefix_, bytes_of(op));
    workload_.resources.emplace_back(BufferResource{resource->second, HeapType::default_heap, bytes_of(op)});
  }
  ClearCommand command;
  command.target = resource->second;
  return command;
}

void KinetoWork::add_copy_buffers() {
  for (const auto& [name, bytes] : copy_buffers_) {
    const std::string own = name.substr(prefix_.size());
    const HeapType heap = own == "host source"        ? HeapType::upload
                          : own == "host destination" ? HeapType::readback
                                                      : HeapType::default_heap;
    workload_.resources.emplace_back(BufferResource{name, heap, bytes});
  }
}

std::string KinetoWork::unique_name(const std::string& base, std::map<std::string, std::uint64_t>& counts) const {
  return fmt::format("{}{}.{}", prefix_, base, ++counts[base]);
}

}  // namespace fenceline

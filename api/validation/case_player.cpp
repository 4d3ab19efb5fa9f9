// SPDX-License-Identifier: Apache-2.0
#include "api/validation/case_player.hpp"

#include "api/machine.hpp"
#include "api/validation/moment_log.hpp"
#include "api/validation/workload_builder.hpp"
#include "api/workload/player.hpp"
#include "api/workload/satisfiable.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace fenceline {

double CasePlayer::figure_us(const Workload& workload, const Figure& figure, std::vector<ValidationOp>* ops,
                             const std::vector<PlannedOp>& planned_ops) const {
  const Program program = make_program(workload, file_);
  check_waits(program, file_);
  check_machine(program, file_, machine_);
  Machine machine(machine_);
  MomentLog moments;
  machine.log().attach(moments, EventLog::Detail::waves);
  Player player(machine, program);
  if (!player.play()) throw std::logic_error(fmt::format("{}: case {} did not end", file_, workload.name));

  const double from_us = moments.us_of(figure.from);
  for (const PlannedOp& op : planned_ops) {
    ops->push_back({op.measured_end_us, moments.us_of({Moment::Of::list_start, op.list}) - from_us,
                    moments.us_of({Moment::Of::list_end, op.list}) - from_us});
  }
  return (moments.us_of(figure.to) - from_us) / figure.divide_by;
}

double CasePlayer::empty_list_us(QueueType type) {
  const auto known = empty_.find(type);
  if (known != empty_.end()) return known->second;
  WorkloadBuilder builder("empty");
  const std::size_t queue = builder.queue("queue", type, vulkan_path);
  builder.execute(queue, "list", {});
  builder.signal(queue, "done");
  builder.host("host").waits("done").signals("seen");
  return empty_[type] = figure_us(builder.finish(), {{}, {Moment::Of::fence, "seen"}});
}

ValidationCase CasePlayer::play(const PlannedCase& planned) {
  ValidationCase result;
  result.name = planned.name;
  result.measured_us = planned.measured_us;
  result.limit_pct = planned.limit_pct;
  result.counts = planned.counts;
  try {
    std::vector<double> figures;
    if (planned.fitted) {
      figures.push_back(figure_us(planned.fitted(*this), planned.figure));
    }
    for (const Workload& workload : planned.plays) {
      result.ops.clear();
      figures.push_back(figure_us(workload, planned.figure, &result.ops, planned.ops));
    }
    std::sort(figures.begin(), figures.end());
    result.simulated_us = figures[(figures.size() - 1) / 2];
    if (planned.less_empty_list) result.simulated_us -= empty_list_us(*planned.less_empty_list);
  } catch (const ConfigError& error) {  // its pointer is that of the workload made from the row
    throw ConfigError(file_, planned.pointer, error.expected(), error.found());
  }
  return result;
}

}  // namespace fenceline

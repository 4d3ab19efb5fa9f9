// SPDX-License-Identifier: Apache-2.0
#include "api/validation/play/case_player.hpp"

#include "api/machine.hpp"
#include "api/repeat/played_run.hpp"
#include "api/validation/play/workload_builder.hpp"
#include "api/workload/checks/satisfiable.hpp"
#include "api/workload/play/player.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace fenceline {

namespace {

double figure_of(const MomentLog& moments, const Figure& figure) {
  return (moments.us_of(figure.to) - moments.us_of(figure.from)) / figure.divide_by;
}

std::vector<double> slices_of(const MomentLog& moments, const std::string& list) {
  std::vector<double> slices;
  for (const MomentLog::Run& run : moments.runs()) {
    if (run.list == list) slices.push_back(static_cast<double>(run.end_ps - run.start_ps) / 1e6);
  }
  if (slices.size() < 3) return {};
  return {slices.begin() + 1, slices.end() - 1};
}

std::vector<double> switches_of(const MomentLog& moments) {
  std::vector<double> switches;
  const std::vector<MomentLog::Run>& runs = moments.runs();
  for (std::size_t i = 1; i + 1 < runs.size(); ++i) {
    if (runs[i].list == runs[i - 1].list) continue;
    switches.push_back(static_cast<double>(runs[i].start_ps - runs[i - 1].end_ps) / 1e6);
  }
  return switches;
}

}  // namespace

double statistic_of(Statistic statistic, std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const std::size_t count = samples.size();
  const auto rank = [&](std::size_t percent) { return samples[(count * percent + 99) / 100 - 1]; };
  switch (statistic) {
    case Statistic::p50: return rank(50);
    case Statistic::mean: return std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(count);
    case Statistic::p90: return rank(90);
    case Statistic::p99: return rank(99);
    case Statistic::max: break;
  }
  return samples.back();
}

void CasePlayer::play(const Workload& workload, const MachineConfig& config, EventLog::Detail detail,
                      MomentLog& moments) const {
  const Program program = make_program(workload, file_);
  check_waits(program, file_);
  check_machine(program, file_, config);
  Machine machine(config);
  machine.log().attach(moments, detail);
  Player player(machine, program);
  if (!player.play()) throw std::logic_error(fmt::format("{}: case {} did not end", file_, workload.name));
}

const std::vector<double>& CasePlayer::samples_us(const Samples& samples) {
  const auto known = samples_.find(&samples);
  if (known != samples_.end()) return known->second;
  MachineConfig config = machine_;
  if (samples.adapt) samples.adapt(config);
  std::vector<Workload> fitted;
  if (samples.fitted) fitted.push_back(samples.fitted(*this));
  std::vector<double> all;
  const auto add = [&](const Workload& workload) {
    MomentLog moments;
    play(workload, config, EventLog::Detail::packets, moments);
    std::vector<double> some;
    switch (samples.of) {
      case Samples::Of::figures:
        for (const Figure& figure : samples.figures) some.push_back(figure_of(moments, figure));
        break;
      case Samples::Of::slices: some = slices_of(moments, samples.list); break;
      case Samples::Of::switches: some = switches_of(moments); break;
    }
    all.insert(all.end(), some.begin(), some.end());
  };
  for (const Workload& workload : samples.fitted ? fitted : samples.plays) {
    if (samples.seeds == 0) add(workload);
    for (std::uint64_t seed = 1; seed <= samples.seeds; ++seed) {
      config = with_jitter(std::move(config), seed);
      add(workload);
    }
  }
  if (samples.less_empty_list) {
    const double empty_us = empty_list_us(*samples.less_empty_list, samples.seeds);
    for (double& us : all) us -= empty_us;
  }
  if (all.empty()) throw std::logic_error(fmt::format("{}: no samples", file_));
  return samples_[&samples] = std::move(all);
}

double CasePlayer::figure_us(const Workload& workload, const Figure& figure, std::vector<ValidationOp>* ops,
                             const std::vector<PlannedOp>& planned_ops) const {
  MomentLog moments;
  play(workload, machine_, EventLog::Detail::waves, moments);
  const double from_us = moments.us_of(figure.from);
  for (const PlannedOp& op : planned_ops) {
    ops->push_back({op.measured_end_us, moments.us_of({Moment::Of::list_start, op.list}) - from_us,
                    moments.us_of({Moment::Of::list_end, op.list}) - from_us});
  }
  return figure_of(moments, figure);
}

double CasePlayer::empty_list_us(QueueType type) { return empty_list_us(type, 0); }

double CasePlayer::empty_list_us(QueueType type, std::uint64_t seeds) {
  const auto known = empty_.find({type, seeds});
  if (known != empty_.end()) return known->second;
  WorkloadBuilder builder("empty");
  const std::size_t queue = builder.queue("queue", type, vulkan_path);
  builder.execute(queue, "list", {});
  builder.signal(queue, "done");
  builder.host("host").waits("done").signals("seen");
  const Workload workload = builder.finish();
  const Figure figure{{}, {Moment::Of::fence, "seen"}};
  if (seeds == 0) return empty_[{type, seeds}] = figure_us(workload, figure);
  std::vector<double> times;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    MomentLog moments;
    play(workload, with_jitter(machine_, seed), EventLog::Detail::packets, moments);
    times.push_back(figure_of(moments, figure));
  }
  return empty_[{type, seeds}] = statistic_of(Statistic::p50, std::move(times));
}

void CasePlayer::find_mode(const PlannedCase& planned, ValidationCase& result) {
  constexpr double least_share = 0.01;
  const std::vector<OutcomeMode> simulated = modes_of(alike(samples_us(*planned.samples)), least_share);
  const std::size_t nearest = nearest_mode(simulated, result.measured_us);
  // Measured modes that the model does not tell apart are one there: their shares add up.
  double share = 0;
  for (const OutcomeMode& one : planned.modes) {
    if (nearest_mode(simulated, one.us) == nearest) share += one.share;
  }
  result.simulated_us = simulated[nearest].us;
  result.shares = {share * 100, simulated[nearest].share * 100};
}

ValidationCase CasePlayer::play(const PlannedCase& planned) {
  ValidationCase result;
  result.name = planned.name;
  result.measured_us = planned.measured_us;
  result.limit_pct = planned.limit_pct;
  result.counts = planned.counts;
  try {
    if (!planned.modes.empty()) {
      find_mode(planned, result);
      return result;
    }
    if (planned.samples) {
      const std::vector<double>& all = samples_us(*planned.samples);
      const std::size_t last = planned.sample_count == 0 ? all.size() : planned.first_sample + planned.sample_count;
      const auto from = all.begin() + static_cast<std::ptrdiff_t>(planned.first_sample);
      const auto to = all.begin() + static_cast<std::ptrdiff_t>(last);
      result.simulated_us = statistic_of(planned.statistic, {from, to});
      return result;
    }
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
    if (planned.units) {
      result.units = planned.units;
      result.units->simulated = planned.units->of_us(result.simulated_us);
    }
    for (const double outcome_us : planned.outcomes_us) {
      const bool first = outcome_us == planned.outcomes_us.front();
      const double off_us = std::abs(result.simulated_us - outcome_us);
      if (first || off_us < std::abs(result.simulated_us - result.measured_us)) result.measured_us = outcome_us;
    }
  } catch (const ConfigError& error) {  // its pointer is that of the workload made from the row
    throw ConfigError(file_, planned.pointer, error.expected(), error.found());
  }
  return result;
}

}  // namespace fenceline

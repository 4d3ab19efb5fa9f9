// SPDX-License-Identifier: Apache-2.0
#include "api/sweep/sweep_plan.hpp"

#include "sim/config/json_pointer.hpp"
#include "sim/config_error.hpp"
#include "sim/config_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace fenceline {
namespace {

constexpr std::size_t most_values = 1'000'000;

/// Numbers are computed from the first one, so that no error adds up; rounded to 15 digits, as people write them.
std::string number_text(double value) {
  const std::string text = fmt::format("{:.15g}", value);
  return text == "-0" ? "0" : text;
}

/// The last keys of a pointer, so many.
std::string last_keys(const std::string& pointer, std::size_t count) {
  std::size_t at = pointer.size();
  for (std::size_t i = 0; i < count && at != std::string::npos && at > 0; ++i) at = pointer.rfind('/', at - 1);
  return at == std::string::npos ? pointer : pointer.substr(at + 1);
}

/// A name for each axis: its own, else its pointer's last key, with as much before it as tells it from the others.
std::vector<std::string> names_of(const std::vector<SweepAxis>& axes) {
  std::vector<std::string> names;
  for (const SweepAxis& axis : axes) {
    std::size_t keys = 1;
    const auto same = [&](const SweepAxis& other) {
      return &other != &axis && other.name.empty() && last_keys(other.pointer, keys) == last_keys(axis.pointer, keys);
    };
    while (keys < 8 && std::any_of(axes.begin(), axes.end(), same)) ++keys;
    names.push_back(axis.name.empty() ? last_keys(axis.pointer, keys) : axis.name);
  }
  return names;
}

/// The seeds of repetitions: the innermost axis.
SweepAxis seed_axis(const Sweep& sweep) {
  SweepAxis axis;
  axis.pointer = "/scheduler/seed";
  axis.name = "seed";
  for (std::uint64_t i = 0; i < sweep.repeat; ++i) axis.values.push_back(fmt::format("{}", sweep.seed + i));
  return axis;
}

}  // namespace

std::vector<std::string> axis_values(const SweepAxis& axis, const std::string& file, const std::string& pointer) {
  std::vector<std::string> values = axis.values;
  for (const double number : axis.numbers) values.push_back(number_text(number));
  if (axis.from && axis.to) {
    const double step = axis.step.value_or(1);
    // Half of the last digit: 0 to 0.3 by 0.1 has four numbers.
    const double end = *axis.to + std::abs(*axis.to) * 1e-12;
    for (std::size_t i = 0;; ++i) {
      const double number = axis.factor ? *axis.from * std::pow(*axis.factor, i) : *axis.from + step * i;
      if (!(number <= end)) break;
      if (values.size() == most_values)
        throw ConfigError(file, pointer, fmt::format("at most {} values", most_values), "more");
      values.push_back(number_text(number));
    }
  }
  return values;
}

SweepPlan::SweepPlan(Sweep sweep, std::string file, ConfigErrors errors)
    : sweep_(std::move(sweep)), file_(std::move(file)) {
  axes_ = sweep_.axes;
  if (sweep_.repeat > 0) axes_.push_back(seed_axis(sweep_));
  sizes_ = {sweep_.workloads.size(), std::max<std::size_t>(1, sweep_.machines.size())};
  const std::vector<ConfigError> found = errors.all();
  bool whole = true;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    const std::string pointer = pointer_to("/axes", i);
    const auto is_of_it = [&](const ConfigError& one) { return pointer_within(one.pointer(), pointer); };
    const bool is_wrong = std::any_of(found.begin(), found.end(), is_of_it);
    const bool is_pointer = errors.keep([&] { check_pointer(i); });
    if (is_wrong || (axes_[i].zip && !whole)) {  // it would be held against an axis that has no values
      whole = false;
      continue;
    }
    whole = errors.keep([&] { add_axis(i); }) && is_pointer;
  }
  errors.keep([&] { metrics_ = metrics_named(sweep_.metrics, file_); });
  errors.throw_any();  // what follows takes the axes as they are
  runs_ = 1;
  for (const std::uint64_t size : sizes_) {
    if (runs_ > most_runs / size) throw ConfigError(file_, "/axes", fmt::format("at most {} runs", most_runs), "more");
    runs_ *= size;
  }
  axis_names_ = names_of(axes_);
  // SQLite's names do not tell upper from lower case.
  std::set<std::string> columns = {"run", "workload", "machine", "status", "error"};
  const auto take = [&](std::string name, const std::string& pointer) {
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
    if (name.find('\0') != std::string::npos || name.size() > 200) {
      throw ConfigError(file_, pointer, "a name of at most 200 characters", in_quotes(name));
    }
    if (!columns.insert(name).second)
      throw ConfigError(file_, pointer, "a name that no other column has", in_quotes(name));
  };
  for (std::size_t i = 0; i < axis_names_.size(); ++i) {
    errors.keep([&] { take(axis_names_[i], pointer_to("/axes", i) + "/name"); });
  }
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    errors.keep([&] { take(metrics_[i].name, pointer_to("/metrics", i)); });
  }
  errors.throw_any();
}

void SweepPlan::check_pointer(std::size_t index) const {
  const SweepAxis& axis = axes_[index];
  const std::string pointer = pointer_to("/axes", index);
  if (!split_pointer(axis.pointer) || axis.pointer.empty()) {
    throw ConfigError(file_, pointer + "/pointer", "a JSON Pointer such as /engines/3d/clock_mhz",
                      in_quotes(axis.pointer));
  }
  if (axis.pointer.find('=') != std::string::npos) {
    throw ConfigError(file_, pointer + "/pointer", "a pointer without =: values stand in values",
                      in_quotes(axis.pointer));
  }
}

void SweepPlan::add_axis(std::size_t index) {
  const SweepAxis& axis = axes_[index];
  const std::string pointer = pointer_to("/axes", index);
  values_.push_back(axis_values(axis, file_, pointer));
  const std::size_t size = values_.back().size();
  if (size == 0) throw ConfigError(file_, pointer, "at least one value", "none");
  if (!axis.zip) {
    sizes_.push_back(size);
  } else if (size != sizes_.back()) {
    throw ConfigError(file_, pointer,
                      fmt::format("{} values, as the axis that it changes together with", sizes_.back()),
                      fmt::format("{}", size));
  }
  group_.push_back(sizes_.size() - 1);
}

std::vector<std::uint64_t> SweepPlan::places(std::uint64_t run) const {
  std::vector<std::uint64_t> places(sizes_.size());
  for (std::size_t i = sizes_.size(); i-- > 0;) {
    places[i] = run % sizes_[i];
    run /= sizes_[i];
  }
  return places;
}

std::uint64_t SweepPlan::run_at(const std::vector<std::uint64_t>& places) const {
  std::uint64_t run = 0;
  for (std::size_t i = 0; i < sizes_.size(); ++i) run = run * sizes_[i] + places[i];
  return run;
}

SweepPoint SweepPlan::point(std::uint64_t run) const {
  const std::vector<std::uint64_t> at = places(run);
  SweepPoint point{run, sweep_.workloads[at[0]], sweep_.machines.empty() ? "" : sweep_.machines[at[1]], {}};
  for (std::size_t i = 0; i < values_.size(); ++i) point.values.push_back(values_[i][at[group_[i]]]);
  return point;
}

std::vector<std::string> SweepPlan::sets(const SweepPoint& point) const {
  std::vector<std::string> sets = sweep_.set;
  if (sweep_.repeat > 0) sets.emplace_back("/scheduler/jitter=true");
  for (std::size_t i = 0; i < axes_.size(); ++i) sets.push_back(axes_[i].pointer + "=" + point.values[i]);
  return sets;
}

}  // namespace fenceline

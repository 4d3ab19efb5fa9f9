// SPDX-License-Identifier: Apache-2.0
#include "api/validation/play/time_modes.hpp"

#include <algorithm>
#include <cmath>

namespace fenceline {
namespace {

constexpr double greatest_step = 1.02;
constexpr double greatest_step_us = 1;

OutcomeMode mode_of(const std::vector<WeightedTime>& times) {
  double share = 0;
  for (const WeightedTime& time : times) share += time.share;
  double below = 0;
  for (const WeightedTime& time : times) {
    below += time.share;
    if (below >= share / 2) return {time.us, share};
  }
  return {times.back().us, share};  // rounding: no time brings the sum to its half
}

}  // namespace

std::vector<OutcomeMode> modes_of(std::vector<WeightedTime> times, double least_share) {
  std::sort(times.begin(), times.end(), [](const WeightedTime& a, const WeightedTime& b) { return a.us < b.us; });
  std::vector<OutcomeMode> modes;
  std::vector<WeightedTime> close;
  const auto end_mode = [&] {
    if (close.empty()) return;
    const OutcomeMode mode = mode_of(close);
    if (mode.share >= least_share) modes.push_back(mode);
    close.clear();
  };
  for (const WeightedTime& time : times) {
    if (!close.empty()) {
      const double last_us = close.back().us;
      if (time.us > last_us * greatest_step && time.us > last_us + greatest_step_us) end_mode();
    }
    close.push_back(time);
  }
  end_mode();
  return modes;
}

std::size_t nearest_mode(const std::vector<OutcomeMode>& modes, double us) {
  const auto nearest = std::min_element(modes.begin(), modes.end(), [us](const OutcomeMode& a, const OutcomeMode& b) {
    return std::abs(a.us - us) < std::abs(b.us - us);
  });
  return static_cast<std::size_t>(nearest - modes.begin());
}

std::vector<WeightedTime> alike(const std::vector<double>& times_us) {
  std::vector<WeightedTime> times;
  times.reserve(times_us.size());
  for (const double us : times_us) times.push_back({us, 1 / static_cast<double>(times_us.size())});
  return times;
}

std::vector<WeightedTime> of_quantiles(const std::vector<double>& quantiles,
                                       const std::vector<std::vector<double>>& runs_us) {
  std::vector<WeightedTime> times;
  for (const std::vector<double>& run : runs_us) {
    for (std::size_t i = 0; i < run.size(); ++i) {
      const double from = i == 0 ? 0 : (quantiles[i - 1] + quantiles[i]) / 2;
      const double to = i + 1 == run.size() ? 1 : (quantiles[i] + quantiles[i + 1]) / 2;
      times.push_back({run[i], (to - from) / static_cast<double>(runs_us.size())});
    }
  }
  return times;
}

}  // namespace fenceline

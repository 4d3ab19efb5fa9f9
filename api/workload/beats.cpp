// SPDX-License-Identifier: Apache-2.0
#include "api/workload/beats.hpp"

#include "api/resources/names.hpp"
#include "api/timeline/workload_range.hpp"
#include "api/workload/deadline.hpp"
#include "sim/config/fields.hpp"
#include "sim/config_error.hpp"
#include "sim/config_errors.hpp"
#include "sim/duration.hpp"
#include "sim/text/time_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace fenceline {

void describe(Fields& f, BeatInfo& c) {
  f.about("times that come again and again, for all that keeps them: they are written once");
  f.required("name", c.name, "name of the beat");
  f.required("us", c.us, "microseconds since the start, the first time", workload_range::us);
  f.required("us_step", c.us_step, "added to that each further time", workload_range::us);
  f.required("count", c.count, "how many times", workload_range::count);
}

namespace {

/// Puts the times of one workload's beats where they are kept.
class BeatKeeper {
 public:
  BeatKeeper(const std::vector<BeatInfo>& beats, const std::string& file)
      : beats_(beats), file_(file), names_(file, "beats", beats) {
    errors_.keep([&] { names_.check(); });
    for (std::size_t i = 0; i < beats.size(); ++i) {
      errors_.keep([&] {
        check_last_time(file, ps_of_us(beats[i].us), ps_of_us(beats[i].us_step), beats[i].count,
                        fmt::format("/beats/{}", i));
      });
    }
  }

  template <class AnyStep>
  void keep(std::vector<AnyStep>& timeline, const std::string& pointer) {
    for (std::size_t i = 0; i < timeline.size(); ++i) {
      std::visit([&](auto& step) { keep(step, fmt::format("{}/{}", pointer, i), 0); }, timeline[i]);
    }
  }
  void keep(DeadlineInfo& deadline, const std::string& pointer) {
    errors_.keep([&] {
      if (const BeatInfo* const beat = of(deadline.beat, pointer)) {
        deadline.us = time_us(*beat, 0, deadline.offset_us, pointer);
        deadline.us_step = beat->us_step;
        deadline.count = beat->count;
        deadline.offset_us = 0;
      }
      deadline.beat.reset();
    });
  }
  void throw_errors() const { errors_.throw_any(); }

 private:
  /// Null: none is named.
  const BeatInfo* of(const std::optional<std::string>& name, const std::string& pointer) const {
    return name ? &beats_[names_.index(*name, pointer + "/beat")] : nullptr;
  }
  /// When what happens that far behind the beat does so, in the iteration.
  double time_us(const BeatInfo& beat, std::uint64_t iteration, double offset_us, const std::string& pointer) const {
    using Wide = __int128;
    const Wide beat_ps = static_cast<Wide>(ps_of_us(beat.us)) + static_cast<Wide>(ps_of_us(beat.us_step)) * iteration;
    const auto offset_ps = static_cast<Wide>(ps_of_us(std::fabs(offset_us)));
    const Wide at_ps = offset_us < 0 ? beat_ps - offset_ps : beat_ps + offset_ps;
    if (at_ps < 0 || at_ps > static_cast<Wide>(ps_of_us(workload_range::us.maximum))) {
      throw ConfigError(file_, pointer + "/offset_us",
                        fmt::format("a time from 0 to {} us, with the beat's of {} us", workload_range::us.maximum,
                                    static_cast<double>(beat_ps) / 1e6),
                        fmt::format("{}", offset_us));
    }
    return us(static_cast<std::uint64_t>(at_ps));
  }

  /// `iterations`: of the repeat that it is in; 0: it is in none.
  template <class Step>
  void keep(Step& step, const std::string& pointer, std::uint64_t iterations) {
    if constexpr (std::is_same_v<Step, CpuSleepUntil>) {
      errors_.keep([&] {
        if (const BeatInfo* const beat = of(step.beat, pointer)) {
          // Where it takes part in no iteration its time does not matter.
          const std::uint64_t first = step.from_iteration < iterations ? step.from_iteration : 0;
          step.us = time_us(*beat, first, step.offset_us, pointer);
          step.us_step = iterations > 0 ? beat->us_step : 0;
          step.offset_us = 0;
        }
        step.beat.reset();
      });
    } else if constexpr (std::is_same_v<Step, QueueRepeat> || std::is_same_v<Step, CpuRepeat>) {
      errors_.keep([&] {
        if (const BeatInfo* const beat = of(step.beat, pointer)) step.count = beat->count;
        step.beat.reset();
      });
      for (std::size_t i = 0; i < step.steps.size(); ++i) {
        const std::string inner = fmt::format("{}/steps/{}", pointer, i);
        std::visit([&](auto& one) { keep(one, inner, step.count); }, step.steps[i]);
      }
    }
  }

  const std::vector<BeatInfo>& beats_;
  const std::string& file_;
  Names names_;
  ConfigErrors errors_;
};

/// A step or a deadline names a beat.
struct NamesBeat {
  template <class One>
  bool operator()(const One& one) const {
    if constexpr (std::is_same_v<One, QueueRepeat> || std::is_same_v<One, CpuRepeat>) {
      return one.beat || any(one.steps);
    } else if constexpr (std::is_same_v<One, CpuSleepUntil>) {
      return one.beat.has_value();
    } else {
      return false;
    }
  }
  template <class AnyStep>
  bool any(const std::vector<AnyStep>& steps) const {
    return std::any_of(steps.begin(), steps.end(), [this](const AnyStep& step) { return std::visit(*this, step); });
  }
};

}  // namespace

bool keeps_beats(const Workload& workload) {
  const NamesBeat names;
  const auto does = [&](const auto& thread) { return names.any(thread.timeline); };
  return !workload.beats.empty() || std::any_of(workload.queues.begin(), workload.queues.end(), does) ||
         std::any_of(workload.cpus.begin(), workload.cpus.end(), does) ||
         std::any_of(workload.deadlines.begin(), workload.deadlines.end(),
                     [](const DeadlineInfo& deadline) { return deadline.beat.has_value(); });
}

void resolve_beats(Workload& workload, const std::string& file) {
  const std::vector<BeatInfo> beats = std::exchange(workload.beats, {});
  BeatKeeper keeper(beats, file);
  for (std::size_t i = 0; i < workload.queues.size(); ++i) {
    keeper.keep(workload.queues[i].timeline, fmt::format("/queues/{}/timeline", i));
  }
  for (std::size_t i = 0; i < workload.cpus.size(); ++i) {
    keeper.keep(workload.cpus[i].timeline, fmt::format("/cpus/{}/timeline", i));
  }
  for (std::size_t i = 0; i < workload.deadlines.size(); ++i) {
    keeper.keep(workload.deadlines[i], fmt::format("/deadlines/{}", i));
  }
  keeper.throw_errors();
}

Workload with_times_of_beats(Workload workload, const std::string& file) {
  resolve_beats(workload, file);
  return workload;
}

}  // namespace fenceline

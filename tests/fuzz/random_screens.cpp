// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/random_screens.hpp"

#include "tests/support/units.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace fenceline::testing {
namespace {

class Screens {
 public:
  Screens(Scenario& scenario, std::uint64_t seed) : scenario_(scenario), random_(seed) {}

  void add() {
    for (std::size_t i = 0; i < scenario_.queues.size(); ++i) {
      if (scenario_.queues[i].type == QueueType::direct) presenters_.push_back(i);
    }
    if (presenters_.empty() || one_in(2)) return;
    add_outputs();
    place_queues();
    add_presents();
    std::stable_sort(scenario_.steps.begin(), scenario_.steps.end(),
                     [](const Step& a, const Step& b) { return a.at_ps < b.at_ps; });
  }

 private:
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }

  void make_output(OutputConfig& output) {
    output.refresh_hz = 400 + static_cast<double>(below(600'000)) / 1e3;
    if (one_in(3)) output.variable_refresh_min_hz = output.refresh_hz / static_cast<double>(2 + below(4));
  }

  void add_outputs() {
    DisplayConfig& display = scenario_.machine.display;
    make_output(display);
    for (std::uint64_t more = below(3); more > 0; --more) {
      OutputConfig output;
      output.name = "output" + std::to_string(more);
      make_output(output);
      display.outputs.push_back(output);
    }
    display.queued_flips = one_in(2) ? 0 : 1 + static_cast<std::uint32_t>(below(3));
  }

  void place_queues() {
    scenario_.screens.resize(scenario_.queues.size());
    const std::size_t compositor = presenters_[below(presenters_.size())];
    bool windows = false;
    for (const std::size_t queue : presenters_) {
      ScenarioScreen& screen = scenario_.screens[queue];
      screen.output = static_cast<std::uint32_t>(below(scenario_.machine.display.outputs.size() + 1));
      if (queue != compositor && one_in(3)) screen.composed_by = compositor;
      windows = windows || screen.composed_by;
    }
    compositor_ = windows ? std::optional<std::size_t>(compositor) : std::nullopt;
  }

  void add_presents() {
    for (std::uint64_t left = 3 + below(30); left > 0; --left) {
      Step step;
      step.what = Step::What::present;
      step.queue = presenters_[below(presenters_.size())];
      step.at_ps = below(12 * ms);
      step.value = below(5);
      step.tearing = step.value == 0 && one_in(2);
      scenario_.steps.push_back(step);
      if (!compositor_ || !one_in(2)) continue;
      step.what = Step::What::compose;
      step.queue = *compositor_;
      step.at_ps = below(12 * ms);
      scenario_.steps.push_back(step);
    }
  }

  Scenario& scenario_;
  std::mt19937_64 random_;
  std::vector<std::size_t> presenters_;
  std::optional<std::size_t> compositor_;
};

}  // namespace

Scenario with_screens(Scenario scenario, std::uint64_t seed) {
  Screens(scenario, seed).add();
  return scenario;
}

}  // namespace fenceline::testing

// SPDX-License-Identifier: Apache-2.0
// Random machines and programs through the public door. FENCELINE_FUZZ_SCENARIOS says how many,
// FENCELINE_SCENARIO_SEED=n plays the one of that seed and prints it; both: so many from that seed on.
#include "engines/shader_array/rules/dispatcher.hpp"
#include "engines/shader_array/shader_array.hpp"
#include "scheduler/display/display.hpp"
#include "scheduler/residency/residency_statistics.hpp"
#include "scheduler/scheduler.hpp"
#include "sim/config/config.hpp"
#include "tests/fuzz/random_scenario.hpp"
#include "tests/fuzz/scenarios/demand.hpp"
#include "tests/fuzz/scenarios/done.hpp"
#include "tests/fuzz/scenarios/residency_oracle.hpp"
#include "tests/fuzz/teller.hpp"
#include "tests/support/preemption_closure.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

std::optional<std::uint64_t> number_of(const char* variable) {
  const char* const text = std::getenv(variable);
  return text != nullptr ? std::optional<std::uint64_t>(std::strtoull(text, nullptr, 10)) : std::nullopt;
}

/// Plays a scenario on a new machine.
class Play {
 public:
  explicit Play(const Scenario& scenario)
      : scenario_(scenario),
        oracle_(scenario),
        machine_(scenario.machine, InvariantChecks::on),
        done(1000 + 1000 * scenario.steps.size()) {
    machine_.log().attach(done, EventLog::Detail::waves);
    machine_.log().attach(preemptions_, EventLog::Detail::packets);
    machine_.log().attach(oracle_, EventLog::Detail::packets);
    machine_.when_device_removed([this](const std::string& process, RemovalReason) { removed(process); });
    for (const ProcessConfig& process : scenario.processes) machine_.create_process(process);
    for (const QueueConfig& queue : scenario.queues) queues_.push_back(machine_.create_queue(queue));
    for (const AllocationConfig& allocation : scenario.allocations) machine_.create_allocation(allocation);
    for (const auto& [process, known] : scenario.known) {
      for (const std::uint32_t allocation : known) machine_.know_allocation(process, allocation);
    }
    for (std::size_t i = 0; i < scenario.fences; ++i) fences_.push_back(machine_.create_fence("fence"));
    for (std::size_t i = 0; i < scenario.steps.size(); ++i) {
      machine_.call_at(scenario.steps[i].at_ps, Callback::to<&Play::step>(this, i));
    }
  }

  /// What went wrong; empty: nothing.
  std::string run() {
    if (!machine_.run() && machine_.bugchecked()) return {};  // what it left is open
    if (machine_.outstanding() > 0) {
      std::string text = "deadlock";
      for (const std::string& line : machine_.deadlock()) text += "; " + line;
      return text;
    }
    machine_.log_screen();
    std::string text = mistakes();
    if (text.empty()) text = mistakes_of_frames();
    if (text.empty()) text = mistakes_of_memory();
    return text.empty() && done.resets == 0 ? mistakes_of_preemptions() : text;
  }
  EventLog& log() { return machine_.log(); }
  std::uint64_t groups_run() const { return machine_.shader_array().dispatcher().groups_run(); }

 private:
  void step(std::uint64_t index) {
    const Step& step = scenario_.steps[index];
    switch (step.what) {
      case Step::What::execute: execute(step); break;
      case Step::What::signal:
        machine_.signal(queues_[step.queue], fences_[step.fence], step.value);
        signalled_[step.queue] = std::max(signalled_[step.queue], step.fence == step.queue ? step.value : 0);
        submitted_ += packets_of(step);
        break;
      case Step::What::wait:
        machine_.wait(queues_[step.queue], fences_[step.fence], step.value);
        submitted_ += packets_of(step);
        break;
      case Step::What::cpu_signal: machine_.signal(fences_[step.fence], step.value); break;
      case Step::What::set_priority: machine_.set_priority(queues_[step.queue], step.priority, {}); break;
      case Step::What::set_process_priority:
        machine_.set_priority(scenario_.queues[step.queue].process, static_cast<ProcessPriority>(step.priority));
        break;
      case Step::What::suspend: machine_.suspend(queues_[step.queue]); break;
      case Step::What::resume: machine_.resume(queues_[step.queue]); break;
      case Step::What::preempt: machine_.preempt(queues_[step.queue]); break;
      case Step::What::focus: machine_.set_focus(scenario_.queues[step.queue].process); break;
      case Step::What::present: {
        Frame frame;
        frame.interval = static_cast<std::uint32_t>(step.value);
        frame.tearing = step.tearing;
        machine_.present(queues_[step.queue], swap_chain(step.queue), frame);
        submitted_ += packets_of(step);
        break;
      }
      case Step::What::compose: machine_.compose(swap_chain(step.queue)); break;
      case Step::What::create_device: create_device(scenario_.queues[step.queue].process); break;
      case Step::What::make_resident:
        machine_.make_resident(scenario_.queues[step.queue].process, {static_cast<std::uint32_t>(step.list)}, false,
                               {});
        break;
      case Step::What::evict:
        machine_.evict(scenario_.queues[step.queue].process, {static_cast<std::uint32_t>(step.list)});
        break;
      case Step::What::set_residency_priority:
        machine_.set_residency_priority({static_cast<std::uint32_t>(step.list)},
                                        static_cast<std::uint32_t>(step.value));
        break;
      case Step::What::reserve:
        machine_.set_video_memory_reservation(scenario_.queues[step.queue].process, step.value);
        break;
    }
  }

  void execute(const Step& step) {
    const std::uint64_t id = machine_.execute(queues_[step.queue], scenario_.lists[step.list]);
    oracle_.executes(id, step.list);
    for (std::uint64_t one = id; one < id + packets_of(step); ++one, ++submitted_) {
      demand_.add(one, *scenario_.lists[step.list]);
      last_ = one;
    }
  }

  /// The fences that queues of the process signal are its own. What they have been told to bring them to is there.
  void removed(const std::string& process) {
    for (std::size_t queue = 0; queue < queues_.size(); ++queue) {
      if (scenario_.queues[queue].process != process) continue;
      machine_.end_fence(fences_[queue]);
      if (chains_.count(queue) > 0) machine_.discard_frames(chains_[queue]);
    }
  }
  void create_device(const std::string& process) {
    if (!machine_.create_device(process)) return;
    for (std::size_t queue = 0; queue < queues_.size(); ++queue) {
      if (scenario_.queues[queue].process == process) machine_.restart_fence(fences_[queue], signalled_[queue]);
    }
  }

  /// One on each of the queue's adapters.
  std::uint64_t packets_of(const Step& step) const {
    std::uint64_t packets = 0;
    for (std::uint32_t mask = scenario_.queues[step.queue].node_mask; mask != 0; mask &= mask - 1) ++packets;
    return packets;
  }

  /// Of a queue; a compositor's is there before its windows'.
  SwapChainId swap_chain(std::size_t queue) {
    const auto known = chains_.find(queue);
    if (known != chains_.end()) return known->second;
    const ScenarioScreen& screen = scenario_.screens[queue];
    SwapChainPlace place{static_cast<OutputId>(screen.output), {}};
    if (screen.composed_by) place.composed_by = swap_chain(*screen.composed_by);
    return chains_[queue] = machine_.create_swap_chain("swap chain", nullptr, place);
  }

  /// Nothing executed twice, nothing lost.
  std::string mistakes() const {
    if (done.packets != submitted_) return fmt::format("{} packets, of which {} ended", submitted_, done.packets);
    const bool in_place = machine_.residency_statistics().remote_bytes > 0;  // of packets that completed
    for (std::uint64_t packet = 1; packet <= last_; ++packet) {
      if (done.paging.count(packet) > 0) continue;
      const auto of = [packet](const std::map<std::uint64_t, std::uint64_t>& counts) {
        const auto found = counts.find(packet);
        return found == counts.end() ? 0 : found->second;
      };
      // The arguments of an ExecuteIndirect are read again by a packet that is stopped in its middle.
      const std::uint64_t executed = of(done.commands) - of(done.indirect);
      if (done.cut_short.count(packet) > 0 && executed <= of(demand_.commands)) continue;
      const bool adds = in_place || (done.cut_short.count(packet) > 0 && !scenario_.allocations.empty());
      if (adds && executed >= of(demand_.commands)) continue;  // what passes PCIe beside them is told of, too
      if (executed != of(demand_.commands) || of(done.indirect) < of(demand_.indirect)) {
        return fmt::format("packet {} has {} commands and {} ExecuteIndirects, and {} and {} were executed", packet,
                           of(demand_.commands), of(demand_.indirect), executed, of(done.indirect));
      }
    }
    if (!done.cut_short.empty()) return {};  // how far each has come is open
    if (machine_.scheduler().timestamps().size() != demand_.timestamps) {
      return fmt::format("{} time stamps, of which {} were taken", demand_.timestamps,
                         machine_.scheduler().timestamps().size());
    }
    if (scenario_.machine.linked_adapters > 1) return {};  // each has a PCIe of its own
    if (in_place || !done.paging.empty()) return {};
    for (const std::size_t direction : {0U, 1U}) {
      // A copy that is stopped goes on where the slower of its two channels is; one ends within the picosecond in which
      // its last byte has passed, at no more than a byte in each.
      const double least = demand_.pcie_bytes[direction] + (direction == 0 ? demand_.argument_bytes : 0);
      const double most = least + static_cast<double>(demand_.transfers + done.stopped) +
                          static_cast<double>(done.stopped) * demand_.largest +
                          (direction == 0 ? demand_.argument_bytes * static_cast<double>(done.preemptions) : 0);
      const double moved = done.pcie_bytes(direction);
      if (moved < least - 0.01 || moved > most + 0.01) {
        return fmt::format("{} bytes for PCIe {}, and {} passed", least,
                           direction == 0 ? "to the device" : "to the host", moved);
      }
    }
    return {};
  }

  /// No frame is lost: it was on screen, or something newer took its place, or no compositor took it.
  std::string mistakes_of_frames() const {
    for (const auto& [queue, chain] : chains_) {
      const Display::Presented of = machine_.display().presented(chain);
      const std::uint64_t ended = of.shown + of.discarded;
      const bool window = scenario_.screens[queue].composed_by.has_value();
      if (ended == of.presented || (window && ended < of.presented)) continue;
      return fmt::format("{} frames of queue {}, of which {} were shown and {} discarded", of.presented, queue,
                         of.shown, of.discarded);
    }
    return {};
  }

  /// Each allocation is in one place.
  std::string mistakes_of_memory() {
    const ResidencyStatistics all = machine_.residency_statistics();
    if (all.resident_bytes > all.budget_bytes) return "more is resident than fits";
    const auto aborted = [this](std::uint64_t packet) { return done.cut_short.count(packet) > 0; };
    if (std::any_of(done.paging.begin(), done.paging.end(), aborted)) return {};  // nobody knows what has moved
    return oracle_.mistake();
  }

  /// preemptions.csv agrees with all else that was heard.
  std::string mistakes_of_preemptions() {
    const auto& engines = scenario_.machine.engines;
    const bool one_queue = std::all_of(engines.begin(), engines.end(),
                                       [](const auto& engine) { return engine_config(engine).hardware_queues == 1; });
    return preemptions_.mistake(machine_.log(), one_queue);
  }

  const Scenario& scenario_;
  PreemptionClosure preemptions_;
  ResidencyOracle oracle_;
  Machine machine_;
  std::vector<ContextId> queues_;
  std::vector<FenceId> fences_;
  std::map<std::size_t, SwapChainId> chains_;       // by queue
  std::map<std::size_t, std::uint64_t> signalled_;  // by queue: how far it has been told to bring its fence
  Demand demand_;
  std::uint64_t submitted_ = 0;
  std::uint64_t last_ = 0;  // packet that executes a list

 public:
  Done done;
};

/// What went wrong with the scenario; empty: nothing.
std::string trouble(const Scenario& scenario, bool twice, bool told, std::uint64_t& preemptions,
                    std::uint64_t& resets) {
  try {
    Teller teller;
    Play play(scenario);
    if (told) play.log().attach(teller, EventLog::Detail::packets);
    std::string text = play.run();
    preemptions += play.done.preemptions;
    resets += play.done.resets;
    if (!text.empty() || !twice) return text;
    Play again(scenario);
    again.run();
    if (again.done.digest != play.done.digest) return "a second run went otherwise";
    return {};
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("random scenarios: every packet completes, nothing is lost or done twice, no invariant breaks", "[fuzz]") {
  const auto seed = number_of("FENCELINE_SCENARIO_SEED");
  const std::uint64_t first = seed.value_or(1);
  const std::uint64_t scenarios = number_of("FENCELINE_FUZZ_SCENARIOS").value_or(seed ? 1 : 300);
  const bool told = seed && scenarios == 1;
  std::uint64_t preemptions = 0;
  std::uint64_t resets = 0;
  std::uint64_t troubles = 0;
  constexpr std::uint64_t most_troubles = 5;
  for (std::uint64_t one = first; one < first + scenarios && troubles < most_troubles; ++one) {
    const Scenario scenario = random_scenario(one);
    if (told) fmt::print("{}\n", json_of(scenario).dump(1));
    const std::string text = trouble(scenario, one % 10 == 0, told, preemptions, resets);
    if (text.empty()) continue;
    ++troubles;
    if (!told) fmt::print("{}\n", json_of(scenario).dump());  // Catch would break its lines
    FAIL_CHECK("FENCELINE_SCENARIO_SEED=" << one << ": " << text);
  }
  if (told || troubles > 0) return;
  CHECK(preemptions > scenarios);
  CHECK(resets > scenarios / 10);
}

TEST_CASE("random scenarios: representatives of the ready queues decide what all of them would", "[fuzz]") {
  const std::uint64_t first = number_of("FENCELINE_SCENARIO_SEED").value_or(1);
  const std::uint64_t scenarios = number_of("FENCELINE_FUZZ_SCENARIOS").value_or(300);
  for (std::uint64_t seed = first; seed < first + scenarios; ++seed) {
    Scenario scenario = random_scenario(seed);
    const auto digest = [&](std::uint32_t one_by_one) {
      scenario.machine.scheduler.judged_one_by_one = one_by_one;
      Play play(scenario);
      const std::string mistake = play.run();
      if (!mistake.empty()) FAIL("FENCELINE_SCENARIO_SEED=" << seed << ": " << mistake);
      return play.done.digest;
    };
    INFO("FENCELINE_SCENARIO_SEED=" << seed);
    CHECK(digest(1) == digest(1'000'000));
  }
}

TEST_CASE("random scenarios: the shader array's shortcuts come to what its rules say", "[fuzz]") {
  const std::uint64_t first = number_of("FENCELINE_SCENARIO_SEED").value_or(1);
  const std::uint64_t scenarios = number_of("FENCELINE_FUZZ_SCENARIOS").value_or(150);
  for (std::uint64_t seed = first; seed < first + scenarios; ++seed) {
    Scenario scenario = random_scenario(seed);
    // Which of two that end at one moment is told of first is open, and so is who gets the longer delay; of linked
    // adapters also who is named first.
    scenario.machine.linked_adapters = 1;
    scenario.machine.scheduler.interrupt_jitter_us = 0;
    for (QueueConfig& queue : scenario.queues) queue.node_mask = 1;
    const auto content = [&](SimulatedBy simulate) {
      scenario.machine.shader_array.simulate = simulate;
      Play play(scenario);
      const std::string mistake = play.run();
      if (!mistake.empty()) FAIL("FENCELINE_SCENARIO_SEED=" << seed << ": " << mistake);
      return play.done.content;
    };
    INFO("FENCELINE_SCENARIO_SEED=" << seed);
    CHECK(content(SimulatedBy::rules) == content(SimulatedBy::shortcuts));
  }
}

TEST_CASE("random scenarios: their machines are ones that a file may describe", "[fuzz]") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const MachineConfig machine = random_scenario(seed).machine;
    const auto dump = dump_config(machine);
    if (dump_config(read_config<MachineConfig>(dump, "machine.json")) != dump) FAIL("seed " << seed);
  }
}

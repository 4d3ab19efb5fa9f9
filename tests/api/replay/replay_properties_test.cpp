// SPDX-License-Identifier: Apache-2.0
// What holds of every workload that is replayed (docs/replay.md), tried with random ones.
#include "api/machine.hpp"
#include "api/report/stats.hpp"
#include "api/workload/load/workload_file.hpp"
#include "api/workload/play/player.hpp"
#include "api/workload/program.hpp"
#include "api/workload/replay/single_queue.hpp"
#include "api/workload/replay/trim.hpp"
#include "api/workload/replay/work_order.hpp"
#include "sim/config/config.hpp"
#include "tests/api/replay/random_workload.hpp"
#include "tests/support/sanitized.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

constexpr std::uint64_t workloads = sanitized ? 100 : 400;

/// What playing a workload on `tiny` came to.
struct Totals {
  bool completed;
  std::uint64_t lists;
  std::uint64_t packets;
};
Totals played(const Workload& workload) {
  const Program program = make_program(workload, "random");
  Machine machine(load_machine("tiny", "", {}), InvariantChecks::on);
  StatsSink stats;
  machine.log().attach(stats, EventLog::Detail::packets);
  Player player(machine, program);
  Totals totals{player.play(), 0, stats.totals().packets};
  for (const ContextStats& queue : stats.contexts()) totals.lists += queue.render_packets;
  machine.log().detach(stats);
  return totals;
}

std::string text(const Workload& workload) { return dump_config(workload).dump(); }

/// What each queue comes to, as text, in the order of the work.
std::map<std::string, std::vector<std::string>> steps_of_queues(const Workload& workload, bool presents) {
  const WorkOrder order = order_of(workload, "random");
  std::map<std::string, std::vector<std::string>> steps;
  for (const WorkEvent& event : order.events) {
    if (event.queue == WorkEvent::no_queue || event.kind == Step::Kind::queue_wait) continue;
    if (event.kind == Step::Kind::present && !presents) continue;
    std::string step;
    if (signals(event)) step = workload.fences[event.fence].name + "=" + std::to_string(event.value);
    for (const std::uint32_t list : order.step_of(event).lists) step += workload.command_lists[list].name + ";";
    steps[workload.queues[event.queue].name].push_back(step);
  }
  return steps;
}

/// So many ExecuteCommandLists, or presents, there are.
std::uint64_t count_of(const Workload& workload, Step::Kind kind) {
  const WorkOrder order = order_of(workload, "random");
  return static_cast<std::uint64_t>(std::count_if(order.events.begin(), order.events.end(),
                                                  [kind](const WorkEvent& event) { return event.kind == kind; }));
}

ReplayRange submits(std::uint64_t from, std::uint64_t to) {
  return {ReplayPoint{PointUnit::submit, from}, ReplayPoint{PointUnit::submit, to}};
}

/// Steps that a queue comes to behind others that it got later would be tied otherwise: rule 2 knows when they were
/// submitted, and a range submits what waited at its beginning at once.
bool has_given_steps(const Workload& original, const Workload& trimmed) {
  std::size_t before = 0;
  std::size_t after = 0;
  for (const QueueInfo& queue : original.queues) before += queue.timeline.size();
  for (const QueueInfo& queue : trimmed.queues) after += queue.timeline.size();
  return after > before;
}

/// Queues wait for each of their own presents' frames, where it is easily said which that is; how many do.
struct WithFrameWaits {
  explicit WithFrameWaits(std::uint64_t n) : workload(random_workload(n)) {
    for (QueueInfo& queue : workload.queues) {
      if (!queue.composed_by.empty()) continue;
      const FenceInfo frames = {"frames of " + queue.name, 0, "", queue.name};
      std::uint64_t presented = 0;
      std::vector<QueueStep> steps;
      for (QueueStep& step : queue.timeline) {
        auto* const repeat = std::get_if<QueueRepeat>(&step);
        const std::uint64_t before = presented;
        presented +=
            repeat != nullptr ? presents_of(*repeat) * repeat->count : std::holds_alternative<PresentStep>(step);
        const std::uint64_t of_each = repeat != nullptr ? presents_of(*repeat) : 0;
        if (of_each > 0) repeat->steps.emplace_back(WaitStep{{frames.name, before + of_each, of_each, 0}});
        steps.push_back(step);
        if (of_each == 0 && presented > before) steps.emplace_back(WaitStep{{frames.name, presented, 0, 0}});
        waits += presented > before ? 1 : 0;
      }
      if (presented == 0) continue;
      queue.timeline = std::move(steps);
      workload.fences.push_back(frames);
    }
  }
  static std::uint64_t presents_of(const QueueRepeat& repeat) {
    std::uint64_t presents = 0;
    for (const auto& step : repeat.steps) presents += std::holds_alternative<PresentStep>(step) ? 1 : 0;
    return presents;
  }
  Workload workload;
  std::size_t waits = 0;
};

}  // namespace

TEST_CASE("frames: ranges and one queue wait for frames of their own, and are played to the end", "[replay]") {
  std::size_t waits = 0;
  for (std::uint64_t n = 0; n < workloads; ++n) {
    INFO("workload " << n);
    const WithFrameWaits random(n);
    if (random.waits == 0) continue;
    waits += random.waits;
    const Totals original = played(random.workload);
    REQUIRE(original.completed);
    const Totals single = played(on_single_queue(random.workload, "random"));
    REQUIRE(single.completed);
    REQUIRE(single.lists == original.lists);
    const std::uint64_t all = count_of(random.workload, Step::Kind::execute);
    for (std::uint64_t cut = 1; cut < all; ++cut) {
      const Totals first = played(trimmed(random.workload, submits(0, cut), "random"));
      const Totals second = played(trimmed(random.workload, {ReplayPoint{PointUnit::submit, cut}, {}}, "random"));
      REQUIRE(first.completed);
      REQUIRE(second.completed);
      REQUIRE(first.lists + second.lists == original.lists);
    }
  }
  CHECK(waits > workloads / 4);
}

TEST_CASE("single queue: every queue's steps come in its order, and none is lost or made", "[replay]") {
  for (std::uint64_t n = 0; n < workloads; ++n) {
    INFO("workload " << n);
    const Workload workload = random_workload(n);
    const Workload single = on_single_queue(workload, "random");
    REQUIRE(single.queues.size() == 1);
    // Its steps, told apart by whose lists and fences they name.
    const auto one = steps_of_queues(single, false);
    std::map<std::string, std::vector<std::string>> again;
    std::map<std::string, std::string> queue_of;
    const auto original = steps_of_queues(workload, false);
    for (const auto& [queue, steps] : original) {
      for (const std::string& step : steps) queue_of[step] = queue;
    }
    if (one.count("single") > 0) {
      for (const std::string& step : one.at("single")) {
        if (step.rfind("single order", 0) != 0) again[queue_of.at(step)].push_back(step);
      }
    }
    REQUIRE(again == original);
    REQUIRE(count_of(single, Step::Kind::present) == count_of(workload, Step::Kind::present));
  }
}

TEST_CASE("single queue: no step comes before the signal that it waits for", "[replay]") {
  for (std::uint64_t n = 0; n < workloads; ++n) {
    INFO("workload " << n);
    const Workload workload = random_workload(n);
    const WorkOrder order = order_of(workload, "random");
    // By queue, what each of its steps but waits needs: values of fences.
    std::map<std::uint32_t, std::vector<std::map<std::string, std::uint64_t>>> needs;
    std::map<std::uint32_t, std::map<std::string, std::uint64_t>> so_far;
    for (const WorkEvent& event : order.events) {
      if (event.queue == WorkEvent::no_queue) continue;
      if (event.kind == Step::Kind::queue_wait) {
        auto& value = so_far[event.queue][workload.fences[event.fence].name];
        value = std::max(value, event.value);
      } else {
        needs[event.queue].push_back(so_far[event.queue]);
      }
    }
    // On one queue, in its order, and with what CPU threads have signalled before.
    const Workload single = on_single_queue(workload, "random");
    const WorkOrder on_one = order_of(single, "random");
    std::map<std::uint32_t, std::size_t> done;
    std::map<std::string, std::uint64_t> stands;
    std::vector<std::uint32_t> owners;  // of each step that is no wait, in the order of the original
    for (const WorkEvent& event : order.events) {
      if (event.queue != WorkEvent::no_queue && event.kind != Step::Kind::queue_wait) owners.push_back(event.queue);
    }
    std::size_t at = 0;
    for (const WorkEvent& event : on_one.events) {
      if (event.queue != WorkEvent::no_queue && event.kind != Step::Kind::queue_wait) {
        REQUIRE(at < owners.size());
        const std::uint32_t owner = owners[at++];
        for (const auto& [fence, value] : needs[owner][done[owner]++]) REQUIRE(stands[fence] >= value);
      }
      if (signals(event)) stands[single.fences[event.fence].name] = event.value;
    }
    REQUIRE(at == owners.size());
  }
}

TEST_CASE("single queue: it is played to the end, with as many lists", "[replay]") {
  for (std::uint64_t n = 0; n < workloads; ++n) {
    INFO("workload " << n);
    const Workload workload = random_workload(n);
    const Totals original = played(workload);
    REQUIRE(original.completed);
    const Workload once = on_single_queue(workload, "random");
    const Totals single = played(once);
    REQUIRE(single.completed);
    REQUIRE(single.lists == original.lists);
    REQUIRE(played(on_single_queue(once, "random")).lists == original.lists);
    REQUIRE(text(on_single_queue(workload, "random")) == text(once));
  }
}

TEST_CASE("trim: the whole range is the workload, and two parts have all lists between them", "[replay]") {
  std::uint64_t parts = 0;
  for (std::uint64_t n = 0; n < workloads; ++n) {
    INFO("workload " << n);
    const Workload workload = random_workload(n);
    REQUIRE(text(trimmed(workload, {}, "random")) == text(workload));
    REQUIRE(text(trimmed(workload, {ReplayPoint{PointUnit::frame, 0}, {}}, "random")) == text(workload));
    const std::uint64_t all = count_of(workload, Step::Kind::execute);
    const std::uint64_t lists = played(workload).lists;
    for (std::uint64_t cut = 1; cut < all; ++cut) {
      const Workload first = trimmed(workload, submits(0, cut), "random");
      const Workload second = trimmed(workload, {ReplayPoint{PointUnit::submit, cut}, {}}, "random");
      REQUIRE(count_of(first, Step::Kind::execute) == cut);
      REQUIRE(count_of(second, Step::Kind::execute) == all - cut);
      const Totals of_first = played(first);
      const Totals of_second = played(second);
      REQUIRE(of_first.completed);
      REQUIRE(of_second.completed);
      REQUIRE(of_first.lists + of_second.lists == lists);
      ++parts;
    }
  }
  CHECK(parts > workloads);
}

TEST_CASE("trim: a range of a range is the range that both have", "[replay]") {
  std::uint64_t compared = 0;
  for (std::uint64_t n = 0; n < workloads; ++n) {
    const Workload workload = random_workload(n);
    const std::uint64_t all = count_of(workload, Step::Kind::execute);
    for (std::uint64_t from = 0; from + 3 < all; ++from) {
      const Workload outer = trimmed(workload, submits(from, all), "random");
      if (has_given_steps(workload, outer)) continue;
      for (std::uint64_t more = 1; more < 3; ++more) {
        INFO("workload " << n << ", from " << from << ", then " << more);
        const Workload inner = trimmed(outer, submits(more, all - from - 1), "random");
        REQUIRE(text(inner) == text(trimmed(workload, submits(from + more, all - 1), "random")));
        ++compared;
      }
    }
  }
  CHECK(compared > workloads);
}

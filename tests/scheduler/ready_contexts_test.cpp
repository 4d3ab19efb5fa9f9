// SPDX-License-Identifier: Apache-2.0
#include "scheduler/policies/ready_contexts.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <random>

using namespace fenceline;

namespace {

using Named = RepresentedContexts::Named;

Named nobody() {
  return {{}, {}, [](const Peers&, std::vector<std::uint32_t>&) {}};
}

ReadyContext ready(std::uint32_t context, std::uint32_t process, std::uint64_t arrival, std::uint64_t ready_ps) {
  ReadyContext one;
  one.context = context;
  one.process = process;
  one.arrival = {arrival, context};
  one.process_arrival = {10 * process, process};
  one.packet = context;
  one.ready_ps = ready_ps;
  return one;
}

std::vector<std::uint32_t> listed(const ReadyContexts& contexts, const Named& named = nobody()) {
  std::vector<std::uint32_t> result;
  contexts.for_each([&] { return named; }, [&](std::uint32_t one) { result.push_back(one); });
  return result;
}

using List = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("ready contexts: while they are few each speaks for itself, in the order in which they came", "[scheduler]") {
  ReadyContexts contexts(wddm_policy, 3);
  contexts.add(ready(7, 1, 100, 100));
  contexts.add(ready(2, 1, 50, 50));
  contexts.add(ready(5, 2, 10, 10));
  CHECK(listed(contexts) == List{7, 2, 5});
  contexts.remove(2);
  CHECK(listed(contexts) == List{7, 5});
  CHECK(contexts.size() == 2);
}

TEST_CASE("ready contexts: of many alike the first and the one that has waited longest stand for the others",
          "[scheduler]") {
  ReadyContexts contexts(wddm_policy, 2);
  // Of one process; 3 came first, 4 has the packet that has been ready for longest.
  for (const auto& [context, arrival, ready_ps] :
       {std::tuple{1U, 30U, 90U}, {2U, 40U, 80U}, {3U, 20U, 70U}, {4U, 60U, 10U}, {5U, 50U, 60U}}) {
    contexts.add(ready(context, 1, arrival, ready_ps));
  }
  CHECK(listed(contexts) == List{3, 4});
  SECTION("whoever goes is followed by the next") {
    contexts.remove(3);
    CHECK(listed(contexts) == List{1, 4});
    contexts.remove(4);
    CHECK(listed(contexts) == List{1, 5});
  }
  SECTION("whose turn it is, and what is on the node, speaks for itself") {
    Named named = nobody();
    named.contexts.push_back(2);
    named.owners = [](const Peers& peers, List& owners) {
      if (peers.process != Peers::processes) owners.push_back(5);
    };
    CHECK(listed(contexts, named) == List{2, 3, 4, 5});
  }
  SECTION("another in-process priority, another rank and waits have representatives of their own") {
    ReadyContext high = ready(6, 1, 70, 70);
    high.rank.in_process = 1;
    ReadyContext realtime = ready(7, 1, 70, 70);
    realtime.rank.band = PriorityBand::realtime;
    ReadyContext waits = ready(8, 1, 1, 1);
    waits.waits = true;
    for (const ReadyContext& one : {high, realtime, waits}) contexts.add(one);
    CHECK(listed(contexts) == List{3, 4, 6, 7, 8});
  }
  SECTION("in the order in which they came") {
    contexts.add(ready(0, 1, 90, 5));  // ready for longest, and came last
    CHECK(listed(contexts) == List{3, 0});
  }
  SECTION("few again, they are a list in the order in which they came") {
    for (const std::uint32_t gone : {1, 2, 3, 5}) contexts.remove(gone);
    CHECK(listed(contexts) == List{4});
    contexts.add(ready(1, 1, 5, 5));
    CHECK(listed(contexts) == List{4, 1});
  }
}

TEST_CASE("ready contexts: of many processes the first and the one that has waited longest stand for the others",
          "[scheduler]") {
  ReadyContexts contexts(wddm_policy, 2);
  for (std::uint32_t process = 1; process <= 6; ++process) contexts.add(ready(process, process, 0, 100 - process));
  CHECK(listed(contexts) == List{1, 6});
  Named named = nobody();
  named.processes.push_back(3);  // something of it runs
  CHECK(listed(contexts, named) == List{1, 3, 6});
  contexts.move_process(1, height_of({}), {1000, 0});  // its turn is over
  CHECK(listed(contexts) == List{2, 6});
  CHECK(contexts.of_process(4) == 1);
  CHECK(contexts.of_process(7) == 0);
  CHECK(contexts.process_after(4) == 5);
  CHECK(contexts.process_after(6) == 1);
  CHECK(contexts.process_after(ReadyContexts::none) == 1);
}

TEST_CASE("ready contexts: representatives choose and stop what all of them would", "[scheduler]") {
  std::mt19937_64 random(7);
  const auto below = [&](std::uint64_t limit) { return static_cast<std::uint32_t>(random() % limit); };
  constexpr std::uint64_t now_ps = 1000;
  for (const PolicyTraits* traits : policy_traits) {
    const PolicyTraits& policy = *traits;
    bool same_choice = true;
    bool same_verdict = true;
    bool fewer = false;
    for (int round = 0; round < 500; ++round) {
      ReadyContexts contexts(policy, 1);
      std::map<std::uint32_t, Candidate> all;
      const auto arrival_of = [](std::uint32_t process, const Rank& rank) {
        return Arrival{(process * 7 + height_of(rank) * 3) % 11, process};
      };
      const std::uint32_t count = 2 + below(40);
      for (std::uint32_t context = 0; context < count; ++context) {
        ReadyContext one = ready(context, below(5), below(20), below(now_ps));
        one.rank = {static_cast<PriorityBand>(below(priority_bands)), below(2), static_cast<int>(below(3)) - 1};
        one.last_submission = below(4);
        one.packet = 1 + (context * 29) % 97;
        one.process_arrival = arrival_of(one.process, one.rank);
        one.arrival.packet = one.packet;
        contexts.add(one);
        Candidate candidate;
        candidate.rank = one.rank;
        candidate.context = context;
        candidate.process = one.process;
        candidate.context_turn.arrival = one.arrival;
        candidate.process_turn.arrival = one.process_arrival;
        candidate.allowance = {300, 400, 100, 50, 60};
        candidate.packet = one.packet;
        candidate.last_submission = one.last_submission;
        candidate.waiting_ps = now_ps - one.ready_ps;
        all[context] = candidate;
      }
      Candidate running;
      running.rank = {static_cast<PriorityBand>(below(priority_bands)), below(2), static_cast<int>(below(3)) - 1};
      running.context = 1000;
      running.process = below(5);
      running.allowance = {300, 400, 100 * below(10), 50, 60 * below(10)};
      running.process_turn = {true, below(900), 0, {}};
      running.context_turn = {true, below(900), 0, {}};
      Named named = nobody();
      named.processes.push_back(running.process);

      struct Outcome {
        std::uint64_t chosen = 0;
        bool stops = false;
        std::uint64_t retry_ps = ~std::uint64_t{0};
      };
      const auto outcome = [&](const std::vector<Candidate>& candidates) {
        Outcome result;
        result.chosen = candidates[choose_context(policy, candidates)].context;
        for (const Candidate& one : candidates) {
          const PreemptionVerdict verdict = judge(policy, one, running);
          result.stops = result.stops || verdict.result == PreemptionAttempt::success;
          if (verdict.retry_ps > 0) result.retry_ps = std::min(result.retry_ps, verdict.retry_ps);
        }
        return result;
      };
      std::vector<Candidate> everybody;
      everybody.reserve(all.size());
      for (const auto& [context, candidate] : all) everybody.push_back(candidate);
      std::vector<Candidate> representatives;
      for (const std::uint32_t context : listed(contexts, named)) representatives.push_back(all.at(context));
      const Outcome whole = outcome(everybody);
      const Outcome part = outcome(representatives);
      same_choice = same_choice && whole.chosen == part.chosen;
      // When to look again is nothing that anybody asks once something is stopped.
      same_verdict = same_verdict && whole.stops == part.stops && (whole.stops || whole.retry_ps == part.retry_ps);
      fewer = fewer || representatives.size() < everybody.size();
    }
    INFO("policy " << static_cast<int>(policy.policy));
    CHECK(same_choice);
    CHECK(same_verdict);
    CHECK(fewer);
  }
}

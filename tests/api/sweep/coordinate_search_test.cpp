// SPDX-License-Identifier: Apache-2.0
#include "api/sweep/coordinate_search.hpp"

#include "api/sweep/sweep_file.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <set>

using namespace fenceline;

namespace {

SweepPlan plan_of(const std::vector<int>& sizes) {
  nlohmann::json document = {{"name", "s"}, {"workloads", {"w"}}, {"metrics", {"cost=/c", "lost=/l"}}};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    document["axes"].push_back({{"pointer", "/axis" + std::to_string(i)}, {"from", 0}, {"to", sizes[i] - 1}});
  }
  return {read_sweep(document, "s.json"), "s.json"};
}

using Place = std::vector<double>;

struct Searched {
  std::optional<std::uint64_t> best;
  std::set<std::uint64_t> tried;
};

Searched searched(const SweepPlan& plan, const SearchGoal& goal, const std::function<double(const Place&)>& cost,
                  const std::function<double(const Place&)>& lost, unsigned seed = 1) {
  CoordinateSearch search(plan, goal, 0, 0);
  Searched result;
  std::mt19937 random(seed);
  while (!search.wanted().empty()) {
    // In any order.
    std::vector<std::uint64_t> wanted = search.wanted();
    std::shuffle(wanted.begin(), wanted.end(), random);
    for (const std::uint64_t run : wanted) {
      CHECK(result.tried.insert(run).second);
      Place place;
      for (const std::string& value : plan.point(run).values) place.push_back(std::stod(value));
      search.hear({run, "done", "", {cost(place), lost(place)}});
    }
  }
  result.best = search.best();
  return result;
}

}  // namespace

TEST_CASE("coordinate search: it finds the least of a bowl, and asks for few runs, in any order", "[sweep]") {
  const SweepPlan plan = plan_of({21, 21, 21});
  const auto bowl = [](const Place& p) {
    return (p[0] - 13) * (p[0] - 13) + 2 * (p[1] - 4) * (p[1] - 4) + (p[2] - 20) * (p[2] - 20) + 1;
  };
  const auto nothing = [](const Place&) { return 0.0; };
  const Searched found = searched(plan, {"cost", {}}, bowl, nothing);
  REQUIRE(found.best);
  CHECK(plan.point(*found.best).values == std::vector<std::string>{"13", "4", "20"});
  CHECK(found.tried.size() <= 6 * 21);
  for (unsigned seed = 2; seed < 6; ++seed)
    CHECK(searched(plan, {"cost", {}}, bowl, nothing, seed).tried == found.tried);
}

TEST_CASE("coordinate search: what is beyond a limit is not the best, and what fails never is", "[sweep]") {
  const SweepPlan plan = plan_of({11});
  const auto cost = [](const Place& p) { return p[0] == 10 ? NAN : 100 - p[0]; };
  const auto lost = [](const Place& p) { return p[0] / 2; };
  const Searched within = searched(plan, {"cost", {{"lost", 2}}}, cost, lost);
  REQUIRE(within.best);
  CHECK(plan.point(*within.best).values[0] == "4");
  CHECK(plan.point(*searched(plan, {"cost", {}}, cost, lost).best).values[0] == "9");
  CHECK_FALSE(searched(plan, {"cost", {{"lost", -1}}}, cost, lost).best);
  const auto one = [](const Place&) { return 1.0; };
  CHECK(searched(plan_of({}), {"cost", {}}, one, one).best == 0U);
}

TEST_CASE("coordinate search: at random no value of one axis alone is better than what it ends with", "[sweep]") {
  std::mt19937 random(22);
  for (int round = 0; round < 100; ++round) {
    const SweepPlan plan = plan_of({static_cast<int>(random() % 5 + 1), static_cast<int>(random() % 5 + 1), 3});
    std::vector<double> costs(plan.runs());
    for (double& one : costs) one = static_cast<double>(random() % 50);
    const auto cost = [&](const Place& p) {
      return costs[plan.run_at({0, 0, static_cast<std::uint64_t>(p[0]), static_cast<std::uint64_t>(p[1]),
                                static_cast<std::uint64_t>(p[2])})];
    };
    const Searched found = searched(plan, {"cost", {}}, cost, [](const Place&) { return 0.0; });
    REQUIRE(found.best);
    const auto places = plan.places(*found.best);
    for (std::size_t axis = 2; axis < places.size(); ++axis) {
      auto other = places;
      for (other[axis] = 0; other[axis] < plan.sizes()[axis]; ++other[axis]) {
        CHECK(costs[plan.run_at(other)] >= costs[*found.best]);
      }
    }
  }
}

TEST_CASE("coordinate search: limits are METRIC<=NUMBER or METRIC>=NUMBER, or percent of the first", "[sweep]") {
  CHECK(limit_in("lost_percent<=2").metric == "lost_percent");
  CHECK(limit_in("lost_percent<=2.5").bound == 2.5);
  CHECK_FALSE(limit_in("lost_percent<=2.5").at_least);
  CHECK_FALSE(limit_in("lost_percent<=2.5").of_first);
  const SearchGoal::Limit least = limit_in("queue_p99_us:a>=98%");
  CHECK(least.metric == "queue_p99_us:a");
  CHECK(least.bound == 98);
  CHECK(least.at_least);
  CHECK(least.of_first);
  for (const char* wrong : {"lost_percent", "<=2", ">=2", "a<=", "a<=x", "a<=%", "a<=2%%", "a<=inf", "a=2", "a>2"})
    CHECK_THROWS_AS(limit_in(wrong), std::exception);
}

TEST_CASE("coordinate search: the most of a metric, and limits that are parts of the first combination", "[sweep]") {
  const SweepPlan plan = plan_of({11, 5});
  const auto value = [](const Place& p) { return p[0] + p[1]; };
  const auto lost = [](const Place& p) { return 200 - 10 * p[0] - p[1]; };  // 200 in the first combination
  const auto best = [&](const SearchGoal& goal) { return searched(plan, goal, value, lost).best; };
  using Values = std::vector<std::string>;
  CHECK(plan.point(*best({"cost", {}, true})).values == Values{"10", "4"});
  CHECK(plan.point(*best({"cost", {}, false})).values == Values{"0", "0"});
  // 80 % of 200 are 160: four steps of ten. That three, and four of one, are more is beside no best value of an axis.
  CHECK(plan.point(*best({"cost", {limit_in("lost>=80%")}, true})).values == Values{"4", "0"});
  CHECK(plan.point(*best({"cost", {limit_in("lost>=160")}, true})).values == Values{"4", "0"});
  CHECK(plan.point(*best({"cost", {limit_in("lost<=50%")}})).values == Values{"10", "0"});
  CHECK_FALSE(best({"cost", {limit_in("lost>=101%")}, true}));
  // Of a first combination that has no number nothing can be a part.
  const auto unknown = [](const Place& p) { return p[0] == 0 && p[1] == 0 ? NAN : 1.0; };
  CHECK_FALSE(searched(plan, {"cost", {limit_in("lost>=0%")}}, value, unknown).best);
}

TEST_CASE("coordinate search: a metric may say which way is better", "[sweep]") {
  CHECK(optimised_in("makespan_us").metric == "makespan_us");
  CHECK_FALSE(optimised_in("makespan_us").most);
  CHECK(optimised_in("max:queue_p99_us:a").metric == "queue_p99_us:a");
  CHECK(optimised_in("max:queue_p99_us:a").most == true);
  CHECK(optimised_in("min:packets").most == false);
  CHECK_FALSE(optimised_in("maximum").most);
}

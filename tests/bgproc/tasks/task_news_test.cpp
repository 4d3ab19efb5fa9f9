// SPDX-License-Identifier: Apache-2.0
// What host threads leave for the simulation.
#include "bgproc/tasks/task_news.hpp"

#include <catch2/catch.hpp>

#include <cstddef>
#include <thread>
#include <utility>
#include <vector>

using namespace fenceline;

TEST_CASE("task news: calls are made when they are taken, in order, once", "[bgproc]") {
  std::vector<int> made;
  int told = 0;
  TaskNews news([&] { ++told; });
  CHECK_FALSE(news.any());
  for (int i = 0; i < 3; ++i) news.leave([&made, i] { made.push_back(i); });
  CHECK(made.empty());
  CHECK(news.any());
  CHECK(told == 3);
  news.wait();  // there is something: at once
  news.take();
  news.take();
  CHECK(made == std::vector<int>{0, 1, 2});
  CHECK_FALSE(news.any());
}

TEST_CASE("task news: what a call leaves is made by the same take", "[bgproc]") {
  TaskNews news;
  int depth = 0;
  news.leave([&] {
    ++depth;
    news.leave([&] { ++depth; });
  });
  news.take();
  CHECK(depth == 2);
}

TEST_CASE("task news: eight threads leave while one takes, and nothing is lost", "[bgproc][threads]") {
  constexpr std::size_t threads = 8;
  constexpr std::size_t each = 2000;
  TaskNews news;
  std::vector<std::vector<std::size_t>> made(threads);
  std::vector<std::thread> writers;
  for (std::size_t i = 0; i < threads; ++i) {
    writers.emplace_back([&, i] {
      for (std::size_t n = 0; n < each; ++n) news.leave([&made, i, n] { made[i].push_back(n); });
    });
  }
  const auto count = [&] {
    std::size_t all = 0;
    for (const auto& of_thread : made) all += of_thread.size();
    return all;
  };
  while (count() < threads * each) {
    news.wait();
    news.take();
  }
  for (std::thread& writer : writers) writer.join();
  CHECK_FALSE(news.any());
  for (const auto& of_thread : made) {
    REQUIRE(of_thread.size() == each);
    for (std::size_t n = 0; n < each; ++n) REQUIRE(of_thread[n] == n);
  }
}

TEST_CASE("task news: a call that takes the rest itself keeps their order", "[bgproc]") {
  TaskNews news;
  std::vector<int> made;
  news.leave([&] {
    made.push_back(1);
    news.take();
    made.push_back(4);
  });
  for (const int one : {2, 3}) news.leave([&made, one] { made.push_back(one); });
  news.take();
  CHECK(made == std::vector<int>{1, 2, 3, 4});
}

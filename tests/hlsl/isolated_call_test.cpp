// SPDX-License-Identifier: Apache-2.0
#include "api/hlsl/isolated_call.hpp"

#include <catch2/catch.hpp>

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

using fenceline::d3d12::AskParent;
using fenceline::d3d12::call_isolated;

namespace {

std::string no_answer(const std::string&) { return {}; }

}  // namespace

TEST_CASE("isolated call: gives out what the work returned, of any size", "[hlsl]") {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{10'000'000}}) {
    const auto result = call_isolated([&](const AskParent&) { return std::string(size, 'x'); }, no_answer);
    REQUIRE(result);
    CHECK(*result == std::string(size, 'x'));
  }
}

TEST_CASE("isolated call: work that crashes, throws or leaves gives nothing and harms nobody", "[hlsl]") {
  int here = 1;
  const auto none = [&](auto work) {
    return !call_isolated(
        [&](const AskParent&) -> std::string {
          here = 2;
          work();
          return "done";
        },
        no_answer);
  };
  CHECK(none([] { std::raise(SIGSEGV); }));
  CHECK(none([] { std::abort(); }));
  CHECK(none([] { throw std::runtime_error("thrown"); }));
  CHECK(none([] { std::_Exit(0); }));
  CHECK(here == 1);
  CHECK(call_isolated([](const AskParent&) { return std::string("next"); }, no_answer) == std::string("next"));
}

TEST_CASE("isolated call: questions are answered here, in their order", "[hlsl]") {
  std::vector<std::string> asked;
  const auto result = call_isolated(
      [](const AskParent& ask) {
        std::string all;
        for (int i = 0; i < 100; ++i) all += ask("q" + std::to_string(i)) + ";";
        return all;
      },
      [&](const std::string& question) {
        asked.push_back(question);
        return "a" + std::to_string(asked.size());
      });
  REQUIRE(result);
  REQUIRE(asked.size() == 100);
  CHECK(asked.front() == "q0");
  CHECK(asked.back() == "q99");
  CHECK(result->substr(0, 6) == "a1;a2;");
}

TEST_CASE("isolated call: an exception of who answers goes on, and the child is gone", "[hlsl]") {
  CHECK_THROWS_AS(call_isolated([](const AskParent& ask) { return ask("?"); },
                                [](const std::string&) -> std::string { throw std::out_of_range("no"); }),
                  std::out_of_range);
}

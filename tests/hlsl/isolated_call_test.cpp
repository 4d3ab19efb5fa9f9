// SPDX-License-Identifier: Apache-2.0
#include "api/hlsl/isolated_call.hpp"

#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

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

TEST_CASE("isolated call: the child holds no file of this process open, and no lock of it", "[hlsl]") {
  const fenceline::testing::TemporaryDirectory directory;
  const std::string place = (directory / "locked").string();
  const int held = ::open(place.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  REQUIRE(::flock(held, LOCK_EX) == 0);
  const int high = ::fcntl(held, F_DUPFD_CLOEXEC, 200);
  REQUIRE(high >= 200);
  bool free_meanwhile = false;
  const auto found = call_isolated(
      [&](const AskParent& ask) {
        ask("closed?");
        std::string open;
        for (const int one : {held, high}) open += ::fcntl(one, F_GETFD) >= 0 ? "open " : "closed ";
        return open;
      },
      [&](const std::string&) {
        ::close(held);
        ::close(high);
        const int again = ::open(place.c_str(), O_RDWR | O_CLOEXEC);
        free_meanwhile = ::flock(again, LOCK_EX | LOCK_NB) == 0;
        ::close(again);
        return std::string();
      });
  CHECK(found == std::string("closed closed "));
  CHECK(free_meanwhile);
}

TEST_CASE("isolated call: works with each standard stream closed, and gets no number of theirs", "[hlsl]") {
  for (int closed = 1; closed < 8; ++closed) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (int stream = 0; stream < 3; ++stream) {
        if ((closed >> stream & 1) != 0) ::close(stream);
      }
      bool free = true;
      const auto result = call_isolated([](const AskParent& ask) { return ask("?") + "!"; },
                                        [&](const std::string&) {
                                          for (int stream = 0; stream < 3; ++stream) {
                                            if ((closed >> stream & 1) == 0) continue;
                                            free = free && ::fcntl(stream, F_GETFD) < 0;
                                          }
                                          return std::string("answer");
                                        });
      ::_exit(result == std::string("answer!") && free ? 7 : 1);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CAPTURE(closed);
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 7);
  }
}

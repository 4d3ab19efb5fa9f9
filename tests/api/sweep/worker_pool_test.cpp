// SPDX-License-Identifier: Apache-2.0
#include "api/cli/sweep/workers/worker_pool.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <string>

using namespace fenceline::cli;
using Catch::Contains;

namespace {

struct Heard {
  std::map<std::uint64_t, std::string> did;
  std::map<std::uint64_t, std::string> lost;
};

/// What comes of so many jobs when the workers are shells with this program.
Heard played(const std::string& program, std::uint64_t jobs, unsigned workers) {
  Heard heard;
  std::uint64_t next = 0;
  WorkerPool::Client client;
  client.next = [&]() -> std::optional<std::uint64_t> {
    if (next == jobs) return std::nullopt;
    return next++;
  };
  client.did = [&](std::uint64_t job, const std::string& answer) { CHECK(heard.did.emplace(job, answer).second); };
  client.lost = [&](std::uint64_t job, const std::string& why) { CHECK(heard.lost.emplace(job, why).second); };
  client.tick = [] {};
  WorkerPool({{"/bin/sh", "-c", program}, "hello", workers}).run(client);
  return heard;
}

}  // namespace

TEST_CASE("workers: each job is done once, whatever their number", "[sweep]") {
  for (const unsigned workers : {1U, 2U, 7U}) {
    const Heard heard = played("read g; while read n; do echo \"$g $n\"; done", 50, workers);
    CHECK(heard.lost.empty());
    REQUIRE(heard.did.size() == 50);
    for (const auto& [job, answer] : heard.did) CHECK(answer == "hello " + std::to_string(job));
  }
  CHECK(played("exit 1", 0, 3).did.empty());
}

TEST_CASE("workers: a job whose worker is killed is given again, so many times", "[sweep]") {
  // Each worker dies at its third job; none of the jobs is at fault.
  const Heard tired = played("read g; read a; echo $a; read b; echo $b; read c; kill -9 $$", 20, 2);
  CHECK(tired.lost.empty());
  CHECK(tired.did.size() == 20);
  // Job 7 kills whoever takes it.
  const Heard heard =
      played("read g; while read n; do if [ $n = 7 ]; then echo bad luck >&2; kill -9 $$; fi; echo $n; done", 20, 2);
  CHECK(heard.did.size() == 19);
  REQUIRE(heard.lost.size() == 1);
  CHECK(heard.lost.begin()->first == 7);
  CHECK(heard.lost.begin()->second == "its process ended with signal 9 (Killed), 3 times, and said bad luck");
  const Heard none = played("exit 4", 3, 2);
  CHECK(none.lost.size() == 3);
  CHECK_THAT(none.lost.begin()->second, Contains("exit code 4, 3 times"));
}

// SPDX-License-Identifier: Apache-2.0
#include "tests/support/places.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// MiB resident in the largest process of a sweep of so many runs.
double most_mib(const Shell& shell, int runs) {
  const std::string command = fmt::format(
      "exec {} sweep {} --vary /engines/3d/clock_mhz=1000..{} --metric makespan_us "
      "--jobs 2 --quiet --out {}",
      Shell::quoted(fenceline_binary()), Shell::quoted(shipped_workload("multi_engine").string()), 999 + runs,
      Shell::quoted((shell.work() / std::to_string(runs)).string()));
  const pid_t child = ::fork();
  if (child == 0) {
    ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    ::_exit(127);
  }
  int status = 0;
  rusage used{};
  REQUIRE(::wait4(child, &status, 0, &used) == child);  // of it, and of the workers that it waited for
  REQUIRE(status == 0);
  return static_cast<double>(used.ru_maxrss) / 1024;
}

}  // namespace

TEST_CASE("fenceline sweep: twenty times as many runs take no more memory", "[cli][sweep]") {
  if (sanitized) return;  // it keeps freed memory in quarantine
  const Shell shell;
  const double few = most_mib(shell, 100);
  CHECK(most_mib(shell, 2'000) < few + 2);
}

// SPDX-License-Identifier: Apache-2.0
// Random D3D12 programs: every call returns, no wait lasts longer than the device, and nothing is left behind.
// FENCELINE_FUZZ_PROGRAMS says how many, FENCELINE_PROGRAM_SEED=n plays the one of that seed; both: so many from there.
#include "tests/fuzz/d3d12_program.hpp"

#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

std::uint64_t number_of(const char* variable, std::uint64_t without) {
  const char* const text = std::getenv(variable);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : without;
}

/// Shader caches are nowhere else, nor are those of the working directory.
class CachesAside {
 public:
  CachesAside() : before_(std::filesystem::current_path()) {
    setenv("XDG_CACHE_HOME", (directory_ / "caches").c_str(), 1);
    std::filesystem::create_directory(directory_ / "work");
    std::filesystem::current_path(directory_ / "work");
  }
  CachesAside(const CachesAside&) = delete;
  CachesAside& operator=(const CachesAside&) = delete;
  ~CachesAside() {
    std::error_code ignored;
    std::filesystem::current_path(before_, ignored);
  }

 private:
  TemporaryDirectory directory_;
  std::filesystem::path before_;
};

}  // namespace

TEST_CASE("D3D12 fuzz: random programs end, whatever they call, when their device is removed", "[fuzz]") {
  const bool alone = std::getenv("FENCELINE_PROGRAM_SEED") != nullptr;
  const std::uint64_t first = number_of("FENCELINE_PROGRAM_SEED", 1);
  const std::uint64_t count = number_of("FENCELINE_FUZZ_PROGRAMS", alone ? 1 : 100);
  std::uint64_t calls = 0;
  std::uint64_t executed = 0;
  std::uint64_t stored = 0;
  std::uint64_t granted = 0;
  std::uint64_t desired = 0;
  const CachesAside aside;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    CAPTURE(seed);
    const ProgramEnd end = play_d3d12_program(seed);
    REQUIRE(end.fences_ended);
    REQUIRE(end.commits_ended);
    REQUIRE(end.device_references == 0);
    calls += end.calls;
    executed += end.executed;
    stored += end.stored;
    granted += end.granted;
    desired += end.desired;
  }
  CHECK(calls >= count * 20);
  if (count < 100) return;
  CHECK(executed >= count / 2);  // not only refusals
  CHECK(stored >= count / 4);
  CHECK(granted >= count / 4);
  CHECK(desired >= 1);
}

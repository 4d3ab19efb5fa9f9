// SPDX-License-Identifier: Apache-2.0
// What creating pipeline states takes with each implicit cache, cold and warm, controlled and after driver updates.
#include "shadercache/implicit/implicit_caches.hpp"

#include "shadercache/implicit/creation_cost.hpp"
#include "sim/sanitizers.hpp"
#include "tests/support/resident_memory.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

namespace fenceline::testing {
namespace {

using Kind = ImplicitCacheKind;
constexpr auto disable = CacheControl::disable;
constexpr auto enable = CacheControl::enable;
constexpr auto clear = CacheControl::clear;
const CacheDriver driver{"adapter", 7};

/// Of 20 instructions in two shaders, of 12 and 8.
CreatedPipeline pipeline(std::uint64_t number = 0, bool dxbc = true) {
  CreatedPipeline one;
  one.key = numbered_key(creation_key("pipeline"), number, 20);
  one.instructions = 20;
  if (!dxbc) return one;
  one.dxbc = {{numbered_key(creation_key("vertex"), number, 12), 12},
              {numbered_key(creation_key("pixel"), number, 8), 8}};
  return one;
}

constexpr std::uint64_t us = 1'000'000;
constexpr std::uint64_t compile = (1000 + 10 * 20) * us;
constexpr std::uint64_t compiled = (5 + 10) * us;
constexpr std::uint64_t convert = (100 + 12 + 100 + 8) * us;
constexpr std::uint64_t converted = (5 + 6 + 5 + 4) * us;

ImplicitCacheConfig costs(CompilationsKeptBy kept_by = CompilationsKeptBy::d3d) {
  ImplicitCacheConfig config;
  config.compilations_kept_by = kept_by;
  config.compile_us = 1000;
  config.compile_us_per_instruction = 10;
  config.convert_us = 100;
  config.convert_us_per_instruction = 1;
  config.look_up_us = 5;
  config.look_up_us_per_instruction = 0.5;
  return config;
}

/// Created from begin to end: what it took.
std::uint64_t created(ImplicitCaches& caches, const CreatedPipeline& one) {
  const PipelineCreation creation = caches.begin(one);
  caches.end(creation);
  return creation.cpu_ps;
}

}  // namespace

TEST_CASE("implicit caches: the first of a pipeline state converts and compiles, the second looks up",
          "[shadercache]") {
  for (const auto kept_by : {CompilationsKeptBy::d3d, CompilationsKeptBy::driver}) {
    ImplicitCaches caches(costs(kept_by), driver, "game");
    CHECK(created(caches, pipeline(1)) == compile + convert);
    CHECK(created(caches, pipeline(1)) == compiled + converted);
    CHECK(created(caches, pipeline(2)) == compile + convert);
    CHECK(created(caches, pipeline(3, false)) == compile);
    CHECK(created(caches, pipeline(3, false)) == compiled);
    CHECK(caches.has(Kind::d3d_conversions));
    CHECK(caches.has(Kind::d3d_cache_for_driver) == (kept_by == CompilationsKeptBy::d3d));
    CHECK(caches.has(Kind::driver_managed) == (kept_by == CompilationsKeptBy::driver));
  }
}

TEST_CASE("implicit caches: what nobody keeps is compiled each time, and converted once", "[shadercache]") {
  ImplicitCaches caches(costs(CompilationsKeptBy::nobody), driver, "game");
  CHECK(created(caches, pipeline()) == compile + convert);
  CHECK(created(caches, pipeline()) == compile + converted);
  CHECK_FALSE(caches.has(Kind::d3d_cache_for_driver));
  CHECK_FALSE(caches.has(Kind::driver_managed));
  caches.control(Kind::driver_managed, disable);
  CHECK_FALSE(caches.enabled(Kind::driver_managed));
}

TEST_CASE("implicit caches: a driver that takes DXBC has nothing converted", "[shadercache]") {
  ImplicitCacheConfig config = costs();
  config.converts_dxbc = false;
  ImplicitCaches caches(config, driver, "game");
  CHECK(caches.begin(pipeline()).converts.empty());
  CHECK(created(caches, pipeline()) == compile);
  CHECK(created(caches, pipeline()) == compiled);
  CHECK_FALSE(caches.has(Kind::d3d_conversions));
}

TEST_CASE("implicit caches: who creates the same meanwhile does the work, too", "[shadercache]") {
  ImplicitCaches caches(costs(), driver, "game");
  const PipelineCreation first = caches.begin(pipeline());
  const PipelineCreation second = caches.begin(pipeline());
  CHECK(first.cpu_ps == compile + convert);
  CHECK(second.cpu_ps == compile + convert);
  caches.end(first);
  caches.end(second);
  CHECK(created(caches, pipeline()) == compiled + converted);
}

TEST_CASE("implicit caches: they start cold, warm, or as an update of the driver leaves them", "[shadercache]") {
  for (const auto kept_by : {CompilationsKeptBy::d3d, CompilationsKeptBy::driver}) {
    const auto first_of = [&](CacheStart start) {
      ImplicitCacheConfig config = costs(kept_by);
      config.start = start;
      ImplicitCaches caches(config, driver, "game");
      return created(caches, pipeline());
    };
    CHECK(first_of(CacheStart::cold) == compile + convert);
    CHECK(first_of(CacheStart::warm) == compiled + converted);
    CHECK(first_of(CacheStart::driver_update) == compile + converted);
  }
}

TEST_CASE("implicit caches: a driver's update costs compilations and no conversions, also of warm ones",
          "[shadercache]") {
  for (const auto kept_by : {CompilationsKeptBy::d3d, CompilationsKeptBy::driver}) {
    for (const auto start : {CacheStart::cold, CacheStart::warm}) {
      ImplicitCacheConfig config = costs(kept_by);
      config.start = start;
      ImplicitCaches caches(config, driver, "game");
      created(caches, pipeline());
      caches.update_driver({"adapter", 8});
      CHECK(created(caches, pipeline()) == compile + converted);
      CHECK(created(caches, pipeline()) == compiled + converted);
    }
  }
}

TEST_CASE("implicit caches: each kind is cleared, disabled and enabled by itself", "[shadercache]") {
  struct Row {
    Kind kind;
    CompilationsKeptBy kept_by;
    std::uint64_t made;   // by it, where it has nothing
    std::uint64_t found;  // in it
    std::uint64_t other;  // what the others find
  };
  const std::array<Row, 3> rows{{{Kind::d3d_cache_for_driver, CompilationsKeptBy::d3d, compile, compiled, converted},
                                 {Kind::driver_managed, CompilationsKeptBy::driver, compile, compiled, converted},
                                 {Kind::d3d_conversions, CompilationsKeptBy::d3d, convert, converted, compiled}}};
  for (const Row& row : rows) {
    INFO(static_cast<int>(row.kind));
    ImplicitCaches caches(costs(row.kept_by), driver, "game");
    const auto takes = [&] { return created(caches, pipeline()) - row.other; };
    created(caches, pipeline());
    CHECK(takes() == row.found);
    caches.control(row.kind, clear);
    CHECK(takes() == row.made);
    CHECK(takes() == row.found);

    caches.control(row.kind, disable);
    CHECK_FALSE(caches.enabled(row.kind));
    CHECK(takes() == row.made);
    CHECK(takes() == row.made);
    caches.control(row.kind, enable);
    CHECK(caches.enabled(row.kind));
    CHECK(takes() == row.found);  // what it had before

    caches.control(row.kind, disable | clear);
    CHECK(takes() == row.made);
    caches.control(row.kind, enable);
    CHECK(takes() == row.made);  // neither kept nor stored while it was disabled
    CHECK(takes() == row.found);
    caches.control(row.kind, disable);
    caches.control(row.kind, enable | clear);
    CHECK(takes() == row.made);
    CHECK(takes() == row.found);
  }
}

TEST_CASE("implicit caches: the driver follows what D3D12 asks of its own cache", "[shadercache]") {
  DriverManagedCache managed{ImplicitCache(false)};
  const CreationKey key = creation_key("one");
  managed.cache.store(key);
  managed.implicit_shader_cache_control(disable);
  CHECK_FALSE(managed.cache.find(key));
  managed.cache.store(creation_key("two"));
  managed.implicit_shader_cache_control(enable);
  CHECK(managed.cache.find(key));
  CHECK_FALSE(managed.cache.find(creation_key("two")));
  managed.implicit_shader_cache_control(clear);
  CHECK(managed.cache.enabled());
  CHECK_FALSE(managed.cache.find(key));
  managed.implicit_shader_cache_control(disable | clear);
  CHECK_FALSE(managed.cache.enabled());
  managed.implicit_shader_cache_control(enable | clear);
  CHECK(managed.cache.enabled());
}

TEST_CASE("implicit caches: a directory has what the last run left, for each program and driver version",
          "[shadercache]") {
  const TemporaryDirectory temporary;
  for (const auto kept_by : {CompilationsKeptBy::d3d, CompilationsKeptBy::driver}) {
    ImplicitCacheConfig config = costs(kept_by);
    config.directory = (temporary / std::to_string(static_cast<int>(kept_by))).string();
    const auto takes = [&](const std::string& program, const CacheDriver& of = driver) {
      ImplicitCaches caches(config, of, program);
      CHECK(caches.refusal().empty());
      return created(caches, pipeline());
    };
    CHECK(takes("game") == compile + convert);
    CHECK(takes("game") == compiled + converted);
    CHECK(takes("tool") == compile + convert);
    CHECK(takes("game", {"other adapter", 7}) == compile + converted);
    CHECK(takes("game") == compiled + converted);  // side by side
    CHECK(takes("game", {"adapter", 8}) == compile + converted);
    CHECK(takes("game") == compile + converted);  // going back does not bring them back
    {
      ImplicitCaches caches(config, driver, "game");
      caches.update_driver({"adapter", 8});
      CHECK(created(caches, pipeline()) == compile + converted);
      caches.control(Kind::d3d_conversions, clear);
    }
    CHECK(takes("game", {"adapter", 8}) == compiled + convert);
    CHECK(names_in(config.directory).size() == 2);
  }
}

TEST_CASE("implicit caches: a program's name that no file can have is a folder all the same", "[shadercache]") {
  const TemporaryDirectory temporary;
  ImplicitCacheConfig config = costs();
  config.directory = (temporary / "caches").string();
  for (const char letter : {'a', 'b'}) {
    for (const std::size_t length : {200U, 300U}) {
      const std::string program(length, letter);
      for (const std::uint64_t expected : {compile + convert, compiled + converted}) {
        ImplicitCaches caches(config, driver, program);
        CHECK(caches.refusal().empty());
        CHECK(created(caches, pipeline()) == expected);
      }
    }
  }
  CHECK(names_in(config.directory).size() == 4);
}

TEST_CASE("implicit caches: of a directory that cannot be used they say why, and find nothing", "[shadercache]") {
  ImplicitCacheConfig config = costs();
  config.directory = "/proc/none";
  ImplicitCaches caches(config, driver, "game");
  CHECK_THAT(caches.refusal(), Catch::Contains("/proc/none"));
  CHECK(created(caches, pipeline()) == compile + convert);
  CHECK(created(caches, pipeline()) == compile + convert);
  for (const auto kind : {Kind::d3d_cache_for_driver, Kind::d3d_conversions}) caches.control(kind, clear);
  caches.update_driver({"adapter", 8});
  CHECK_FALSE(caches.refusal().empty());
  CHECK(ImplicitCaches(costs(), driver, "game").refusal().empty());
}

TEST_CASE("implicit caches: a million pipeline states of names of any length fit into 64 MiB", "[shadercache]") {
  const CreationKey base = creation_key(std::string(200'000, 'n'));
  const std::uint64_t before = resident_bytes();
  ImplicitCaches caches(costs(), driver, "game");
  for (std::uint64_t i = 0; i < 1'000'000; ++i) {
    CreatedPipeline one;
    one.key = numbered_key(base, i, 20);
    caches.end(caches.begin(one));
  }
#if defined(FENCELINE_ADDRESS_SANITIZER) || defined(FENCELINE_THREAD_SANITIZER)
  (void)before;  // what a sanitizer takes besides is no cache's
#else
  CHECK(resident_bytes() - before < std::uint64_t{64} << 20);
#endif
  CreatedPipeline again;
  again.key = numbered_key(base, 999'999, 20);
  CHECK_FALSE(caches.begin(again).compiles);
  again.key = numbered_key(base, 999'999, 21);  // of another size it is other code
  CHECK(caches.begin(again).compiles);
  again.key = numbered_key(base, 1'000'000, 20);
  CHECK(caches.begin(again).compiles);
}

TEST_CASE("creation cost: what no run could wait for is told, not wrapped", "[shadercache]") {
  CHECK(creation_ps(9.2e12) == std::uint64_t{9'200'000'000'000} * us);
  CHECK_THROWS_AS(creation_ps(9.3e12), std::overflow_error);
  CHECK_THROWS_AS(creation_ps(std::numeric_limits<double>::infinity()), std::overflow_error);
  ImplicitCacheConfig config = costs();
  config.compile_us_per_instruction = 1e6;
  ImplicitCaches caches(config, driver, "game");
  CreatedPipeline longest = pipeline();
  longest.instructions = 8e9;
  CHECK_THROWS_AS(caches.begin(longest), std::overflow_error);
}

}  // namespace fenceline::testing

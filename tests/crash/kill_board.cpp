// SPDX-License-Identifier: Apache-2.0
#include "tests/crash/kill_board.hpp"

#include "tests/crash/crash_figures.hpp"
#include "tests/crash/keyed_value.hpp"
#include "tests/shadercache/cache_bench.hpp"

#include <fmt/format.h>

#include <sys/mman.h>

#include <new>
#include <stdexcept>

namespace fenceline::testing {

KillBoard& KillBoard::make() {
  // Pages that nobody writes take no memory. It is not zeroed here, since that would write them.
  void* const memory =
      ::mmap(nullptr, sizeof(KillBoard), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("no shared memory");
  return *new (memory) KillBoard;
}

CacheDescription KillBoard::description(CacheNumber cache) {
  CacheDescription description = default_cache(CacheMode::disk, cache + 1);
  description.memory_bytes = 1;  // every find reads the files
  description.file_bytes = 64U << 20;
  return description;
}

void KillBoard::store(CacheNumber cache, std::size_t process, ShaderCacheSession& session, std::uint32_t key) {
  // In this order: a clear that begins in between makes the two differ.
  const std::uint32_t ended = clears_[cache].ended;
  const std::uint32_t begun = clears_[cache].begun;
  const CacheStatus status = store_in(session, KeyedValue::key_of(key), KeyedValue::value_of(key));
  if (status == CacheStatus::full) return;
  if (status != CacheStatus::ok && status != CacheStatus::already_exists) {
    figures().fail(CrashFigures::wrong, fmt::format("round {}, process {}: key {}: store_value answers {}",
                                                    round.load(), process, key, name_of(status)));
    return;
  }
  Log& log = logs_[cache][process];
  const std::size_t number = log.count;
  if (number == most) return;
  log.reports[number] = {key, begun == ended ? begun : clearing};
  log.count = number + 1;
}

std::optional<std::uint32_t> KillBoard::next_key(std::size_t process) {
  const std::uint32_t number = keys_[process]++;
  if (number >= most) return std::nullopt;
  return static_cast<std::uint32_t>(number * processes + process);
}

bool KillBoard::look_for(CacheNumber cache, ShaderCacheSession& session, Report report, const char* who) {
  const Found found = find_in(session, KeyedValue::key_of(report.key));
  if (found == KeyedValue::value_of(report.key)) return true;
  const bool gone = found == CacheStatus::not_found;
  if (gone && may_be_gone(cache, report)) return false;
  figures().fail(
      gone ? CrashFigures::lost : CrashFigures::wrong,
      fmt::format("round {}, {}: cache {}, key {} was stored, found {}", round.load(), who, static_cast<int>(cache),
                  report.key, found == CacheStatus::ok ? "another value" : name_of(found.status)));
  return false;
}

}  // namespace fenceline::testing

// SPDX-License-Identifier: Apache-2.0
#include "tests/crash/kill_victim.hpp"

#include "tests/crash/crash_figures.hpp"
#include "tests/shadercache/cache_bench.hpp"

#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <memory>
#include <optional>
#include <random>

namespace fenceline::testing {
namespace {

/// Keys that all processes store.
constexpr std::uint32_t common_keys = 0xff000000;

class Victim {
 public:
  Victim(KillBoard& board, const ShaderCachesConfig& config, std::uint32_t seed)
      : board_(board), config_(config), random_(seed) {}

  int run(VictimTask task) {
    if (task == VictimTask::sync) config_.durability = CacheDurability::system;
    caches_ = std::make_unique<ShaderCaches>(config_);
    while (!done_) step(task);
    return 0;
  }

 private:
  void step(VictimTask task) {
    switch (task) {
      case VictimTask::store: work(KillBoard::shared, 1000); break;
      case VictimTask::reopen: work(KillBoard::shared, random_() % 8); break;
      case VictimTask::sync: work(KillBoard::shared, 4); break;
      case VictimTask::clear: clear(); break;
      case VictimTask::own_store: work(KillBoard::own, 1000); break;
      case VictimTask::own_versions: other_version(); break;
      case VictimTask::own_deleted: deleted(); break;
      case VictimTask::own_mended: mended(); break;
    }
  }

  std::unique_ptr<ShaderCacheSession> open(KillBoard::CacheNumber cache) {
    CacheDescription description = KillBoard::description(cache);
    if (cache == KillBoard::own) description.version = board_.own_version;
    return CacheBench::open_in(*caches_, description);
  }

  void store_some(KillBoard::CacheNumber cache, ShaderCacheSession& session, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const bool common = cache == KillBoard::shared && random_() % 4 == 0;
      const std::optional<std::uint32_t> key = common ? common_keys + random_() % 4096 : board_.next_key(0);
      if (!key) {
        done_ = true;
        return;
      }
      board_.store(cache, KillBoard::victim, session, *key);
      if (random_() % 256 == 0 && !session.sync()) figures().fail(CrashFigures::wrong, "a victim cannot sync");
    }
  }

  void work(KillBoard::CacheNumber cache, std::uint32_t stores) {
    const auto session = open(cache);
    store_some(cache, *session, stores);
  }

  void clear() {
    const auto session = open(KillBoard::shared);
    store_some(KillBoard::shared, *session, random_() % 20);
    // The files of the other cache, which nobody has open, go with it.
    board_.begin_clear(KillBoard::shared);
    board_.begin_clear(KillBoard::own);
    caches_->clear();
    board_.end_clear(KillBoard::own);
    board_.end_clear(KillBoard::shared);
    store_some(KillBoard::shared, *session, 100);
  }

  void other_version() {
    board_.begin_clear(KillBoard::own);
    ++board_.own_version;
    const auto session = open(KillBoard::own);
    board_.end_clear(KillBoard::own);
    store_some(KillBoard::own, *session, 1 + random_() % 30);
  }

  void deleted() {
    auto session = open(KillBoard::own);
    store_some(KillBoard::own, *session, 1 + random_() % 30);
    board_.begin_clear(KillBoard::own);
    session->set_delete_on_destroy();
    store_some(KillBoard::own, *session, random_() % 4);
    session.reset();
    board_.end_clear(KillBoard::own);
  }

  void mended() {
    const std::string name = KillBoard::description(KillBoard::own).identifier.text() + ".idx";
    std::filesystem::remove(config_.directory / name);
    work(KillBoard::own, random_() % 40);
  }

  KillBoard& board_;
  ShaderCachesConfig config_;
  std::mt19937 random_;
  std::unique_ptr<ShaderCaches> caches_;
  bool done_ = false;
};

/// One of those that were reported last.
void look_for_some(KillBoard& board, ShaderCacheSession& session, std::mt19937& random) {
  const std::size_t process = random() % KillBoard::processes;
  const std::size_t count = board.reports(KillBoard::shared, process);
  if (count == 0) return;
  const std::size_t back = random() % std::min<std::size_t>(count, random() % 2 == 0 ? 10 : 5000);
  board.look_for(KillBoard::shared, session, board.report(KillBoard::shared, process, count - 1 - back), "beside");
  figures().count(CrashFigures::companion_finds);
}

}  // namespace

void end_with_parent() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::alarm(0);
}

int be_victim(KillBoard& board, const ShaderCachesConfig& config, VictimTask task, std::uint32_t seed) {
  return Victim(board, config, seed).run(task);
}

int be_companion(KillBoard& board, const ShaderCachesConfig& config, std::size_t process, std::uint32_t seed) {
  std::mt19937 random(seed);
  while (!board.stop) {
    const auto caches = std::make_unique<ShaderCaches>(config);
    CacheDescription description = KillBoard::description(KillBoard::shared);
    if (process % 2 == 0) description.memory_bytes = 1U << 16;
    const auto session = CacheBench::open_in(*caches, description);
    for (auto calls = 100 + random() % 3000; calls > 0 && !board.stop; --calls) {
      switch (random() % 16) {
        case 0: {
          const std::optional<std::uint32_t> key = board.next_key(process);
          if (!key) break;
          board.store(KillBoard::shared, process, *session, *key);
          figures().count(CrashFigures::companion_stores);
          break;
        }
        case 1:
          board.store(KillBoard::shared, process, *session, common_keys + random() % 4096);
          figures().count(CrashFigures::companion_stores);
          break;
        default: look_for_some(board, *session, random);
      }
    }
  }
  return 0;
}

}  // namespace fenceline::testing

// SPDX-License-Identifier: Apache-2.0
// The shader cache against what a program would use instead: SQLite and LMDB as key/value stores. 10,000 entries of
// 16 KB, one transaction a store; finds copy the value out, in an order of their own.
#include "bench/cpu_time.hpp"
#include "shadercache/shader_caches.hpp"

#include <benchmark/benchmark.h>

#include <lmdb.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <numeric>
#include <random>
#include <sqlite3.h>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace fenceline;

constexpr std::size_t entries = 10'000;
constexpr std::size_t synced_entries = 200;
constexpr std::size_t value_bytes = 16 * 1024;
constexpr std::uint64_t room = 1ULL << 30;

void must(bool went_well) {
  if (!went_well) throw std::runtime_error("cache bench: a store failed");
}

/// One of the stores. It has been opened when it is there, and is closed with it.
class Store {
 public:
  virtual ~Store() = default;
  virtual void store(const std::string& key, const std::string& value) = 0;
  virtual void find(const std::string& key, std::string& value) = 0;
};

class Fenceline final : public Store {
 public:
  Fenceline(const std::filesystem::path& directory, bool synced)
      : caches_({directory, default_cache_hash, synced ? CacheDurability::system : CacheDurability::process}) {
    CacheDescription description;
    description.identifier.bytes[0] = 1;
    description.mode = CacheMode::disk;
    description.memory_bytes = 256U << 20;
    description.memory_entries = 2 * entries;
    description.file_bytes = 1U << 30;
    session_ = caches_.open(description).session;
    must(session_ != nullptr);
  }
  void store(const std::string& key, const std::string& value) override {
    must(session_->store_value(key.data(), static_cast<std::uint32_t>(key.size()), value.data(),
                               static_cast<std::uint32_t>(value.size())) == CacheStatus::ok);
  }
  void find(const std::string& key, std::string& value) override {
    auto size = static_cast<std::uint32_t>(value.size());
    must(session_->find_value(key.data(), static_cast<std::uint32_t>(key.size()), value.data(), &size) ==
         CacheStatus::ok);
  }

 private:
  ShaderCaches caches_;
  std::unique_ptr<ShaderCacheSession> session_;
};

class Sqlite final : public Store {
 public:
  Sqlite(const std::filesystem::path& directory, bool synced) {
    must(sqlite3_open((directory / "cache.sqlite").c_str(), &database_) == SQLITE_OK);
    run("PRAGMA journal_mode=WAL");
    run(synced ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=OFF");
    run("CREATE TABLE IF NOT EXISTS cache (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID");
    prepare("INSERT INTO cache VALUES (?, ?)", &insert_);
    prepare("SELECT value FROM cache WHERE key = ?", &select_);
  }
  ~Sqlite() override {
    sqlite3_finalize(insert_);
    sqlite3_finalize(select_);
    sqlite3_close(database_);
  }
  void store(const std::string& key, const std::string& value) override {
    bind(insert_, 1, key);
    bind(insert_, 2, value);
    must(sqlite3_step(insert_) == SQLITE_DONE);
    sqlite3_reset(insert_);
  }
  void find(const std::string& key, std::string& value) override {
    bind(select_, 1, key);
    must(sqlite3_step(select_) == SQLITE_ROW);
    std::memcpy(value.data(), sqlite3_column_blob(select_, 0),
                static_cast<std::size_t>(sqlite3_column_bytes(select_, 0)));
    sqlite3_reset(select_);
  }

 private:
  void run(const char* text) { must(sqlite3_exec(database_, text, nullptr, nullptr, nullptr) == SQLITE_OK); }
  void prepare(const char* text, sqlite3_stmt** statement) {
    must(sqlite3_prepare_v2(database_, text, -1, statement, nullptr) == SQLITE_OK);
  }
  static void bind(sqlite3_stmt* statement, int place, const std::string& bytes) {
    must(sqlite3_bind_blob(statement, place, bytes.data(), static_cast<int>(bytes.size()), SQLITE_STATIC) == SQLITE_OK);
  }
  sqlite3* database_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
  sqlite3_stmt* select_ = nullptr;
};

class Lmdb final : public Store {
 public:
  Lmdb(const std::filesystem::path& directory, bool synced) {
    must(mdb_env_create(&environment_) == 0);
    must(mdb_env_set_mapsize(environment_, room) == 0);
    must(mdb_env_open(environment_, directory.c_str(), synced ? 0 : MDB_NOSYNC, 0600) == 0);
    MDB_txn* transaction = nullptr;
    must(mdb_txn_begin(environment_, nullptr, 0, &transaction) == 0);
    must(mdb_dbi_open(transaction, nullptr, MDB_CREATE, &table_) == 0);
    must(mdb_txn_commit(transaction) == 0);
  }
  ~Lmdb() override { mdb_env_close(environment_); }
  void store(const std::string& key, const std::string& value) override {
    MDB_txn* transaction = nullptr;
    must(mdb_txn_begin(environment_, nullptr, 0, &transaction) == 0);
    MDB_val k = of(key);
    MDB_val v = of(value);
    must(mdb_put(transaction, table_, &k, &v, MDB_NOOVERWRITE) == 0);
    must(mdb_txn_commit(transaction) == 0);
  }
  void find(const std::string& key, std::string& value) override {
    MDB_txn* transaction = nullptr;
    must(mdb_txn_begin(environment_, nullptr, MDB_RDONLY, &transaction) == 0);
    MDB_val k = of(key);
    MDB_val v{};
    must(mdb_get(transaction, table_, &k, &v) == 0);
    std::memcpy(value.data(), v.mv_data, v.mv_size);
    mdb_txn_abort(transaction);
  }

 private:
  static MDB_val of(const std::string& bytes) { return {bytes.size(), const_cast<char*>(bytes.data())}; }
  MDB_env* environment_ = nullptr;
  MDB_dbi table_ = 0;
};

/// Keys and values, and an order to ask in.
struct Contents {
  Contents() : order(entries) {
    std::mt19937_64 random(1);
    const auto some_bytes = [&](std::size_t count) {
      std::string bytes(count, '\0');
      for (std::size_t i = 0; i < count; i += sizeof(std::uint64_t)) {
        const std::uint64_t word = random();
        std::memcpy(bytes.data() + i, &word, sizeof word);
      }
      return bytes;
    };
    for (std::size_t i = 0; i < entries; ++i) keys.push_back(some_bytes(32));
    value = some_bytes(value_bytes);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
  }
  std::vector<std::string> keys;
  std::string value;
  std::vector<std::size_t> order;
};

const Contents& contents() {
  static const Contents all;
  return all;
}

/// A directory that is gone with it.
class Place {
 public:
  Place() {
    std::string name = (std::filesystem::temp_directory_path() / "cache-bench-XXXXXX").string();
    must(mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Place() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }
  /// What the files take up on the disk.
  double mib() const {
    constexpr double block_bytes = 512;  // stat(2): st_blocks
    double bytes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      struct stat what {};
      must(::stat(entry.path().c_str(), &what) == 0);
      bytes += block_bytes * static_cast<double>(what.st_blocks);
    }
    return bytes / (1 << 20);
  }

 private:
  std::filesystem::path path_;
};

/// Times the calls of an iteration: by the clock, and as `cpu_us_each` by the processor, which neighbours hardly
/// change.
class Watch {
 public:
  Watch(benchmark::State& state, std::size_t calls) : state_(state), calls_(static_cast<double>(calls)) {}
  ~Watch() {
    constexpr double us = 1e6;
    state_.counters["cpu_us_each"] = benchmark::Counter(us * cpu_ / calls_, benchmark::Counter::kAvgIterations);
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  template <class Work>
  void time(const Work& work) {
    const double cpu_before = bench::cpu_seconds();
    const auto start = std::chrono::steady_clock::now();
    work();
    state_.SetIterationTime(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    cpu_ += bench::cpu_seconds() - cpu_before;
  }

 private:
  benchmark::State& state_;
  double calls_;
  double cpu_ = 0;
};

template <class Which>
void fill(const std::filesystem::path& place, std::size_t count = entries, bool synced = false) {
  Which store(place, synced);
  for (std::size_t i = 0; i < count; ++i) store.store(contents().keys[i], contents().value);
}

/// All entries, each in a call of its own.
void find_all(Store& store, std::string& value) {
  for (const std::size_t i : contents().order) store.find(contents().keys[i], value);
}

template <class Which>
void cache_store(benchmark::State& state) {
  Watch watch(state, entries);
  for (auto _ : state) {
    const Place place;
    contents();
    {
      Which store(place.path(), false);
      watch.time([&] {
        for (const std::string& key : contents().keys) store.store(key, contents().value);
      });
    }
    state.counters["MiB"] = place.mib();  // closed: what a store has for the time that it is open is gone
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(entries));
}

template <class Which>
void cache_store_synced(benchmark::State& state) {
  Watch watch(state, synced_entries);
  for (auto _ : state) {
    const Place place;
    contents();
    Which store(place.path(), true);
    watch.time([&] {
      for (std::size_t i = 0; i < synced_entries; ++i) store.store(contents().keys[i], contents().value);
    });
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(synced_entries));
}

template <class Which>
void cache_find_cold(benchmark::State& state) {
  Watch watch(state, entries);
  const Place place;
  fill<Which>(place.path());
  std::string value(value_bytes, '\0');
  for (auto _ : state) {
    Which store(place.path(), false);
    watch.time([&] { find_all(store, value); });
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(entries));
}

template <class Which>
void cache_find_warm(benchmark::State& state) {
  Watch watch(state, entries);
  const Place place;
  fill<Which>(place.path());
  std::string value(value_bytes, '\0');
  Which store(place.path(), false);
  find_all(store, value);
  for (auto _ : state) watch.time([&] { find_all(store, value); });
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(entries));
}

/// Up to and with the first value.
template <class Which>
void cache_open(benchmark::State& state) {
  Watch watch(state, 1);
  const Place place;
  fill<Which>(place.path());
  std::string value(value_bytes, '\0');
  for (auto _ : state) {
    std::unique_ptr<Which> store;
    watch.time([&] {
      store = std::make_unique<Which>(place.path(), false);
      store->find(contents().keys[7], value);
    });
  }
}

#define AGAINST_OTHERS(what)                            \
  BENCHMARK_TEMPLATE(what, Fenceline)->UseManualTime(); \
  BENCHMARK_TEMPLATE(what, Sqlite)->UseManualTime();    \
  BENCHMARK_TEMPLATE(what, Lmdb)->UseManualTime()
AGAINST_OTHERS(cache_store);
AGAINST_OTHERS(cache_store_synced);
AGAINST_OTHERS(cache_find_cold);
AGAINST_OTHERS(cache_find_warm);
AGAINST_OTHERS(cache_open);

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Caches at random, in one process and in two, held against maps.
#include "tests/shadercache/cache_bench.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using Status = CacheStatus;

namespace {

/// Of few values, so that keys collide.
std::uint64_t coarse_hash(const void* key, std::size_t bytes) {
  std::uint64_t sum = bytes;
  for (std::size_t i = 0; i < bytes; ++i) sum += static_cast<const unsigned char*>(key)[i];
  return sum % 61 * 0x9E3779B97F4A7C15U;
}

/// What the specification makes of a cache.
struct ModelCache {
  std::map<std::uint64_t, std::pair<std::string, std::string>> entries;  // by hash
  std::uint64_t version = 0;
  std::size_t sessions = 0;  // in all processes
  bool marked = false;
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const auto& [hash, entry] : entries) sum += entry.first.size() + entry.second.size();
    return sum;
  }
};

/// Does something to caches and to the model of them, and compares.
class RandomCaches {
 public:
  RandomCaches(std::uint32_t seed, std::size_t processes, bool collisions)
      : random_(seed), bench_(collisions ? coarse_hash : default_cache_hash), hash_(bench_.config.hash) {
    for (std::size_t i = 0; i < processes; ++i) processes_.push_back(bench_.another_process());
    enabled_.assign(processes, true);
  }
  void step() {
    const std::uint32_t action = random_() % 100;
    if (action < 10 || sessions_.empty()) return open();
    if (action < 17) return close(random_() % sessions_.size());
    if (action < 18) return mark();
    if (action < 19) return clear();
    if (action < 20) return restart();
    if (action < 22) return set_enabled();
    if (action < 25) return count();
    if (action < 60) return store();
    return find();
  }
  void end() {
    while (!sessions_.empty()) close(0);
  }

 private:
  using Name = std::tuple<CacheMode, std::uint32_t, std::size_t>;  // with the process, for those in memory
  struct OpenSession {
    std::size_t process;
    Name name;
    CacheDescription asked;
    std::unique_ptr<ShaderCacheSession> session;
  };

  std::string random_key() {
    std::string key(1 + random_() % 3, 'k');
    for (char& c : key) c = static_cast<char>(random_() % 6);
    return key;
  }
  std::uint64_t hash_of(const std::string& key) const { return hash_(key.data(), key.size()); }
  void open() {
    const std::size_t process = random_() % processes_.size();
    CacheDescription description = default_cache(random_() % 2 == 0 ? CacheMode::memory : CacheMode::disk);
    const std::uint32_t number = 1 + random_() % 3;
    description.identifier = cache_identifier(number);
    description.version = random_() % 8 == 0 ? 1 : 0;
    description.memory_bytes = 300 + 100 * number;
    description.memory_entries = 10 + number;
    const Name name{description.mode, number, description.mode == CacheMode::memory ? process : 0};
    ModelCache& model = caches_[name];
    OpenedCache opened = processes_[process]->open(description);
    if (!enabled_[process]) {
      REQUIRE(opened.status == Status::disabled);
      return;
    }
    if (model.sessions > 0 && model.version != description.version) {
      REQUIRE(opened.status == Status::already_exists);
      return;
    }
    REQUIRE(opened.status == Status::ok);
    REQUIRE(same(opened.session->description(), resolved(description)));
    if (model.version != description.version) model.entries.clear();
    model.version = description.version;
    ++model.sessions;
    sessions_.push_back({process, name, description, std::move(opened.session)});
  }
  void close(std::size_t index) {
    ModelCache& model = caches_[sessions_[index].name];
    const bool in_memory = std::get<0>(sessions_[index].name) == CacheMode::memory;
    sessions_.erase(sessions_.begin() + static_cast<std::ptrdiff_t>(index));
    if (--model.sessions > 0) return;
    if (in_memory || model.marked) model.entries.clear();
    model.marked = false;
  }
  void mark() {
    OpenSession& one = sessions_[random_() % sessions_.size()];
    one.session->set_delete_on_destroy();
    caches_[one.name].marked = true;
  }
  void clear() {
    const std::size_t process = random_() % processes_.size();
    processes_[process]->clear();
    for (auto& [name, model] : caches_) {
      const bool of_others = std::get<0>(name) == CacheMode::memory && std::get<2>(name) != process;
      if (!of_others) model.entries.clear();
    }
  }
  void restart() {
    const std::size_t process = random_() % processes_.size();
    for (std::size_t i = sessions_.size(); i-- > 0;) {
      if (sessions_[i].process == process) close(i);
    }
    processes_[process].reset();
    processes_[process] = bench_.another_process();
    enabled_[process] = true;
  }
  void set_enabled() {
    const std::size_t process = random_() % processes_.size();
    enabled_[process] = random_() % 4 != 0;
    processes_[process]->set_enabled(enabled_[process]);
  }
  void store() {
    OpenSession& one = sessions_[random_() % sessions_.size()];
    ModelCache& model = caches_[one.name];
    const std::string key = random_key();
    const std::string value = pattern(1 + random_() % (random_() % 4 == 0 ? 200 : 20), random_());
    const auto present = model.entries.find(hash_of(key));
    Status expected = Status::ok;
    if (!enabled_[one.process]) {
      expected = Status::disabled;
    } else if (present != model.entries.end()) {
      expected = present->second.first == key ? Status::already_exists : Status::hash_collision;
    } else if (one.asked.mode == CacheMode::memory &&
               (model.bytes() + key.size() + value.size() > one.asked.memory_bytes ||
                model.entries.size() + 1 > one.asked.memory_entries)) {
      expected = Status::full;
    }
    REQUIRE(store_in(*one.session, key, value) == expected);
    if (expected == Status::ok) model.entries[hash_of(key)] = {key, value};
    ++seen_[static_cast<std::size_t>(expected)];
  }
  void find() {
    OpenSession& one = sessions_[random_() % sessions_.size()];
    ModelCache& model = caches_[one.name];
    std::string key = random_key();
    if (random_() % 2 == 0 && !model.entries.empty()) {
      auto some = model.entries.begin();
      std::advance(some, random_() % model.entries.size());
      key = some->second.first;
    }
    const auto present = model.entries.find(hash_of(key));
    if (!enabled_[one.process]) {
      REQUIRE(find_in(*one.session, key) == Status::disabled);
    } else if (present == model.entries.end()) {
      REQUIRE(find_in(*one.session, key) == Status::not_found);
    } else if (present->second.first != key) {
      REQUIRE(find_in(*one.session, key) == Status::hash_collision);
    } else if (random_() % 4 == 0) {
      const std::string& value = present->second.second;
      const auto room = static_cast<std::uint32_t>(random_() % value.size());
      std::string buffer(value.size(), 'x');
      std::uint32_t bytes = room;
      REQUIRE(one.session->find_value(key.data(), size_of(key), buffer.data(), &bytes) == Status::more_data);
      REQUIRE(bytes == value.size());
      REQUIRE(buffer == std::string(value.size(), 'x'));
    } else {
      REQUIRE(find_in(*one.session, key) == present->second.second);
    }
  }
  /// Which looks at what the others did, too.
  void count() {
    OpenSession& one = sessions_[random_() % sessions_.size()];
    const CacheStatistics statistics = one.session->statistics();
    REQUIRE(statistics.entries == caches_[one.name].entries.size());
    REQUIRE(statistics.damaged == 0);
  }

  std::mt19937 random_;
  CacheBench bench_;
  CacheHash hash_;
  std::vector<std::unique_ptr<ShaderCaches>> processes_;
  std::vector<bool> enabled_;
  std::map<Name, ModelCache> caches_;
  std::vector<OpenSession> sessions_;  // after the processes: these go first

 public:
  std::array<std::size_t, 16> seen_{};  ///< how often each status came of a store
};

}  // namespace

TEST_CASE("shader cache: random operations do what they do to maps", "[shadercache]") {
  const std::size_t processes = GENERATE(1U, 2U, 3U);
  const bool collisions = GENERATE(false, true);
  std::array<std::size_t, 16> seen{};
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(processes, collisions, seed);
    RandomCaches caches(seed, processes, collisions);
    for (int step = 0; step < 1500; ++step) {
      CAPTURE(step);
      caches.step();
    }
    caches.end();
    for (std::size_t i = 0; i < seen.size(); ++i) seen[i] += caches.seen_[i];
  }
  // The test does what it says: each of these came.
  for (const Status status : {Status::ok, Status::already_exists, Status::full, Status::disabled}) {
    CHECK(seen[static_cast<std::size_t>(status)] > 0);
  }
  CHECK((seen[static_cast<std::size_t>(Status::hash_collision)] > 0) == collisions);
}

TEST_CASE("shader cache: random entries of all sizes stay through many runs", "[shadercache]") {
  const auto seed = GENERATE(1U, 2U, 3U);
  CAPTURE(seed);
  std::mt19937 random(seed);
  CacheBench bench;
  CacheDescription description = default_cache(CacheMode::disk);
  std::map<std::string, std::string> model;
  for (int run = 0; run < 25; ++run) {
    CAPTURE(run);
    description.memory_bytes = 1 + random() % 100000;
    description.memory_entries = 1 + random() % 100;
    if (random() % 8 == 0) {
      ++description.version;
      model.clear();
    }
    auto session = bench.open(description);
    for (int i = 0; i < 60; ++i) {
      const std::string key = pattern(1 + random() % 3000 / (1 + random() % 1000), random());
      const std::string value = pattern(1 + random() % 200000 / (1 + random() % 5000), random());
      const bool added = model.emplace(key, value).second;
      REQUIRE(store_in(*session, key, value) == (added ? Status::ok : Status::already_exists));
    }
    for (const auto& [key, value] : model) REQUIRE((find_in(*session, key) == value));
    REQUIRE(session->statistics().entries == model.size());
    session.reset();
    bench.restart();
  }
}

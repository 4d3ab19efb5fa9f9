// SPDX-License-Identifier: Apache-2.0
// The files of a shader cache: whatever stands in one of them, the cache opens, finds what was stored or nothing, and
// takes new values. Where somebody made their checks right, too, what it finds is theirs, and no more goes wrong.
#include "shadercache/files/cache_record.hpp"
#include "shadercache/files/cache_removal.hpp"
#include "shadercache/inspect/cache_facts.hpp"
#include "shadercache/inspect/cache_verification.hpp"
#include "shadercache/shader_caches.hpp"
#include "tests/crash/quick_directory.hpp"
#include "tests/fuzz/targets/target.hpp"
#include "tests/support/temporary_directory.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace fenceline::testing {
namespace {

const std::vector<std::pair<std::string, std::string>>& stored() {
  static const std::vector<std::pair<std::string, std::string>> all = {
      {"key", "value"}, {"another key", std::string(100, 'v')}, {std::string(1, '\0'), std::string(300, '\xff')}};
  return all;
}

void must(bool went_well, const char* what) {
  if (!went_well) throw std::logic_error(what);
}

OpenedCache opened(ShaderCaches& caches) {
  CacheDescription description;
  description.identifier.bytes.fill(7);
  description.mode = CacheMode::disk;
  OpenedCache cache = caches.open(description);
  must(cache.status == CacheStatus::ok, "a cache does not open");
  return cache;
}

CacheStatus find(ShaderCacheSession& session, const std::string& key, std::string& value) {
  value.assign(1000, ' ');
  auto size = static_cast<std::uint32_t>(value.size());
  const CacheStatus status =
      session.find_value(key.data(), static_cast<std::uint32_t>(key.size()), value.data(), &size);
  value.resize(status == CacheStatus::ok ? size : 0);
  return status;
}

CacheStatus store(ShaderCacheSession& session, const std::string& key, const std::string& value) {
  return session.store_value(key.data(), static_cast<std::uint32_t>(key.size()), value.data(),
                             static_cast<std::uint32_t>(value.size()));
}

void write(const std::filesystem::path& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// A cache of what is `stored`, as files.
struct Sample {
  Sample() {
    const TemporaryDirectory place(quick_directory());
    {
      ShaderCaches caches({place / "cache"});
      const OpenedCache cache = opened(caches);
      for (const auto& [key, value] : stored()) store(*cache.session, key, value);
      name = cache.session->description().identifier.text();
    }
    values = contents_of(place / "cache" / (name + ".val"));
    index = contents_of(place / "cache" / (name + ".idx"));
  }
  std::string name;
  std::string values;
  std::string index;
};

const Sample& sample() {
  static const Sample one;
  return one;
}

/// With the sample's files, or what takes their place. Files of the input before are written over: making and removing
/// them costs more than reading them.
std::filesystem::path directory_of(std::string_view values, std::string_view index) {
  static const TemporaryDirectory place(quick_directory());
  std::filesystem::path directory = place / "cache";
  static const bool made = std::filesystem::create_directory(directory);
  must(made, "no directory");
  write(directory / (sample().name + ".val"), values);
  write(directory / (sample().name + ".idx"), index);
  return directory;
}

/// Opening a cache is nearly all that an input costs: one of four is opened again.
bool opens_again(std::string_view values, std::string_view index) {
  constexpr std::uint64_t one_of = 4;
  return (XXH3_64bits(values.data(), values.size()) ^ XXH3_64bits(index.data(), index.size())) % one_of == 0;
}

/// `forged`: its checks are right, so that what is found may be anything.
void play(std::string_view values, std::string_view index, bool forged = false) {
  const std::filesystem::path directory = directory_of(values, index);
  const bool twice = opens_again(values, index);
  for (int round = 0; round < (twice ? 2 : 1); ++round) {
    const bool again = round == 1;
    ShaderCaches caches({directory});
    const OpenedCache cache = opened(caches);
    std::string value;
    for (const auto& [key, was_stored] : stored()) {
      const CacheStatus status = find(*cache.session, key, value);
      const bool collides = forged && (status == CacheStatus::hash_collision || status == CacheStatus::more_data);
      must(status == CacheStatus::not_found || status == CacheStatus::ok || collides, "neither found nor not");
      must(status != CacheStatus::ok || value == was_stored || forged, "another value");
    }
    const CacheStatus status = store(*cache.session, "new", "one");
    const bool collides = forged && (status == CacheStatus::hash_collision || status == CacheStatus::already_exists);
    must(status == (again ? CacheStatus::already_exists : CacheStatus::ok) || collides, "not stored");
    must(find(*cache.session, "new", value) != CacheStatus::not_found, "not found");
    must(forged || value == "one", "not what was stored");
  }
}

/// A piece of bytes that is looked at as one thing and put back.
template <class Thing, class Change>
bool change(std::string& bytes, std::size_t at, const Change& how) {
  if (at > bytes.size() || bytes.size() - at < sizeof(Thing)) return false;
  Thing thing;
  std::memcpy(&thing, bytes.data() + at, sizeof thing);
  how(thing);
  std::memcpy(bytes.data() + at, &thing, sizeof thing);
  return true;
}

/// The header says what the sample's does, but for `more` of it.
void reseal_header(std::string& bytes, std::string_view kind) {
  CacheHeader header;
  read_header(reinterpret_cast<const std::byte*>(sample().values.data()), "VAL", header);
  if (bytes.size() < header_bytes) return;
  std::uint32_t more = 0;
  std::memcpy(&more, bytes.data() + 12, sizeof more);
  write_header(reinterpret_cast<std::byte*>(bytes.data()), kind, header, more);
}

std::uint32_t era() {
  CacheHeader header;
  read_header(reinterpret_cast<const std::byte*>(sample().values.data()), "VAL", header);
  return static_cast<std::uint32_t>(header.era);
}

/// Records one behind the other, as far as their lengths lead.
std::string resealed_values(std::string_view from) {
  std::string bytes(from);
  reseal_header(bytes, "VAL");
  std::uint64_t next = header_bytes;
  const auto seal = [&](RecordHeader& record) {
    const std::uint64_t at = next;
    record.era = era();
    constexpr std::size_t first = offsetof(RecordHeader, key_bytes);
    record.seal = static_cast<std::uint32_t>(XXH3_64bits_withSeed(reinterpret_cast<const std::byte*>(&record) + first,
                                                                  offsetof(RecordHeader, check) - first, at));
    next += bytes_of_record(record.key_bytes, record.value_bytes);
    const std::string_view body = std::string_view(bytes).substr(static_cast<std::size_t>(at) + sizeof record);
    const std::uint64_t both = std::uint64_t{record.key_bytes} + record.value_bytes;
    if (both > body.size()) return;
    record = record_of(record.era, record.hash, body.substr(0, record.key_bytes),
                       body.substr(record.key_bytes, record.value_bytes), at);
  };
  while (change<RecordHeader>(bytes, static_cast<std::size_t>(next), seal)) {
  }
  return bytes;
}

/// The state and every slot that is not free.
std::string resealed_index(std::string_view from) {
  std::string bytes(from);
  reseal_header(bytes, "IDX");
  constexpr std::size_t state_bytes = 64;
  if (bytes.size() >= header_bytes + state_bytes) {
    const std::uint64_t check = XXH3_64bits(bytes.data() + header_bytes, state_bytes - sizeof check);
    std::memcpy(bytes.data() + header_bytes + state_bytes - sizeof check, &check, sizeof check);
  }
  const auto seal = [](CacheSlot& slot) {
    if (!slot.is_free()) slot.seal(era());
  };
  for (std::size_t at = header_bytes + state_bytes; change<CacheSlot>(bytes, at, seal); at += sizeof(CacheSlot)) {
  }
  return bytes;
}

/// What looks from outside, at two files of one input: a byte whether their checks are made right, two for the length
/// of .val, .val, .idx.
void look(std::string_view bytes) {
  if (bytes.size() < 3) return;
  std::uint16_t length = 0;
  std::memcpy(&length, bytes.data() + 1, sizeof length);
  const bool forged = (bytes[0] & 1) != 0;
  const std::string_view both = bytes.substr(3);
  const std::string_view values = both.substr(0, length);
  const std::string_view index = both.substr(values.size());
  const std::filesystem::path directory = directory_of(forged ? resealed_values(values) : std::string(values),
                                                       forged ? resealed_index(index) : std::string(index));
  const CachePlace place{directory, {}, sample().name};
  CacheView view(place);
  const CacheFacts facts = facts_of(view);
  must(facts.values_bytes == values.size() && facts.index_bytes == index.size(), "other lengths");
  must(facts.entries <= (values.size() + index.size()) / sizeof(CacheSlot), "more entries than can be");
  const CacheVerification verification = verify_cache(view);
  must(verification.whole() == verification.damage.empty(), "damage that is not told");
  must(look_at_clearing(place).what != CacheClearing::What::emptied, "nobody has it open");
  must(facts.values_bytes == std::filesystem::file_size(directory / (sample().name + ".val")), "it was changed");
}

std::string both_files(bool forged, const std::string& values, const std::string& index) {
  const auto length = static_cast<std::uint16_t>(values.size());
  std::string bytes(3, forged ? '\1' : '\0');
  std::memcpy(bytes.data() + 1, &length, sizeof length);
  return bytes + values + index;
}

/// The part of the sample's table that a mutation is likely to meet: slots that are taken come first.
std::string dense_index() {
  std::string bytes = sample().index.substr(0, 2 * header_bytes);
  for (std::size_t at = bytes.size(); at < sample().index.size(); at += sizeof(CacheSlot)) {
    const std::string slot = sample().index.substr(at, sizeof(CacheSlot));
    if (slot.find_first_not_of('\0') != std::string::npos) bytes += slot;
  }
  return bytes;
}

}  // namespace

std::vector<FuzzTarget> cache_targets() {
  return {{"cache_values", [](std::string_view bytes) { play(bytes, sample().index); },
           [] {
             return std::vector<std::string>{sample().values, {}};
           }},
          {"cache_index", [](std::string_view bytes) { play(sample().values, bytes); },
           [] {
             return std::vector<std::string>{sample().index.substr(0, 512), {}};
           }},
          {"cache_forged_values", [](std::string_view bytes) { play(resealed_values(bytes), {}, true); },
           [] {
             return std::vector<std::string>{sample().values, sample().values + sample().values.substr(header_bytes)};
           }},
          {"cache_forged_index",
           [](std::string_view bytes) {
             // Behind what is mutated the table goes on, or it would be too short to be used.
             std::string index(bytes.substr(0, std::min(bytes.size(), sample().index.size())));
             index += sample().index.substr(index.size());
             play(sample().values, resealed_index(index), true);
           },
           [] {
             return std::vector<std::string>{sample().index.substr(0, 512), sample().index};
           }},
          {"cache_view", look, [] {
             return std::vector<std::string>{both_files(false, sample().values, sample().index),
                                             both_files(true, sample().values, dense_index()),
                                             {}};
           }}};
}

}  // namespace fenceline::testing

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shadercache/shader_caches.hpp"
#include "tests/crash/quick_directory.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>

namespace fenceline::testing {

inline std::string name_of(CacheStatus status) {
  constexpr std::array<const char*, 10> names{
      "ok",   "invalid_argument", "not_found", "more_data",  "already_exists", "hash_collision",
      "full", "disabled",         "corrupt",   "unavailable"};
  const auto index = static_cast<std::size_t>(status);
  return index < names.size() ? names[index] : "status " + std::to_string(index);
}

inline CacheIdentifier cache_identifier(std::uint32_t number) {
  CacheIdentifier identifier;
  identifier.bytes[0] = 0xfc;
  for (std::size_t i = 0; i < 4; ++i) identifier.bytes[15 - i] = static_cast<std::uint8_t>(number >> (8 * i));
  return identifier;
}

/// With what a zero stands for as its limits.
inline CacheDescription default_cache(CacheMode mode, std::uint32_t number = 1) {
  CacheDescription description;
  description.identifier = cache_identifier(number);
  description.mode = mode;
  return description;
}

/// With more room than a test needs.
inline CacheDescription roomy_cache(CacheMode mode, std::uint32_t number = 1) {
  CacheDescription description = default_cache(mode, number);
  description.memory_bytes = 64U << 20;
  description.memory_entries = 1U << 20;
  return description;
}

inline CacheDescription with_version(CacheDescription description, std::uint64_t version) {
  description.version = version;
  return description;
}

inline CacheDescription driver_versioned(CacheDescription description) {
  description.driver_versioned = true;
  return description;
}

inline CacheDescription in_working_directory(CacheDescription description) {
  description.use_working_directory = true;
  return description;
}

inline bool same(const CacheDescription& a, const CacheDescription& b) {
  return a.identifier == b.identifier && a.mode == b.mode && a.driver_versioned == b.driver_versioned &&
         a.use_working_directory == b.use_working_directory && a.memory_bytes == b.memory_bytes &&
         a.memory_entries == b.memory_entries && a.file_bytes == b.file_bytes && a.version == b.version;
}

/// Bytes of every value, others for each seed.
inline std::string pattern(std::size_t bytes, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::string result(bytes, '\0');
  for (char& c : result) c = static_cast<char>(random() >> 13);
  return result;
}

inline std::uint32_t size_of(const std::string& bytes) { return static_cast<std::uint32_t>(bytes.size()); }

inline CacheStatus store_in(ShaderCacheSession& session, const std::string& key, const std::string& value) {
  return session.store_value(key.data(), size_of(key), value.data(), size_of(value));
}

/// A value, or why there is none.
struct Found {
  CacheStatus status = CacheStatus::ok;
  std::string value;
  bool operator==(CacheStatus other) const { return status == other; }
  bool operator==(const std::string& other) const { return status == CacheStatus::ok && value == other; }
};

/// As callers do it: once for the size and once for the value.
inline Found find_in(ShaderCacheSession& session, const std::string& key) {
  std::uint32_t bytes = 0;
  Found found;
  found.status = session.find_value(key.data(), size_of(key), nullptr, &bytes);
  while (found.status == CacheStatus::ok) {
    found.value.assign(bytes, '\0');
    found.status = session.find_value(key.data(), size_of(key), found.value.data(), &bytes);
    if (found.status != CacheStatus::more_data) break;
    found.status = CacheStatus::ok;  // another process cleared it and stored a larger one
  }
  if (found.status != CacheStatus::ok) {
    found.value.clear();
  } else {
    found.value.resize(bytes);
  }
  return found;
}

/// In one call, for those who count them.
inline Found find_once(ShaderCacheSession& session, const std::string& key, std::uint32_t room = 1U << 16) {
  Found found;
  found.value.assign(room, '\0');
  found.status = session.find_value(key.data(), size_of(key), found.value.data(), &room);
  found.value.resize(found.status == CacheStatus::ok ? room : 0);
  return found;
}

/// Makes another directory the current one for a while.
class WorkingDirectory {
 public:
  explicit WorkingDirectory(const std::filesystem::path& path) : before_(std::filesystem::current_path()) {
    std::filesystem::create_directories(path);
    std::filesystem::current_path(path);
  }
  ~WorkingDirectory() {
    std::error_code ignored;
    std::filesystem::current_path(before_, ignored);
  }
  WorkingDirectory(const WorkingDirectory&) = delete;
  WorkingDirectory& operator=(const WorkingDirectory&) = delete;

 private:
  std::filesystem::path before_;
};

/// A directory of its own and the caches in it.
class CacheBench {
 public:
  explicit CacheBench(CacheHash hash = default_cache_hash) {
    config.directory = directory / "caches";
    config.hash = hash;
    restart();
  }
  /// As another run of the program. No session may be left.
  void restart() {
    caches.reset();
    caches = another_process();
  }
  std::unique_ptr<ShaderCaches> another_process() const { return std::make_unique<ShaderCaches>(config); }
  std::unique_ptr<ShaderCacheSession> open(const CacheDescription& description, const CacheDriver& driver = {}) {
    return open_in(*caches, description, driver);
  }
  static std::unique_ptr<ShaderCacheSession> open_in(ShaderCaches& caches, const CacheDescription& description,
                                                     const CacheDriver& driver = {}) {
    OpenedCache opened = caches.open(description, driver);
    if (opened.status != CacheStatus::ok) throw std::runtime_error(name_of(opened.status) + ": " + opened.reason);
    if (!opened.session || !opened.reason.empty()) throw std::runtime_error("ok, but: " + opened.reason);
    return std::move(opened.session);
  }
  /// What opening it answers; a session of it is closed at once.
  CacheStatus status_of(const CacheDescription& description, const CacheDriver& driver = {}) {
    return status_in(*caches, description, driver);
  }
  static CacheStatus status_in(ShaderCaches& caches, const CacheDescription& description,
                               const CacheDriver& driver = {}) {
    const OpenedCache opened = caches.open(description, driver);
    const bool is_ok = opened.status == CacheStatus::ok;
    if ((opened.session != nullptr) != is_ok) throw std::runtime_error("a session where none is, or none where one is");
    if (opened.reason.empty() != is_ok) throw std::runtime_error(name_of(opened.status) + ", reason: " + opened.reason);
    return opened.status;
  }
  /// Of a plain disk cache outside of the working directory.
  std::filesystem::path file(const CacheDescription& description, const std::string& extension) const {
    return config.directory / (description.identifier.text() + extension);
  }

  TemporaryDirectory directory{quick_directory()};
  ShaderCachesConfig config;
  std::unique_ptr<ShaderCaches> caches;
};

}  // namespace fenceline::testing

namespace Catch {

template <>
struct StringMaker<fenceline::CacheStatus> {
  static std::string convert(fenceline::CacheStatus status) { return fenceline::testing::name_of(status); }
};

template <>
struct StringMaker<fenceline::testing::Found> {
  static std::string convert(const fenceline::testing::Found& found) {
    if (found.status != fenceline::CacheStatus::ok) return fenceline::testing::name_of(found.status);
    return std::to_string(found.value.size()) + " bytes \"" + found.value.substr(0, 64) + '"';
  }
};

}  // namespace Catch

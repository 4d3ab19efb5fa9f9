// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

struct iovec;

namespace fenceline {

/// A directory with caches, held open so that its files are its own whatever happens to its path.
class CacheDirectory {
 public:
  CacheDirectory() = default;
  /// Made where it is missing, with what is missing above it, for its owner alone (0700). Not open with a reason where
  /// that cannot be. The last `own` of its folders are ours: whoever put a symbolic link or a folder of another user
  /// there does not get our files.
  explicit CacheDirectory(const std::filesystem::path& path, int own = 0);
  /// One that is there; nothing is made. Not open with a reason where there is none, and `errno`.
  static CacheDirectory open_to_read(const std::filesystem::path& path, int own = 0);
  /// One in it, likewise; a symbolic link is not followed.
  CacheDirectory inner(const std::string& name) const;
  ~CacheDirectory();
  CacheDirectory(CacheDirectory&& other) noexcept;
  CacheDirectory& operator=(CacheDirectory&& other) noexcept;

  bool is_open() const { return descriptor_ >= 0; }
  const std::string& reason() const { return reason_; }  ///< of what could not be
  int descriptor() const { return descriptor_; }
  const std::filesystem::path& path() const { return path_; }
  bool rename(const std::string& from, const std::string& to) const;
  /// False: it is still there.
  bool remove(const std::string& name) const;
  /// The names in it survive a loss of power, and so does its own.
  bool sync() const;

 private:
  void open(const std::filesystem::path& path, int own, bool make);
  bool step_into(const std::string& name, bool make);

  std::filesystem::path path_;
  int descriptor_ = -1;
  std::string reason_;
  bool names_above_synced_ = true;
};

/// A file of a cache, read and written at places. Calls go on after signals, and say with `false` or fewer bytes what
/// the system refused; errno has why.
class CacheFile {
 public:
  CacheFile() = default;
  ~CacheFile();
  CacheFile(CacheFile&& other) noexcept;
  CacheFile& operator=(CacheFile&& other) noexcept;

  /// Opens it, or makes it for its owner alone (0600). Symbolic links are not followed, and what is no regular file,
  /// has a second name or belongs to another user is not taken. Not open with `errno` where that cannot be.
  static CacheFile open(const CacheDirectory& directory, const std::string& name);
  /// One that is there, to be read alone: any regular file.
  static CacheFile open_to_read(const CacheDirectory& directory, const std::string& name);
  /// A new one, in the place of one that is there.
  static CacheFile make(const CacheDirectory& directory, const std::string& name);

  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  /// Of what was asked for, as much as there is.
  std::size_t read(std::uint64_t at, void* into, std::size_t bytes) const;
  /// The same, into two places one after the other.
  std::size_t read(std::uint64_t at, void* first, std::size_t first_bytes, void* second,
                   std::size_t second_bytes) const;
  bool write(std::uint64_t at, const void* bytes, std::size_t count);
  /// All parts one after the other. Their descriptions change.
  bool write(std::uint64_t at, iovec* parts, int count);
  bool truncate(std::uint64_t bytes);
  /// What was written survives a loss of power.
  bool sync();
  struct Facts {
    std::uint64_t bytes = 0;
    bool named = false;  ///< it still has a name
  };
  Facts facts() const;
  std::uint64_t bytes() const { return facts().bytes; }

 private:
  explicit CacheFile(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

}  // namespace fenceline

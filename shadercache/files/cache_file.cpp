// SPDX-License-Identifier: Apache-2.0
#include "shadercache/files/cache_file.hpp"

#include "shadercache/files/file_limit.hpp"
#include "sim/files/descriptor.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

namespace fenceline {
namespace {

constexpr mode_t owner_alone = 0600;
constexpr mode_t owners_directory = 0700;

bool sync_directory(const std::filesystem::path& path) {
  const int descriptor = ::open(path.empty() ? "." : path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool done = descriptor >= 0 && ::fsync(descriptor) == 0;
  if (descriptor >= 0) ::close(descriptor);
  return done;
}

/// Each directory of the path that is missing, from the top. `synced` becomes false where the name of one might be lost
/// with the power.
bool make_directories(const std::filesystem::path& path, bool& synced) {
  std::filesystem::path so_far;
  for (const std::filesystem::path& part : path) {
    const std::filesystem::path above = so_far;
    so_far /= part;
    if (::mkdir(so_far.c_str(), owners_directory) == 0) {
      synced = sync_directory(above) && synced;
    } else if (errno != EEXIST && errno != EISDIR && errno != EACCES && errno != EROFS) {
      return false;
    }
  }
  return true;
}

/// A file that others can reach by another name, or that is theirs, is not written to.
bool is_own(const struct stat& what) { return what.st_uid == ::geteuid() && what.st_nlink <= 1; }

int open_regular(const CacheDirectory& directory, const std::string& name, int flags) {
  // Without O_NONBLOCK a FIFO in its place would wait for somebody.
  const int descriptor = above_standard_streams(::openat(
      directory.descriptor(), name.c_str(), O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | flags, owner_alone));
  if (descriptor < 0) return -1;
  struct stat what {};
  const bool known = ::fstat(descriptor, &what) == 0;
  const bool regular = known && S_ISREG(what.st_mode);
  if (regular && ((flags & O_ACCMODE) == O_RDONLY || is_own(what))) return descriptor;
  ::close(descriptor);
  errno = regular ? EPERM : EINVAL;
  return -1;
}

}  // namespace

CacheDirectory::CacheDirectory(const std::filesystem::path& path, int own) { open(path, own, true); }

CacheDirectory CacheDirectory::open_to_read(const std::filesystem::path& path, int own) {
  CacheDirectory result;
  result.open(path, own, false);
  return result;
}

void CacheDirectory::open(const std::filesystem::path& path, int own, bool make) {
  path_ = path;
  errno = 0;
  std::filesystem::path above = path;
  std::vector<std::string> names;
  for (; own > 0; --own) {
    names.push_back(above.filename().string());
    above = above.parent_path();
  }
  const auto open_above = [&] {
    descriptor_ = above_standard_streams(::open(above.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  };
  if (!path.empty()) open_above();
  if (!is_open() && errno == ENOENT && make && make_directories(above, names_above_synced_)) open_above();
  for (auto name = names.rbegin(); is_open() && name != names.rend(); ++name) {
    if (!step_into(*name, make)) ::close(std::exchange(descriptor_, -1));
  }
  if (is_open()) return;
  const int why = errno;
  reason_ = path.string() + ": " + (path.empty() ? "no directory" : std::strerror(why));
  errno = why;
}

/// From an open directory into one of ours.
bool CacheDirectory::step_into(const std::string& name, bool make) {
  if (make && ::mkdirat(descriptor_, name.c_str(), owners_directory) == 0) {
    names_above_synced_ = ::fsync(descriptor_) == 0 && names_above_synced_;
  }
  const int next =
      above_standard_streams(::openat(descriptor_, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  if (next < 0) return false;
  ::close(std::exchange(descriptor_, next));
  struct stat what {};
  if (::fstat(descriptor_, &what) == 0 && what.st_uid == ::geteuid()) return true;
  errno = EPERM;
  return false;
}

CacheDirectory CacheDirectory::inner(const std::string& name) const {
  CacheDirectory result;
  result.path_ = path_ / name;
  result.descriptor_ =
      above_standard_streams(::openat(descriptor_, name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  if (!result.is_open()) result.reason_ = result.path_.string() + ": " + std::strerror(errno);
  return result;
}

CacheDirectory::~CacheDirectory() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

CacheDirectory::CacheDirectory(CacheDirectory&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      reason_(std::move(other.reason_)),
      names_above_synced_(other.names_above_synced_) {}

CacheDirectory& CacheDirectory::operator=(CacheDirectory&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(reason_, other.reason_);
  std::swap(names_above_synced_, other.names_above_synced_);
  return *this;
}

bool CacheDirectory::rename(const std::string& from, const std::string& to) const {
  return ::renameat(descriptor_, from.c_str(), descriptor_, to.c_str()) == 0;
}

bool CacheDirectory::remove(const std::string& name) const {
  return ::unlinkat(descriptor_, name.c_str(), 0) == 0 || errno == ENOENT;
}

bool CacheDirectory::sync() const { return names_above_synced_ && ::fsync(descriptor_) == 0; }

CacheFile::~CacheFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

CacheFile::CacheFile(CacheFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

CacheFile& CacheFile::operator=(CacheFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

CacheFile CacheFile::open(const CacheDirectory& directory, const std::string& name) {
  return CacheFile(open_regular(directory, name, O_RDWR | O_CREAT));
}

CacheFile CacheFile::open_to_read(const CacheDirectory& directory, const std::string& name) {
  return CacheFile(open_regular(directory, name, O_RDONLY));
}

CacheFile CacheFile::make(const CacheDirectory& directory, const std::string& name) {
  if (!directory.remove(name)) return {};
  return CacheFile(open_regular(directory, name, O_RDWR | O_CREAT | O_EXCL));
}

std::size_t CacheFile::read(std::uint64_t at, void* into, std::size_t bytes) const {
  return read(at, into, bytes, nullptr, 0);
}

std::size_t CacheFile::read(std::uint64_t at, void* first, std::size_t first_bytes, void* second,
                            std::size_t second_bytes) const {
  const std::size_t wanted = first_bytes + second_bytes;
  std::size_t done = 0;
  while (done < wanted) {
    iovec parts[2];
    int count = 0;
    if (done < first_bytes) parts[count++] = {static_cast<std::byte*>(first) + done, first_bytes - done};
    const std::size_t of_second = done < first_bytes ? 0 : done - first_bytes;
    if (of_second < second_bytes) {
      parts[count++] = {static_cast<std::byte*>(second) + of_second, second_bytes - of_second};
    }
    const ssize_t got = ::preadv(descriptor_, parts, count, static_cast<off_t>(at + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

bool CacheFile::write(std::uint64_t at, const void* bytes, std::size_t count) {
  iovec part{const_cast<void*>(bytes), count};
  return write(at, &part, 1);
}

bool CacheFile::write(std::uint64_t at, iovec* parts, int count) {
  const FileLimit limit;
  while (count > 0) {
    if (parts->iov_len == 0) {
      ++parts;
      --count;
      continue;
    }
    const ssize_t put = ::pwritev(descriptor_, parts, count, static_cast<off_t>(at));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    at += static_cast<std::uint64_t>(put);
    for (auto left = static_cast<std::size_t>(put); left > 0;) {
      const std::size_t taken = std::min(left, parts->iov_len);
      parts->iov_base = static_cast<std::byte*>(parts->iov_base) + taken;
      parts->iov_len -= taken;
      left -= taken;
      if (parts->iov_len > 0) continue;
      ++parts;
      --count;
    }
  }
  return true;
}

bool CacheFile::truncate(std::uint64_t bytes) {
  const FileLimit limit;
  int answer = 0;
  do {
    answer = ::ftruncate(descriptor_, static_cast<off_t>(bytes));
  } while (answer != 0 && errno == EINTR);
  return answer == 0;
}

bool CacheFile::sync() { return ::fdatasync(descriptor_) == 0; }

CacheFile::Facts CacheFile::facts() const {
  // Not fstat, which asks for times, too: a file whose times were looked at gets exact ones with its next write, which
  // costs more than a small write does (Linux 6.13: multigrain timestamps).
  struct statx what {};
  if (::statx(descriptor_, "", AT_EMPTY_PATH, STATX_SIZE | STATX_NLINK, &what) != 0) return {};
  return {what.stx_size, what.stx_nlink > 0};
}

}  // namespace fenceline

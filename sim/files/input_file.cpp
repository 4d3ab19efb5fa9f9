// SPDX-License-Identifier: Apache-2.0
#include "sim/files/input_file.hpp"

#include "sim/config_error.hpp"
#include "sim/files/descriptor.hpp"

#include <climits>
#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <new>
#include <set>
#include <system_error>

namespace fenceline {
namespace {

constexpr std::size_t chunk_bytes = 256 * 1024;
constexpr std::size_t least_chunk_bytes = 8 * 1024;

/// What is read at once, of a file of this length (0: unknown): a small one needs no more memory.
std::size_t chunk_of(std::uint64_t file_bytes) {
  if (file_bytes == 0) return chunk_bytes;
  return static_cast<std::size_t>(std::clamp<std::uint64_t>(file_bytes, least_chunk_bytes, chunk_bytes));
}

const char* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a directory";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

/// Of this process.
class FilesRead {
 public:
  void add(const std::filesystem::path& path) {
    std::error_code ignored;  // of a directory that is gone: what is read stays open
    const std::filesystem::path absolute = std::filesystem::absolute(path, ignored);
    const std::lock_guard<std::mutex> lock(mutex_);
    paths_.insert(absolute);
  }
  std::vector<std::filesystem::path> all() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return {paths_.begin(), paths_.end()};
  }

 private:
  mutable std::mutex mutex_;
  std::set<std::filesystem::path> paths_;
};

FilesRead& read_so_far() {
  static FilesRead files;
  return files;
}

}  // namespace

std::vector<std::filesystem::path> files_read() { return read_so_far().all(); }

void note_read(const std::filesystem::path& path) { read_so_far().add(path); }

InputFile::InputFile(const std::filesystem::path& path, std::uint64_t limit_bytes)
    : name_(path == "-" ? "standard input" : path.string()), limit_(limit_bytes) {
  const bool standard = path == "-";
  // A FIFO without a writer does not hold us up: it is refused.
  const int descriptor =
      above_standard_streams(standard ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                                      : ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (descriptor < 0) {
    if (errno == ENOENT || errno == ENOTDIR) refuse("a readable file", "no such file");
    refuse("a readable file", "one that does not open: " + std::generic_category().message(errno));
  }
  struct ::stat status {};
  const bool known = ::fstat(descriptor, &status) == 0;
  if (!standard && !(known && S_ISREG(status.st_mode))) {
    ::close(descriptor);
    refuse("a regular file, or - for standard input", known ? kind_of(status.st_mode) : "something unknown");
  }
  if (!standard) note_read(path);
  if (known && S_ISREG(status.st_mode)) size_ = static_cast<std::uint64_t>(status.st_size);
  file_ = ::gzdopen(descriptor, "rb");
  if (file_ == nullptr) {
    ::close(descriptor);
    throw std::bad_alloc();
  }
  ::gzbuffer(file_, static_cast<unsigned>(chunk_of(size_)));
}

InputFile::~InputFile() {
  if (file_ != nullptr) ::gzclose(file_);
}

std::size_t InputFile::read(char* to, std::size_t most) {
  const int count = ::gzread(file_, to, static_cast<unsigned>(std::min<std::size_t>(most, INT_MAX)));
  int code = Z_OK;
  const char* const reason = ::gzerror(file_, &code);
  if (count < 0 || (code != Z_OK && code != Z_STREAM_END)) {
    if (code == Z_ERRNO)
      refuse("a readable file", "an error while reading it: " + std::generic_category().message(errno));
    refuse("a gzip file that is whole", code == Z_BUF_ERROR ? "one that ends too early" : reason);
  }
  read_ += static_cast<std::uint64_t>(count);
  if (read_ > limit_) refuse(fmt::format("at most {} bytes", limit_), "more");
  return static_cast<std::size_t>(count);
}

std::uint64_t InputFile::position() const {
  return static_cast<std::uint64_t>(std::max<z_off_t>(0, ::gzoffset(file_)));
}

void InputFile::refuse(const std::string& expected, const std::string& found) const {
  throw ConfigError(name_, "", expected, found);
}

namespace {

std::string whole_text(const std::filesystem::path& path, std::uint64_t limit_bytes) {
  InputFile file(path, limit_bytes);
  std::string text;
  text.reserve(static_cast<std::size_t>(std::min(file.size(), limit_bytes)));
  std::string chunk(chunk_of(file.size()), '\0');
  while (const std::size_t count = file.read(chunk.data(), chunk.size())) text.append(chunk, 0, count);
  return text;
}

}  // namespace

std::string read_input(const std::filesystem::path& path, std::uint64_t limit_bytes) {
  if (path != "-") return whole_text(path, limit_bytes);
  static const std::string standard = whole_text(path, limit_bytes);  // it can be read once, and is asked for again
  return standard;
}

std::string first_bytes(const std::filesystem::path& path, std::size_t most) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return {};  // standard input can be read once
  try {
    InputFile file(path, most + chunk_bytes);
    std::string text(most, '\0');
    std::size_t length = 0;
    while (const std::size_t count = file.read(text.data() + length, most - length)) length += count;
    text.resize(length);
    return text;
  } catch (const ConfigError&) {
    return {};  // whoever reads all of it says why
  }
}

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#include "sim/files/whole_file.hpp"

#include "sim/files/descriptor.hpp"
#include "sim/files/system_reason.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace fenceline {
namespace {

namespace fs = std::filesystem;

/// A name beside the target that nobody can foresee.
fs::path hidden_name(const fs::path& target) {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != static_cast<::ssize_t>(sizeof number)) {
    throw OutputError(target, "cannot name a file beside it", system_reason(errno));
  }
  return target.parent_path() / fmt::format(".{}.{:016x}", target.filename().string(), number);
}

bool is_standard_output(const fs::path& target) { return target == "-"; }

/// What is at the place, if anything is; it can be written.
std::optional<struct ::stat> look_at(const fs::path& target, const std::vector<fs::path>& inputs) {
  struct ::stat there {};
  if (::stat(target.c_str(), &there) != 0) {
    if (errno != ENOENT) throw OutputError(target, "cannot look at it", system_reason(errno));
    return std::nullopt;
  }
  for (const fs::path& input : inputs) {
    struct ::stat read {};
    if (::stat(input.c_str(), &read) == 0 && read.st_ino == there.st_ino && read.st_dev == there.st_dev) {
      throw OutputError(target, "is not written: it is the input " + input.string(),
                        std::make_error_code(std::errc::invalid_argument));
    }
  }
  if (S_ISREG(there.st_mode) || S_ISFIFO(there.st_mode) || S_ISCHR(there.st_mode)) return there;
  throw OutputError(
      target, "is not written: it is no regular file",
      std::make_error_code(S_ISDIR(there.st_mode) ? std::errc::is_a_directory : std::errc::invalid_argument));
}

/// The renaming, too, survives a crash of the system.
void sync_directory(const fs::path& directory) {
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

WholeFile::WholeFile(const fs::path& target, const std::vector<fs::path>& inputs) : target_(target) {
  if (is_standard_output(target_)) {
    open_directly(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    return;
  }
  const auto there = look_at(target_, inputs);
  if (there && !S_ISREG(there->st_mode)) {
    open_directly(::open(target_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    return;
  }
  std::error_code error;
  target_ = fs::weakly_canonical(fs::absolute(target_), error);
  if (error) throw OutputError(target, "cannot resolve", error);
  open_beside(there ? std::optional<unsigned>(there->st_mode & 07777) : std::nullopt);
}

WholeFile::~WholeFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void WholeFile::open_directly(int opened) {
  const int descriptor = above_standard_streams(opened);
  if (descriptor < 0) throw OutputError(target_, "cannot open", system_reason(errno));
  content_.emplace(target_, descriptor);
}

void WholeFile::open_beside(const std::optional<unsigned>& permissions) {
  const fs::path name = hidden_name(target_);
  const int descriptor =
      above_standard_streams(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (descriptor < 0) throw OutputError(target_, "cannot create a file beside it", system_reason(errno));
  temporary_ = name;
  if (permissions) ::fchmod(descriptor, *permissions);
  content_.emplace(target_, descriptor);
}

void WholeFile::place() {
  if (temporary_.empty()) return;
  content_->sync();
  rename_into_place();
  placed_ = true;
}

void WholeFile::commit() {
  if (!temporary_.empty() || placed_) content_->sync();
  content_->close();
  if (!temporary_.empty()) rename_into_place();
}

void WholeFile::rename_into_place() {
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
    throw OutputError(target_, "cannot put the file there", system_reason(errno));
  }
  temporary_.clear();
  sync_directory(target_.parent_path());
}

void check_output(const fs::path& target, const std::vector<fs::path>& inputs) {
  if (!is_standard_output(target)) look_at(target, inputs);
}

void write_whole_file(const fs::path& target, std::string_view text, const std::vector<fs::path>& inputs) {
  WholeFile file(target, inputs);
  file.content().append(text);
  file.commit();
}

}  // namespace fenceline

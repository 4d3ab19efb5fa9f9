// SPDX-License-Identifier: Apache-2.0
#include "sim/files/run_directory.hpp"

#include "sim/files/descriptor.hpp"
#include "sim/files/output_file.hpp"
#include "sim/files/system_reason.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

namespace fenceline {
namespace {

namespace fs = std::filesystem;

/// Absolute, without symbolic links, so that what is replaced is the directory and not a link to it.
fs::path resolve(const fs::path& target) {
  std::error_code error;
  fs::path resolved = fs::weakly_canonical(fs::absolute(target), error);
  if (error) throw OutputError(target, "cannot resolve", error);
  if (!resolved.has_filename()) resolved = resolved.parent_path();  // "out/"
  if (!resolved.has_relative_path()) {
    throw OutputError(target, "is the root directory", std::make_error_code(std::errc::invalid_argument));
  }
  if (resolved == fs::current_path(error)) {
    throw OutputError(target, "is the working directory; name a directory inside it",
                      std::make_error_code(std::errc::invalid_argument));
  }
  return resolved;
}

fs::path beside(const fs::path& target, const char* suffix) {
  fs::path path = target;
  path += suffix;
  return path;
}

void move(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) {
    throw OutputError(to, "cannot rename " + from.string() + " to it", system_reason(errno));
  }
}

}  // namespace

RunDirectory::RunDirectory(const fs::path& target)
    : target_(resolve(target)),
      partial_(beside(target_, ".partial-run")),
      marker_(partial_),
      displaced_(beside(target_, ".partial-displaced")) {
  check_replaceable();
  std::error_code error;
  fs::create_directories(target_.parent_path(), error);
  if (error) throw OutputError(target_.parent_path(), "cannot create", error);
  make_partial();
  try {
    marker_.create();
    recover();
  } catch (...) {
    leave_partial();
    ::close(lock_);
    throw;
  }
}

RunDirectory::~RunDirectory() {
  if (!committed_) leave_partial();
  if (lock_ >= 0) ::close(lock_);
}

/// If this fails the next run tries again.
void RunDirectory::leave_partial() noexcept {
  try {
    RunMarker(partial_).remove_run();
  } catch (...) {
  }
}

fs::path RunDirectory::file(std::string_view name) {
  if (committed_) return target_ / name;
  marker_.add(name);
  return partial_ / name;
}

void RunDirectory::commit() {
  check_replaceable();  // again: the run took a while
  if (::rename(partial_.c_str(), target_.c_str()) != 0) {
    const int reason = errno;
    if (reason != ENOTEMPTY && reason != EEXIST) {
      throw OutputError(target_, "cannot rename " + partial_.string() + " to it", system_reason(reason));
    }
    replace_earlier_run();
  }
  committed_ = true;
  ::close(std::exchange(lock_, -1));
}

void RunDirectory::check_replaceable() const {
  std::error_code error;
  const fs::file_status status = fs::status(target_, error);
  if (!fs::exists(status) && fs::is_symlink(fs::symlink_status(target_, error))) {
    throw OutputError(target_, "is a symbolic link to nothing",
                      std::make_error_code(std::errc::no_such_file_or_directory));
  }
  if (!fs::exists(status)) {
    if (status.type() != fs::file_type::not_found) throw OutputError(target_, "cannot look at it", error);
    return;
  }
  if (!fs::is_directory(status)) {
    throw OutputError(target_, "cannot be a run directory", std::make_error_code(std::errc::not_a_directory));
  }
  const bool empty = fs::is_empty(target_, error);
  if (error) throw OutputError(target_, "cannot list", error);
  if (empty) return;
  const RunMarker marker(target_);
  if (marker.is_of_sweep()) {
    throw OutputError(
        target_, "is not replaced by a run: it holds the results of a sweep; remove it or choose another directory",
        std::make_error_code(std::errc::directory_not_empty));
  }
  if (!marker.exists()) {
    throw OutputError(target_,
                      fmt::format("is not replaced: it holds files but no {}, so it is not an earlier Fenceline run; "
                                  "remove it or choose another directory",
                                  RunMarker::name),
                      std::make_error_code(std::errc::directory_not_empty));
  }
  if (const auto other = marker.foreign()) {
    throw OutputError(target_,
                      fmt::format("is not replaced: besides an earlier Fenceline run it holds {}; move that away or "
                                  "choose another directory",
                                  *other),
                      std::make_error_code(std::errc::directory_not_empty));
  }
}

/// Creates and locks the partial directory. One that exists but that nobody has locked was left by a killed run.
void RunDirectory::make_partial() {
  for (;;) {
    const bool created = ::mkdir(partial_.c_str(), 0777) == 0;
    if (!created && errno != EEXIST) throw OutputError(partial_, "cannot create", system_reason(errno));
    const int descriptor =
        above_standard_streams(::open(partial_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (descriptor < 0) {
      if (errno == ENOENT) continue;  // another run has just removed it
      throw OutputError(partial_, "cannot open", system_reason(errno));
    }
    // A file system without locks does without this protection.
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      ::close(descriptor);
      throw OutputError(target_, "another run is writing to it", system_reason(EBUSY));
    }
    struct ::stat locked {};
    struct ::stat current {};
    const bool is_ours = ::fstat(descriptor, &locked) == 0 && ::lstat(partial_.c_str(), &current) == 0 &&
                         locked.st_ino == current.st_ino && locked.st_dev == current.st_dev;
    if (created && is_ours) {
      lock_ = descriptor;
      return;
    }
    try {
      if (is_ours) RunMarker(partial_).remove_run();
    } catch (...) {
      ::close(descriptor);
      throw;
    }
    ::close(descriptor);
  }
}

/// A run that was killed inside replace_earlier_run() may have left the run before it displaced.
void RunDirectory::recover() {
  std::error_code error;
  if (!fs::exists(displaced_, error)) return;
  if (fs::exists(target_, error)) {
    RunMarker(displaced_).remove_run();
  } else {
    move(displaced_, target_);
  }
}

void RunDirectory::replace_earlier_run() {
  if (::renameat2(AT_FDCWD, partial_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) == 0) {
    leave_partial();  // now the earlier run
    return;
  }
  if (errno != EINVAL && errno != ENOSYS) {
    throw OutputError(target_, "cannot exchange " + partial_.string() + " with it", system_reason(errno));
  }
  move(target_, displaced_);
  try {
    move(partial_, target_);
  } catch (...) {
    std::error_code ignored;
    fs::rename(displaced_, target_, ignored);
    throw;
  }
  RunMarker(displaced_).remove_run();
}

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#include "api/cli/sweep/sweep_directory.hpp"

#include "api/cli/sweep/results_file.hpp"
#include "sim/files/descriptor.hpp"
#include "sim/files/output_file.hpp"
#include "sim/files/run_marker.hpp"
#include "sim/files/system_reason.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <iterator>
#include <string>
#include <system_error>

namespace fenceline::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* over = "sweep.done";

/// All that a sweep may leave.
const char* const files[] = {ResultsFile::name,
                             "results.sqlite-wal",
                             "results.sqlite-shm",
                             "results.sqlite-journal",
                             "results.csv",
                             "repetitions.csv",
                             "sweep.html",
                             over,
                             "runs/",
                             "slurm/"};

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw OutputError(path, why, std::make_error_code(std::errc::directory_not_empty));
}

}  // namespace

SweepDirectory::SweepDirectory(const fs::path& target, bool resume) {
  std::error_code error;
  path_ = fs::weakly_canonical(fs::absolute(target), error);
  if (error) throw OutputError(target, "cannot resolve", error);
  if (!path_.has_filename()) path_ = path_.parent_path();  // "out/"
  if (path_ == fs::current_path(error)) {
    throw OutputError(target, "is the working directory; name a directory inside it",
                      std::make_error_code(std::errc::invalid_argument));
  }
  fs::create_directories(path_, error);
  if (error) throw OutputError(path_, "cannot create", error);
  lock();
  try {
    if (fs::is_empty(path_, error)) {
      make();
      return;
    }
    const RunMarker marker(path_);
    if (!marker.exists()) {
      refuse(path_,
             fmt::format("is not replaced: it holds files but no {}, so it is no earlier sweep; remove it or choose "
                         "another directory",
                         RunMarker::name));
    }
    // A sweep that was killed before its marker had a line left that alone.
    const bool has_files = std::next(fs::directory_iterator(path_)) != fs::directory_iterator();
    if (has_files && !marker.is_of_sweep())
      refuse(path_, "is not replaced by a sweep: it holds a run; remove it or choose another directory");
    if (resume && fs::exists(path_ / ResultsFile::name, error)) return;
    if (fs::exists(path_ / ResultsFile::name, error) && !fs::exists(path_ / over, error)) {
      refuse(path_,
             "holds a sweep that is not over: go on with it with --resume, remove it, or choose another directory");
    }
    marker.remove_run();
    ::close(lock_);
    fs::create_directories(path_, error);
    if (error) throw OutputError(path_, "cannot create", error);
    lock();
    make();
  } catch (...) {
    ::close(lock_);
    throw;
  }
}

SweepDirectory::~SweepDirectory() { ::close(lock_); }

void SweepDirectory::lock() {
  lock_ = above_standard_streams(::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (lock_ < 0) throw OutputError(path_, "cannot open", system_reason(errno));
  // A file system without locks does without this protection.
  if (::flock(lock_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  ::close(lock_);
  throw OutputError(path_, "another sweep is writing to it", system_reason(EBUSY));
}

void SweepDirectory::make() {
  RunMarker marker(path_);
  marker.create();
  for (const char* file : files) marker.add(file);
}

void SweepDirectory::finish() { OutputFile(path_ / over).close(); }

}  // namespace fenceline::cli

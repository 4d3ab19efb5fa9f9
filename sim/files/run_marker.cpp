// SPDX-License-Identifier: Apache-2.0
#include "sim/files/run_marker.hpp"

#include "sim/files/descriptor.hpp"
#include "sim/files/dropped_signal.hpp"
#include "sim/files/output_file.hpp"
#include "sim/files/system_reason.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <fstream>
#include <sstream>
#include <system_error>

namespace fenceline {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view header =
    "A Fenceline run. The next run to this directory replaces it if it holds these files and no others:\n";

/// In one piece: a line that is torn names no file that exists.
void write_line(const fs::path& path, std::string_view text, int flags) {
  const int descriptor = above_standard_streams(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW | flags, 0666));
  if (descriptor < 0) throw OutputError(path, "cannot create", system_reason(errno));
  const DroppedSignal too_long(SIGXFSZ);
  const ::ssize_t written = ::write(descriptor, text.data(), text.size());
  const int reason = written < 0 ? errno : ENOSPC;
  ::close(descriptor);
  if (written != static_cast<::ssize_t>(text.size())) throw OutputError(path, "cannot write", system_reason(reason));
}

}  // namespace

RunMarker::RunMarker(const fs::path& directory) : directory_(directory) {
  const fs::path path = directory_ / name;
  std::error_code error;
  if (!fs::is_regular_file(fs::symlink_status(path, error))) return;
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream.is_open() || stream.bad()) throw OutputError(path, "cannot read", system_reason(EIO));
  const std::string found = text.str();
  const std::string_view begin = std::string_view(found).substr(0, header.size());
  if (begin != header.substr(0, begin.size())) return;  // a file of somebody else's with this name
  exists_ = true;
  files_ = "\n" + found.substr(begin.size());
}

void RunMarker::create() {
  write_line(directory_ / name, header, O_CREAT | O_EXCL);
  exists_ = true;
  files_ = "\n";
}

void RunMarker::add(std::string_view file) {
  if (lists(std::string(file))) return;
  const std::string line = std::string(file) + "\n";
  write_line(directory_ / name, line, O_APPEND);
  files_ += line;
}

bool RunMarker::lists(const std::string& file) const { return files_.find("\n" + file + "\n") != std::string::npos; }

/// It is listed as a directory of runs, and holds nothing else.
bool RunMarker::holds_runs(const fs::path& directory) const {
  std::error_code error;
  if (!lists(directory.filename().string() + "/") || !fs::is_directory(fs::symlink_status(directory, error)))
    return false;
  for (fs::directory_iterator run(directory, error), end; !error && run != end; run.increment(error)) {
    if (!fs::is_directory(run->symlink_status(error)) || RunMarker(run->path()).foreign()) return false;
  }
  return !error;
}

std::optional<std::string> RunMarker::foreign() const {
  std::optional<std::string> first;
  std::error_code error;
  for (fs::directory_iterator entry(directory_, error), end; !error && entry != end; entry.increment(error)) {
    const std::string file = entry->path().filename().string();
    const bool listed = exists_ && (file == name || lists(file)) && fs::is_regular_file(entry->symlink_status(error));
    const bool own = listed || (exists_ && holds_runs(entry->path()));
    if (!own && (!first || file < *first)) first = file;
  }
  if (error) throw OutputError(directory_, "cannot list", error);
  return first;
}

void RunMarker::remove_run() const {
  if (const auto other = foreign()) {
    throw OutputError(directory_, "is not removed: it holds " + *other + ", which no run has written",
                      std::make_error_code(std::errc::directory_not_empty));
  }
  std::error_code error;
  for (fs::directory_iterator entry(directory_, error), end; !error && entry != end; entry.increment(error)) {
    if (fs::is_directory(entry->symlink_status(error))) {
      for (const auto& run : fs::directory_iterator(entry->path())) RunMarker(run.path()).remove_run();
    }
    if (entry->path().filename() != name) fs::remove(entry->path(), error);
    if (error) break;
  }
  if (!error) fs::remove(directory_ / name, error);  // last: until then it says whose the others are
  if (!error) fs::remove(directory_, error);
  if (error) throw OutputError(directory_, "cannot remove what an earlier run left", error);
}

}  // namespace fenceline

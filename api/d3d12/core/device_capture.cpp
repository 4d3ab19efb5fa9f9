// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/core/device_capture.hpp"

#include "api/capture/machine_capture.hpp"
#include "api/machine.hpp"
#include "sim/files/console.hpp"
#include "sim/files/whole_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace fenceline::d3d12 {
namespace {

/// Numbers of frames or submissions, or microseconds, from 1 on: the first and the last of those captured.
struct Range {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

/// "3-5" or "3" of the environment; nothing: it is not set, or something else, which is told.
std::optional<Range> range_in(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  Range range;
  char after = 0;
  const int read = std::sscanf(text, "%" SCNu64 "-%" SCNu64 "%c", &range.first, &range.last, &after);
  if (read == 1 && std::strchr(text, '-') == nullptr) range.last = range.first;
  if (read >= 1 && read <= 2 && range.first >= 1 && range.first <= range.last) return range;
  console::tell("fenceline: {}: expected numbers from 1 on as in 3-5, found \"{}\"\n", variable, text);
  return std::nullopt;
}

/// Of the process, with the host's lock.
struct Captures {
  std::vector<DeviceCapture*> devices;  ///< that have a queue
  std::filesystem::path file;           ///< of those under way; empty: none are
  unsigned count = 0;                   ///< of those under way, so far
  bool whole_run = false;               ///< the environment asked for them, from the beginning to the end
  std::filesystem::path awaited;        ///< of those that are to begin
  std::optional<Range> frames;          ///< that awaited ones are of
  std::optional<Range> submissions;     ///< the same
  std::optional<Range> times_us;        ///< the same: since the process began to simulate
  std::uint64_t frame = 0;              ///< presented so far
  std::uint64_t submission = 0;         ///< so far
};

/// Frames, else submissions, else times; what is not kept is told.
void keep_one_range(Captures& captures) {
  const char* kept = captures.frames ? "FENCELINE_CAPTURE_FRAMES" : "FENCELINE_CAPTURE_QUEUE_SUBMITS";
  const auto drop = [&](std::optional<Range>& range, const char* variable) {
    if (range) console::tell("fenceline: {}: nothing is done with it beside {}\n", variable, kept);
    range.reset();
  };
  if (captures.frames) drop(captures.submissions, "FENCELINE_CAPTURE_QUEUE_SUBMITS");
  if (captures.frames || captures.submissions) drop(captures.times_us, "FENCELINE_CAPTURE_TIME_US");
}

Captures& captures() {
  static auto* const all = [] {
    auto* const made = new Captures;  // devices may outlive static objects
    const char* const named = std::getenv("FENCELINE_CAPTURE");
    if (named == nullptr || *named == '\0') return made;
    made->frames = range_in("FENCELINE_CAPTURE_FRAMES");
    made->submissions = range_in("FENCELINE_CAPTURE_QUEUE_SUBMITS");
    made->times_us = range_in("FENCELINE_CAPTURE_TIME_US");
    keep_one_range(*made);
    const bool from_first = !made->submissions && !made->times_us && (!made->frames || made->frames->first == 1);
    (from_first ? made->file : made->awaited) = named;
    made->whole_run = !made->frames && !made->submissions && !made->times_us;
    return made;
  }();
  return *all;
}

std::filesystem::path numbered(std::filesystem::path file, unsigned number) {
  if (number == 1) return file;
  return file.replace_filename(fmt::format("{}-{}{}", file.stem().string(), number, file.extension().string()));
}

}  // namespace

DeviceCapture::DeviceCapture(Machine& machine) : machine_(machine) {}
DeviceCapture::~DeviceCapture() = default;

void DeviceCapture::join() {
  Captures& all = captures();
  if (std::find(all.devices.begin(), all.devices.end(), this) != all.devices.end()) return;
  all.devices.push_back(this);
  timed_ = all.times_us.has_value();
  [[maybe_unused]] static const int registered = std::atexit(finish_all);
  if (!all.file.empty()) begin(numbered(all.file, ++all.count), all.whole_run ? 0 : machine_.now_ps());
}

void DeviceCapture::begin(const std::filesystem::path& file, std::uint64_t start_ps) {
  path_ = file;
  const auto tell = [file](const std::string& text) {
    console::tell("fenceline: capture {}: {}\n", file.string(), text);
  };
  try {
    file_ = std::make_unique<WholeFile>(file);
    capture_ =
        std::make_unique<MachineCapture>(machine_, file_->content(), program_invocation_short_name, start_ps, tell);
    file_->place();  // what is written is there, whatever becomes of the process
  } catch (const std::exception& error) {
    tell(error.what());
    capture_.reset();
    file_.reset();
  }
}

void DeviceCapture::end() {
  if (capture_ == nullptr) return;
  try {
    if (capture_->finish()) {
      file_->commit();
      console::tell("fenceline: capture {}: it is whole\n", path_.string());
    }
  } catch (const std::exception& error) {
    console::tell("fenceline: capture {}: {}\n", path_.string(), error.what());
  }
  capture_.reset();
  file_.reset();
}

void DeviceCapture::finish() {
  const Host::Lock held = Host::instance().lock();
  std::vector<DeviceCapture*>& devices = captures().devices;
  devices.erase(std::remove(devices.begin(), devices.end(), this), devices.end());
  end();
}

bool DeviceCapture::begin_captures(const std::filesystem::path& file, const Host::Lock&) {
  Captures& all = captures();
  if (!all.file.empty() || !all.awaited.empty()) return false;
  begin_all(file);
  return true;
}

void DeviceCapture::begin_all(const std::filesystem::path& file, std::uint64_t from_ps) {
  Captures& all = captures();
  all.file = file;
  all.count = 0;
  for (DeviceCapture* const device : all.devices) {
    device->begin(numbered(file, ++all.count), std::min(from_ps, device->machine_.now_ps()));
  }
}

bool DeviceCapture::end_captures(const Host::Lock&) {
  Captures& all = captures();
  if (all.file.empty() || all.whole_run) return false;
  end_all();
  return true;
}

void DeviceCapture::end_all() {
  Captures& all = captures();
  all.file.clear();
  all.frames.reset();
  all.submissions.reset();
  all.times_us.reset();
  timed_ = false;
  for (DeviceCapture* const device : all.devices) device->end();
}

bool DeviceCapture::capture_frames(const std::filesystem::path& file, std::uint32_t frames, const Host::Lock&) {
  Captures& all = captures();
  if (!all.file.empty() || !all.awaited.empty()) return false;
  all.awaited = file;
  all.frames = Range{all.frame + 2, all.frame + 1 + frames};
  return true;
}

/// Frame n is what is submitted after the present of the one before, and its own present.
void DeviceCapture::presented() {
  Captures& all = captures();
  ++all.frame;
  if (!all.frames) return;
  if (all.frame >= all.frames->last && !all.file.empty()) return end_all();
  if (all.frame + 1 == all.frames->first && !all.awaited.empty()) begin_all(std::exchange(all.awaited, {}));
}

void DeviceCapture::submits() {
  Captures& all = captures();
  ++all.submission;
  if (!all.submissions) return;
  if (all.submission > all.submissions->last && !all.file.empty()) return end_all();
  if (all.submission == all.submissions->first && !all.awaited.empty()) begin_all(std::exchange(all.awaited, {}));
}

/// Times are microseconds: the last one is captured whole.
void DeviceCapture::comes_to(std::uint64_t now_ps) {
  constexpr std::uint64_t ps_of_us = 1'000'000;
  Captures& all = captures();
  if (!all.times_us || now_ps / ps_of_us < all.times_us->first) return;
  if (now_ps / ps_of_us > all.times_us->last) {
    if (!all.awaited.empty()) console::tell("fenceline: FENCELINE_CAPTURE_TIME_US: no call came in that time\n");
    all.awaited.clear();
    return end_all();
  }
  if (!all.awaited.empty()) begin_all(std::exchange(all.awaited, {}), all.times_us->first * ps_of_us);
}

bool DeviceCapture::capturing(const Host::Lock&) { return !captures().file.empty(); }

void DeviceCapture::finish_all() {
  Host::Lock lock = Host::instance().try_lock();
  // A thread that simulates for ever must not hold up the exit: what was flushed is in the file.
  for (int tries = 0; tries < 100 && !lock.owns_lock(); ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    lock = Host::instance().try_lock();
  }
  if (!lock.owns_lock()) return;
  const Captures& all = captures();
  for (DeviceCapture* const device : all.devices) device->end();
  if (all.awaited.empty()) return;
  console::tell(
      "fenceline: capture {}: nothing is captured, its part never began: frames presented {}, submissions {}\n",
      all.awaited.string(), all.frame, all.submission);
}

}  // namespace fenceline::d3d12

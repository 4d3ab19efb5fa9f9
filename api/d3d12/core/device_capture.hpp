// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/host/host.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace fenceline {
class Machine;
class MachineCapture;
class WholeFile;
}  // namespace fenceline

namespace fenceline::d3d12 {

/// A device's part in captures of GPU work: with FENCELINE_CAPTURE from its first queue to its end, or the process's
/// exit; else from begin_captures to end_captures. All calls with the host's lock, but for the two that take it.
class DeviceCapture {
 public:
  explicit DeviceCapture(Machine& machine);
  /// Ends a capture under way.
  ~DeviceCapture();
  DeviceCapture(const DeviceCapture&) = delete;
  DeviceCapture& operator=(const DeviceCapture&) = delete;

  /// The device has a queue: captures count it from now on.
  void join();
  /// What is captured ends here: the file is whole. Takes the lock.
  void finish();

  /// Devices that have a queue are captured from now on, and those that get one: the first into the file, the second
  /// into the one with -2 behind its name. False: captures are under way.
  static bool begin_captures(const std::filesystem::path& file, const Host::Lock& held);
  /// Those that begin_captures began are whole. False: none are under way.
  static bool end_captures(const Host::Lock& held);
  /// Captures begin with the next present of the process, and end so many later. False: they are under way, or awaited.
  static bool capture_frames(const std::filesystem::path& file, std::uint32_t frames, const Host::Lock& held);
  /// A frame has been presented: captures that are counted in frames begin, or end.
  static void presented();
  /// A list is about to be executed, or was: the same of those that are counted in submissions.
  static void submits();
  /// A call begins at that time: captures that are chosen by time begin, or end.
  static void at(std::uint64_t now_ps) {
    if (timed_) comes_to(now_ps);
  }
  /// Captures are under way.
  static bool capturing(const Host::Lock& held);

 private:
  void begin(const std::filesystem::path& file, std::uint64_t start_ps);
  void end();
  static void begin_all(const std::filesystem::path& file, std::uint64_t from_ps = Host::never);
  static void comes_to(std::uint64_t now_ps);
  static void end_all();
  static void finish_all();

  static inline bool timed_ = false;  // some are chosen by time
  Machine& machine_;
  std::filesystem::path path_;
  std::unique_ptr<WholeFile> file_;
  std::unique_ptr<MachineCapture> capture_;
};

}  // namespace fenceline::d3d12

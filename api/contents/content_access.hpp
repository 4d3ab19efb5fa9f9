// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace fenceline {

/// What is done with bytes: `use` is a shader that has them bound, of which nobody knows what it does.
enum class AccessKind : std::uint8_t { read, write, use };
constexpr const char* name_of(AccessKind kind) {
  return kind == AccessKind::read ? "read" : kind == AccessKind::write ? "write" : "use";
}

/// Who does it.
struct ContentActor {
  std::string by;              ///< `queue "copy"`, `CPU thread "app"`
  std::uint64_t packet = 0;    ///< number of the queue packet; 0: a CPU thread
  std::string list = {};       ///< name of the command list; empty: a CPU thread
  std::size_t command = 0;     ///< its index in the list's stream, where bundles stand as their commands
  const char* name = "write";  ///< of the command
};

/// An access to a resource's bytes, as it happens.
struct ContentAccess {
  std::uint64_t at_ps = 0;             ///< simulated time
  std::uint32_t resource = 0;          ///< its place in the workload
  AccessKind kind = AccessKind::read;  ///< what is done
  std::uint64_t offset = 0;            ///< of the first byte
  std::uint64_t bytes = 0;             ///< read or written; 0: not known
};

/// Hears of accesses, in order of simulated time.
class AccessListener {
 public:
  virtual ~AccessListener() = default;
  /// Called from inside the simulation.
  virtual void accessed(const ContentAccess& access, const ContentActor& actor) = 0;
};

}  // namespace fenceline

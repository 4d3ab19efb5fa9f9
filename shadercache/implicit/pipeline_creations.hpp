// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shadercache/implicit/creation_statistics.hpp"
#include "shadercache/implicit/implicit_caches.hpp"
#include "sim/log.hpp"

#include <cstdint>
#include <string>

namespace fenceline {

/// A pipeline state that is being created.
struct BegunCreation {
  PipelineCreation takes;      ///< what it costs
  std::string name;            ///< in the log
  std::uint64_t began_ps = 0;  ///< simulated time, picoseconds
};

/// A process creates pipeline states, several at one time if it wants to.
class PipelineCreations {
 public:
  /// The program's caches, which its other processes share, and the log live longer. `track` is the process's in it.
  PipelineCreations(ImplicitCaches& caches, EventLog& log, const std::string& track);

  /// What it takes is in the answer: the caller spends that time, then calls `end`.
  BegunCreation begin(CreatedPipeline pipeline, const std::string& name, std::uint64_t now_ps);
  /// From now on the caches have it.
  void end(const BegunCreation& creation, std::uint64_t now_ps);

  ImplicitCaches& caches() { return caches_; }                          ///< the program's
  const CreationStatistics& statistics() const { return statistics_; }  ///< so far

 private:
  ImplicitCaches& caches_;
  EventLog& log_;
  LogName track_;
  CreationStatistics statistics_;
};

}  // namespace fenceline

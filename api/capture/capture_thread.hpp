// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/capture/capture_batch.hpp"
#include "api/capture/captured_lists.hpp"
#include "api/capture/file/capture_writer.hpp"

#include <boost/asio/thread_pool.hpp>
#include <nlohmann/json_fwd.hpp>

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

class OutputFile;

/// Writes a capture on a thread of its own, batch after batch, so that the program's calls do not wait for it: saying
/// a list in a workload's words and compressing it costs more than recording it.
class CaptureThread {
 public:
  /// Begins with the workload and the machine (CaptureWriter). The file outlives this. Throws OutputError.
  CaptureThread(OutputFile& file, const nlohmann::json& workload, const nlohmann::json& machine);
  /// Waits for what it was given.
  ~CaptureThread();
  CaptureThread(const CaptureThread&) = delete;
  CaptureThread& operator=(const CaptureThread&) = delete;

  /// Is written next. Waits where too many do already.
  void write(CaptureBatch batch);
  /// Waits until all that it was given is in the file, and lets go.
  void drain();
  /// Waits for all, and ends the capture. The file is not closed.
  void finish();
  /// Streams that it was given and needs no more are let go, by the thread that calls: what records into their memory
  /// again comes behind that.
  void let_go();
  /// What went wrong; empty: nothing so far. It writes nothing after that.
  std::string error() const;
  /// Of the process: threads that write captures, which wake nobody.
  static std::size_t threads();
  /// In a list so far draws of one ExecuteIndirect had several pipeline states.
  bool mixed() const;

 private:
  void write_now(CaptureBatch& batch);
  void join();
  template <class Call>
  void guarded(const Call& call);

  CaptureWriter writer_;
  CapturedLists lists_;
  std::uint64_t flushes_ = 0;

  mutable std::mutex mutex_;  // of what follows
  std::condition_variable fewer_;
  std::size_t waiting_ = 0;  // batches
  std::vector<std::shared_ptr<const CommandStream>> done_;
  std::string error_;
  bool mixed_ = false;

  std::optional<boost::asio::thread_pool> pool_;  // ends first
};

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#include "api/capture/capture_thread.hpp"

#include "sim/files/output_file.hpp"
#include "sim/plain_threads.hpp"

#include <boost/asio/post.hpp>

#include <atomic>
#include <exception>
#include <utility>

namespace fenceline {
namespace {

using nlohmann::json;

/// Batches that may wait: a program that is faster than the disk waits from then on.
constexpr std::size_t most_waiting = 256;

std::atomic<std::size_t> writing_threads{0};

}  // namespace

CaptureThread::CaptureThread(OutputFile& file, const json& workload, const json& machine)
    : writer_(file, workload, machine), lists_(writer_) {
  const PlainThreads own;
  pool_.emplace(1);
  ++writing_threads;
}

CaptureThread::~CaptureThread() { join(); }

void CaptureThread::join() {
  const PlainThreads own;
  if (!pool_) return;
  pool_->join();
  pool_.reset();
  --writing_threads;
}

std::size_t CaptureThread::threads() { return writing_threads; }

void CaptureThread::write(CaptureBatch batch) {
  {
    std::unique_lock<std::mutex> lock(mutex_);
    fewer_.wait(lock, [this] { return waiting_ < most_waiting; });
    ++waiting_;
  }
  boost::asio::post(*pool_, [this, shared = std::make_shared<CaptureBatch>(std::move(batch))] {
    guarded([&] { write_now(*shared); });
    const std::lock_guard<std::mutex> lock(mutex_);
    for (CapturedStep& one : shared->steps) {
      if (one.list && one.list->stream != nullptr) done_.push_back(std::move(one.list->stream));
    }
    --waiting_;
    mixed_ = lists_.mixed();
    fewer_.notify_all();
  });
}

/// What the file's errors come to.
template <class Call>
void CaptureThread::guarded(const Call& call) {
  if (!error().empty()) return;
  try {
    call();
  } catch (const std::exception& error) {
    const std::lock_guard<std::mutex> lock(mutex_);
    error_ = error.what();
  }
}

void CaptureThread::write_now(CaptureBatch& batch) {
  for (const auto& [name, bytes] : batch.blobs) writer_.add_blob(name, bytes);
  for (const json& one : batch.objects) writer_.add_objects(one);
  for (CapturedStep& one : batch.steps) {
    if (one.list) one.step["lists"] = json::array({lists_.name_of(*one.list)});
    writer_.add_steps(CaptureWriter::Timeline::cpu, one.thread, json::array({std::move(one.step)}));
  }
  if (batch.flush && ++flushes_ <= CaptureWriter::most_flushes) writer_.flush();
}

void CaptureThread::drain() {
  {
    std::unique_lock<std::mutex> lock(mutex_);
    fewer_.wait(lock, [this] { return waiting_ == 0; });
  }
  let_go();
}

void CaptureThread::finish() {
  join();
  let_go();
  guarded([&] { writer_.finish(); });
}

void CaptureThread::let_go() {
  std::vector<std::shared_ptr<const CommandStream>> done;
  const std::lock_guard<std::mutex> lock(mutex_);
  done.swap(done_);
}

std::string CaptureThread::error() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return error_;
}

bool CaptureThread::mixed() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return mixed_;
}

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#include "sim/files/output_file.hpp"

#include "sim/files/descriptor.hpp"
#include "sim/files/dropped_signal.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <utility>

namespace fenceline {

OutputFile::OutputFile(std::filesystem::path path, OutputBudget* budget)
    : path_(std::move(path)),
      budget_(budget),
      descriptor_(above_standard_streams(::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666))) {
  if (descriptor_ < 0) fail("cannot create", errno);
  buffer_.reserve(flush_at + largest_record);
}

OutputFile::OutputFile(std::filesystem::path path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {
  buffer_.reserve(flush_at + largest_record);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void OutputFile::append(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > buffer_.capacity()) flush();
  if (bytes.size() > buffer_.capacity()) {
    write(bytes);
  } else {
    buffer_.append(bytes);
    end_record();
  }
}

void OutputFile::flush() {
  write({buffer_.data(), buffer_.size()});
  buffer_.clear();
}

void OutputFile::close() {
  if (descriptor_ < 0 && failed_ == 0) return;
  flush();
  // Network file systems report a full disk only here. EINTR: Linux has closed the descriptor all the same.
  const int result = ::close(std::exchange(descriptor_, -1));
  if (waiting_) throw OutputError(*waiting_);
  if (result != 0 && errno != EINTR) fail("cannot close", errno);
}

void OutputFile::sync() {
  flush();
  if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS) fail("cannot write", errno);
}

void OutputFile::write(std::string_view bytes) {
  if (waiting_) return;
  try {
    hand_over(bytes);
  } catch (const OutputError& error) {
    if (budget_ == nullptr || !budget_->errors_wait) throw;
    waiting_ = error;
  }
}

void OutputFile::hand_over(std::string_view bytes) {
  if (failed_ != 0) fail("cannot write", failed_);
  if (budget_ != nullptr && bytes.size() > budget_->limit_bytes - budget_->written_bytes) {
    fail(fmt::format("is not written further: the limit of {} bytes of output is reached", budget_->limit_bytes),
         EFBIG);
  }
  if (budget_ != nullptr) budget_->written_bytes += bytes.size();
  const DroppedSignal too_long(SIGXFSZ);
  while (!bytes.empty()) {
    const ::ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      fail("cannot write", errno);
    }
  }
}

void OutputFile::fail(std::string_view what, int reason) {
  failed_ = reason;
  throw OutputError(path_, what, std::error_code(reason, std::generic_category()));
}

}  // namespace fenceline

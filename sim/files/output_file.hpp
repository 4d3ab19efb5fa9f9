// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

namespace fenceline {

/// Output that could not be written: "out/trace.json: cannot write: No space left on device".
class OutputError : public std::system_error {
 public:
  /// `what` says what could not be done, as in "cannot write".
  OutputError(const std::filesystem::path& path, std::string_view what, std::error_code reason)
      : std::system_error(reason, fmt::format("{}: {}", path.string(), what)), path_(path) {}
  const std::filesystem::path& path() const { return path_; }  ///< of the file

 private:
  std::filesystem::path path_;
};

/// Bytes that files may have together. More throws OutputError, which says so.
struct OutputBudget {
  std::uint64_t limit_bytes = 0;    ///< of all of them together
  std::uint64_t written_bytes = 0;  ///< so far
  /// A file that has met an error takes the rest and drops it; close() throws. For whoever writes where nothing may be
  /// thrown.
  bool errors_wait = false;
};

/// A file that is written from front to back through a buffer. Every error throws OutputError, at the latest in
/// close(); after the first one each further flush throws the same. Without close() the end of the file is missing:
/// the destructor could not tell of an error, so it writes nothing.
class OutputFile {
 public:
  /// Creates the file, or empties it. With a budget, which outlives it, what it writes counts there.
  explicit OutputFile(std::filesystem::path path, OutputBudget* budget = nullptr);
  /// Writes to what is open already, and closes it; errors name `path`.
  OutputFile(std::filesystem::path path, int descriptor);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Never allocates.
  void append(std::string_view bytes);

  /// For a writer that formats in place: append one record here, then call end_record(). Records that fit in 64 KiB
  /// do not allocate.
  fmt::memory_buffer& buffer() { return buffer_; }
  /// What was appended to the buffer may go to the file.
  void end_record() {
    if (buffer_.size() >= flush_at) flush();
  }

  /// Hands everything to the operating system.
  void flush();
  /// Everything that was handed over so far survives a crash of the system.
  void sync();
  /// Ends the file; the second call does nothing.
  void close();

  /// As it was given.
  const std::filesystem::path& path() const { return path_; }

 private:
  static constexpr std::size_t flush_at = 256 * 1024;
  static constexpr std::size_t largest_record = 64 * 1024;

  void write(std::string_view bytes);
  void hand_over(std::string_view bytes);
  [[noreturn]] void fail(std::string_view what, int reason);

  std::filesystem::path path_;
  OutputBudget* budget_ = nullptr;
  fmt::memory_buffer buffer_;
  int descriptor_ = -1;
  int failed_ = 0;  ///< errno of the first error
  std::optional<OutputError> waiting_;
};

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

struct gzFile_s;

namespace fenceline {

/// A file from outside, read from front to back: a regular file, or `-` for standard input; compressed with gzip or
/// not. Whatever else (devices, FIFOs, directories), what cannot be read and what is longer than its limit is a
/// ConfigError that names it.
class InputFile {
 public:
  /// Bytes that a JSON document may have, unpacked.
  static constexpr std::uint64_t document_limit = std::uint64_t{256} << 20;
  /// Bytes that a recorded trace may have, unpacked: it is read piece by piece.
  static constexpr std::uint64_t trace_limit = std::uint64_t{16} << 30;

  explicit InputFile(const std::filesystem::path& path, std::uint64_t limit_bytes = document_limit);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// Unpacked bytes; 0: that was the end.
  std::size_t read(char* to, std::size_t most);
  /// What messages call it.
  const std::string& name() const { return name_; }
  /// Bytes as they are stored: read so far, and all (0 where nobody knows).
  std::uint64_t position() const;
  std::uint64_t size() const { return size_; }

 private:
  [[noreturn]] void refuse(const std::string& expected, const std::string& found) const;

  std::string name_;
  std::uint64_t limit_;
  std::uint64_t size_ = 0;
  std::uint64_t read_ = 0;
  gzFile_s* file_ = nullptr;
};

/// All of it.
std::string read_input(const std::filesystem::path& path, std::uint64_t limit_bytes = InputFile::document_limit);
/// Its first bytes, at most so many; nothing where it is not a regular file that can be read.
std::string first_bytes(const std::filesystem::path& path, std::size_t most);

/// The files that InputFile has opened in this process so far, and those that others noted, by their absolute paths:
/// what no output may take the place of. May be called from any thread.
std::vector<std::filesystem::path> files_read();
/// Of a file that is read otherwise.
void note_read(const std::filesystem::path& path);

}  // namespace fenceline

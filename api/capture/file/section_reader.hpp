// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/capture/file/capture_format.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace fenceline {

/// Gives the next bytes, at most so many; 0: that was the end.
using ReadBytes = std::function<std::size_t(char* to, std::size_t most)>;

/// Goes through the sections of a capture from front to back. Takes memory as bytes come, never for what is only said
/// to come. Damage is a ConfigError that names section and place; an end where none should be is not.
class SectionReader {
 public:
  /// Reads the file's header. `file` is its name in errors.
  SectionReader(ReadBytes read, std::string file);

  enum class Next { section, end, cut };
  /// The next section's header. end: the file ends here; cut: it ends within the header.
  Next next();
  /// The header that was read last.
  const SectionHeader& section() const { return section_; }
  /// Its payload as it is stored, of at most most_section_bytes in full. False: the file ends within it.
  bool read(std::string& stored);
  /// Reads and checks its payload, of any length, but keeps nothing. False: the file ends within it.
  bool skip();
  /// What was stored, in full, or the first bytes of it.
  std::string full(const std::string& stored, std::uint64_t most = most_section_bytes) const;

  std::uint16_t minor() const { return minor_; }                ///< of the file's version
  std::uint64_t number() const { return number_; }              ///< of the section, from 1 on
  std::uint64_t section_offset() const { return at_section_; }  ///< where its header begins
  std::uint64_t offset() const { return offset_; }              ///< how much was read
  const std::string& file() const { return file_; }             ///< as it was named

  /// "section 3 (LIST, at byte 812)".
  std::string place() const;
  /// Throws what is wrong with the section.
  [[noreturn]] void refuse(const std::string& expected, const std::string& found) const;

 private:
  std::size_t read_some(char* to, std::size_t count);
  void check_payload(std::uint64_t found) const;
  void check_header() const;

  ReadBytes read_;
  std::string file_;
  std::uint16_t minor_ = 0;
  SectionHeader section_;
  std::uint64_t number_ = 0;
  std::uint64_t at_section_ = 0;
  std::uint64_t offset_ = 0;
};

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/files/output_file.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace fenceline {

/// Text of any length on its way into a page: deflated (zlib's format, which browsers unpack) and in base64, so that
/// whatever it says means nothing to a reader of HTML. Memory does not grow with it.
class PackedText {
 public:
  explicit PackedText(OutputFile& file);
  ~PackedText();
  PackedText(const PackedText&) = delete;
  PackedText& operator=(const PackedText&) = delete;

  /// Goes to the file sooner or later.
  void append(std::string_view text);
  /// All of it has been appended: the rest goes to the file.
  void finish();

 private:
  class Deflater;
  void write(std::string_view bytes);

  OutputFile& file_;
  std::unique_ptr<Deflater> deflater_;
  std::string left_;  ///< bytes that are no three yet
};

}  // namespace fenceline

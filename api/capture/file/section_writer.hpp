// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/capture/file/capture_format.hpp"
#include "sim/files/output_file.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

struct ZSTD_CCtx_s;

namespace fenceline {

/// Appends sections to a file, behind the header that it begins with.
class SectionWriter {
 public:
  /// The file is empty, and outlives the writer.
  explicit SectionWriter(OutputFile& file);

  /// The payload is compressed where that makes it shorter. At most most_section_bytes, else OutputError.
  void append(std::string_view type, std::string_view payload, std::uint32_t flags = 0);
  /// Of each type so far.
  const std::map<std::string, std::uint64_t>& counts() const { return counts_; }

 private:
  struct Free {
    void operator()(ZSTD_CCtx_s* context) const;
  };

  OutputFile& file_;
  std::unique_ptr<ZSTD_CCtx_s, Free> context_;
  std::string compressed_;
  std::uint64_t offset_ = 0;
  std::map<std::string, std::uint64_t> counts_;
};

}  // namespace fenceline

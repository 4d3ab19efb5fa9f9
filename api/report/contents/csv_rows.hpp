// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/files/input_file.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace fenceline {

/// A file of comma-separated values, row by row; a quoted field may have line breaks.
class CsvRows {
 public:
  explicit CsvRows(const std::filesystem::path& file) : input_(file, InputFile::trace_limit) {}

  /// The next row; false: there is none.
  bool next(std::vector<std::string>& row) {
    row.assign(1, "");
    bool quoted = false;
    for (int c = get(); c != end; c = get()) {
      if (c == '"' && quoted && peek() == '"') {
        row.back() += static_cast<char>(get());
      } else if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        row.emplace_back();
      } else if (c == '\n' && !quoted) {
        return true;
      } else {
        row.back() += static_cast<char>(c);
      }
    }
    return row.size() > 1;
  }

 private:
  static constexpr int end = -1;
  int peek() {
    if (at_ == piece_.size()) {
      piece_.resize(1 << 16);
      piece_.resize(input_.read(piece_.data(), piece_.size()));
      at_ = 0;
    }
    return piece_.empty() ? end : static_cast<unsigned char>(piece_[at_]);
  }
  int get() {
    const int c = peek();
    if (c != end) ++at_;
    return c;
  }

  InputFile input_;
  std::string piece_;
  std::size_t at_ = 0;
};

}  // namespace fenceline

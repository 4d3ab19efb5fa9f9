// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/files/output_file.hpp"

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace fenceline {

/// Throws OutputError where a WholeFile would: to say so before long work. Leaves nothing behind.
void check_output(const std::filesystem::path& target, const std::vector<std::filesystem::path>& inputs = {});

/// A file at a place that the user named, whole or not at all: written beside its place under a name that nobody can
/// foresee, with commit() in its place and on the disk; without commit() it never was. What is there already is
/// replaced only if it is a regular file, whose permissions the new one gets; where a symbolic link leads is its place.
/// `-` is standard output; that, FIFOs and character devices are written to directly. Everything else, and a place
/// where one of `inputs` is read from, throws OutputError.
class WholeFile {
 public:
  explicit WholeFile(const std::filesystem::path& target, const std::vector<std::filesystem::path>& inputs = {});
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  OutputFile& content() { return *content_; }
  /// It is in its place from now on, with what was written so far: what is flushed later is there at once, and stays
  /// there without commit().
  void place();
  void commit();

 private:
  void open_directly(int opened);
  void open_beside(const std::optional<unsigned>& permissions);
  void rename_into_place();

  std::filesystem::path target_;
  std::filesystem::path temporary_;  ///< empty: written directly, or in its place
  bool placed_ = false;              ///< by place()
  std::optional<OutputFile> content_;
};

/// Writes a WholeFile with that text and commits it.
void write_whole_file(const std::filesystem::path& target, std::string_view text,
                      const std::vector<std::filesystem::path>& inputs = {});

}  // namespace fenceline

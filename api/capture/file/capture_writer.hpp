// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/capture/file/capture_format.hpp"
#include "api/capture/file/section_writer.hpp"
#include "sim/files/output_file.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fenceline {

/// Writes a capture from front to back, as work is submitted. What was flushed is in the file whatever becomes of the
/// process: a WholeFile that is in its place from the start (`WholeFile::place`) is then readable up to there. Errors
/// throw OutputError, at the latest where the file is closed.
class CaptureWriter {
 public:
  enum class Timeline : std::uint8_t { queue, cpu };
  /// Whoever flushes with each submission stops after so many, for a capture has only so many sections.
  static constexpr std::uint64_t most_flushes = most_sections / 3;

  /// Begins with the workload, whose `command_lists` and `timeline`s are arrays where something is added to them later,
  /// and the machine that it is taken on, or null. The file is empty, and outlives the writer.
  CaptureWriter(OutputFile& file, const nlohmann::json& workload, const nlohmann::json& machine);

  /// Elements of the workload's arrays, such as resources that came later.
  void add_objects(const nlohmann::json& arrays);
  /// A command list or bundle.
  void add_list(const nlohmann::json& list);
  /// The same in CBOR: a command list, or an array of commands that continues the one before it.
  void add_list_item(std::string_view cbor);
  /// Further steps of a queue or CPU thread, by its place in the workload.
  void add_steps(Timeline timeline, std::size_t index, const nlohmann::json& steps);
  /// Bytes by name, such as a resource's content; those of one name come one behind the other.
  void add_blob(std::string_view name, std::string_view bytes);
  /// What was added is in the file, the lists before the steps.
  void flush();
  /// The capture is whole. Nothing is added any more; the file is not closed.
  void finish();

 private:
  /// An array in CBOR whose length is not known yet.
  struct Pending {
    std::string items;  // behind room for its beginning
    std::uint64_t count = 0;
  };
  static std::string& items_of(Pending& pending);
  void add(Pending& pending, const nlohmann::json& item);
  void added(Pending& pending);
  void write(std::string_view type, Pending& pending);
  void write_pending();

  OutputFile& file_;
  SectionWriter sections_;
  Pending lists_;
  Pending steps_;
};

}  // namespace fenceline

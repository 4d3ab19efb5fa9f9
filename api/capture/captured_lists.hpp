// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/capture/captured_execution.hpp"
#include "api/capture/captured_outcomes.hpp"
#include "api/capture/file/capture_writer.hpp"
#include "api/queue_rules.hpp"
#include "engines/command/command.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fenceline {

/// A name that is not among those, as near to the wanted one as can be. It is among them from then on.
std::string unique_name(const std::string& wanted, std::set<std::string>& names);

/// Of a command list: its commands, bundles among them.
struct CapturedPiece {
  std::string commands;
  std::size_t count = 0;
  /// Keeps its memory.
  void clear() {
    commands.clear();
    count = 0;
  }
};

/// The command lists of a capture, and their pipeline states. A list is written when it is executed first; one that
/// says the same as another is that one.
class CapturedLists {
 public:
  /// The writer outlives this.
  explicit CapturedLists(CaptureWriter& writer) : writer_(writer) {}

  /// The list's name in the capture, where it is from now on.
  std::string name_of(const CapturedExecution& execution);
  bool mixed() const { return mixed_; }  ///< in a list so far draws of one ExecuteIndirect had several pipeline states

 private:
  struct PipelineNames {
    std::vector<std::string> compute;
    std::vector<std::string> graphics;
  };
  std::string name_of(const CommandStream& stream, CommandListType type, const CapturedOutcomes& outcomes);
  PipelineNames pipelines_of(const CommandStream& stream);
  std::map<std::size_t, std::string> variants_of(const CapturedOutcomes& outcomes);
  template <class Info, class Pipeline>
  std::string pipeline(const char* key, const Pipeline& pipeline,
                       std::map<std::string, std::size_t>* in_list = nullptr);

  CaptureWriter& writer_;
  std::map<CapturedListKey, std::string> known_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> by_content_;  // by two checks of it
  /// By what they say, and which of those alike in their list they are.
  std::map<std::pair<std::string, std::size_t>, std::string> pipelines_;
  std::vector<std::string> bundles_;  // to be written behind the list that executes them
  std::set<std::string> list_names_;
  std::set<std::string> pipeline_names_;
  bool mixed_ = false;
  CapturedPiece piece_;  // of the list that is being written, and what is written of it: memory costs more than bytes
  std::string item_;
};

}  // namespace fenceline

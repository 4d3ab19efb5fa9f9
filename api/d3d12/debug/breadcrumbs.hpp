// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"
#include "engines/command/command.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fenceline::d3d12 {

/// The operation that a method of a command list leaves as a breadcrumb; none for one that only sets state.
std::optional<D3D12_AUTO_BREADCRUMB_OP> breadcrumb_op(std::string_view method);

/// What a list does, operation by operation, and how far the GPU has come with it: DRED's automatic breadcrumbs.
class Breadcrumbs {
 public:
  /// The text of a marker, and the number of the operation that has it.
  struct Context {
    UINT operation;
    std::wstring text;
  };

  /// Only SetMarker, BeginEvent and EndEvent are recorded with `markers_only`.
  explicit Breadcrumbs(bool markers_only) : markers_only_(markers_only) {}

  void clear();
  /// The method is called; its commands, if it has any, come from index `command` of the stream on.
  void add(std::string_view method, std::size_t command);
  void add_context(std::wstring text);

  /// The stream is to be executed, from its beginning.
  void begin(const CommandStream& stream);
  /// The command at this index is complete, or skipped.
  void complete(std::size_t command);
  void complete_all() { completed_ = static_cast<UINT>(operations_.size()); }

  const std::vector<D3D12_AUTO_BREADCRUMB_OP>& operations() const { return operations_; }
  const std::vector<Context>& contexts() const { return contexts_; }
  /// So many operations, from the first one on, are complete.
  UINT completed() const { return completed_; }

 private:
  bool markers_only_;
  std::vector<D3D12_AUTO_BREADCRUMB_OP> operations_;
  std::vector<std::size_t> first_commands_;  // of each operation
  std::vector<Context> contexts_;
  std::vector<bool> settled_;  // by command: complete, or of a kind whose end nobody tells
  std::size_t next_ = 0;       // the first command that is not
  UINT completed_ = 0;
};

}  // namespace fenceline::d3d12

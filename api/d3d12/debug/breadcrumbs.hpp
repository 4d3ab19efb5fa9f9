// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fenceline::d3d12 {

/// The operation that a method of a command list leaves as a breadcrumb; none for one that only sets state.
std::optional<D3D12_AUTO_BREADCRUMB_OP> breadcrumb_op(std::string_view method);

/// What a list does, operation by operation: DRED's automatic breadcrumbs. How far the GPU has come with it is a
/// BreadcrumbProgress.
class Breadcrumbs {
 public:
  /// The text of a marker, and the number of the operation that has it.
  struct Context {
    UINT operation;
    std::wstring text;
  };

  /// Only SetMarker, BeginEvent and EndEvent are recorded with `markers_only`.
  explicit Breadcrumbs(bool markers_only) : markers_only_(markers_only) {}

  /// The method is called; its commands, if it has any, come from index `command` of the stream on.
  void add(std::string_view method, std::size_t command);
  void add_context(std::wstring text);

  const std::vector<D3D12_AUTO_BREADCRUMB_OP>& operations() const { return operations_; }
  /// Of each operation the index of its first command.
  const std::vector<std::size_t>& first_commands() const { return first_commands_; }
  const std::vector<Context>& contexts() const { return contexts_; }

 private:
  bool markers_only_;
  std::vector<D3D12_AUTO_BREADCRUMB_OP> operations_;
  std::vector<std::size_t> first_commands_;
  std::vector<Context> contexts_;
};

}  // namespace fenceline::d3d12

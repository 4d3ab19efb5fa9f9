// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"
#include "api/d3d12/debug/breadcrumbs.hpp"
#include "engines/command/command.hpp"

#include <cstddef>
#include <vector>

namespace fenceline::d3d12 {

/// How far one execution of a list has come with its breadcrumbs.
class BreadcrumbProgress {
 public:
  /// Both outlive it.
  BreadcrumbProgress(const Breadcrumbs& breadcrumbs, const CommandStream& stream);

  const Breadcrumbs& breadcrumbs() const { return breadcrumbs_; }
  /// The command at this index is complete, or skipped.
  void complete(std::size_t command);
  void complete_all() { completed_ = static_cast<UINT>(breadcrumbs_.operations().size()); }
  /// So many operations, from the first one on, are complete.
  UINT completed() const { return completed_; }

 private:
  const Breadcrumbs& breadcrumbs_;
  std::vector<bool> settled_;  // by command: complete, or of a kind whose end nobody tells
  std::size_t next_ = 0;       // the first command that is not
  UINT completed_ = 0;
};

}  // namespace fenceline::d3d12

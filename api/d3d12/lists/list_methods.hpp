// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"

#include <cstdint>

namespace fenceline::d3d12 {

/// Which types of command list a method may be called on. Source: D3D12's table of command list API restrictions
/// ("Recording command lists and bundles").
class MethodLists {
 public:
  constexpr MethodLists(bool direct, bool compute, bool copy, bool bundle) : types_{direct, bundle, compute, copy} {}
  /// By D3D12_COMMAND_LIST_TYPE.
  constexpr bool contains(D3D12_COMMAND_LIST_TYPE type) const { return type >= 0 && type < 4 && types_[type]; }

 private:
  bool types_[4];
};

constexpr MethodLists everywhere{true, true, true, true};
constexpr MethodLists not_in_bundles{true, true, true, false};
constexpr MethodLists direct_and_compute{true, true, false, false};
constexpr MethodLists not_in_copies{true, true, false, true};
constexpr MethodLists direct_and_bundle{true, false, false, true};
constexpr MethodLists direct_only{true, false, false, false};

}  // namespace fenceline::d3d12

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"
#include "bgproc/pgo/pipeline_profile.hpp"

#include <cstddef>
#include <vector>

namespace fenceline::d3d12 {

/// Root constants that a list has bound for one kind of pipeline state, as far as drivers tell them apart.
class RootConstants {
 public:
  /// Another root signature unbinds them; the same one does not.
  void set_signature(const ID3D12RootSignature* signature);
  /// Nothing is bound where there are no values, or more than a root signature can have (D3D12_MAX_ROOT_COST).
  void set(UINT parameter, UINT count, const void* values, UINT at);
  /// What a bundle has set counts from then on; all else stays.
  void take(const RootConstants& bundle);
  /// A number for all values that are bound; 0: none is.
  ConstantsKey key();

 private:
  struct Value {
    UINT parameter;
    UINT at;
    UINT value;
  };
  const ID3D12RootSignature* signature_ = nullptr;
  std::vector<Value> values_;  // by parameter and place
  ConstantsKey key_ = 0;
  bool changed_ = false;  // since key_ was worked out
};

/// What a list has bound.
struct BoundConstants {
  RootConstants graphics;
  RootConstants compute;
  RootConstants& of(bool dispatches) { return dispatches ? compute : graphics; }
  const RootConstants& of(bool dispatches) const { return dispatches ? compute : graphics; }
};

}  // namespace fenceline::d3d12

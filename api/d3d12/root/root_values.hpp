// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fenceline::d3d12 {

/// 32-bit values of root parameters that a list has bound for one kind of pipeline state, as far as drivers tell them
/// apart: of root constants, or of what descriptors point to.
class RootValues {
 public:
  void clear();
  bool empty() const { return values_.empty(); }
  /// Nothing is bound where there are no values, or more than a root signature can have (D3D12_MAX_ROOT_COST).
  void set(UINT parameter, UINT count, const void* values, UINT at);
  /// What a bundle has set counts from then on; all else stays.
  void take(const RootValues& bundle);
  /// A number for all values that are bound; 0: none is.
  std::uint64_t key();

 private:
  struct Value {
    UINT parameter;
    UINT at;
    UINT value;
  };
  std::vector<Value> values_;  // by parameter and place
  std::uint64_t key_ = 0;
  bool changed_ = false;  // since key_ was worked out
};

/// Root arguments that a list has bound for one kind of pipeline state.
struct RootArguments {
  RootValues constants;
  RootValues descriptors;  ///< addresses of root descriptors and handles of tables: not what tables say
  /// Another root signature unbinds them; the same one does not.
  void set_signature(const ID3D12RootSignature* of_list);
  /// A root descriptor or a table.
  void set_descriptor(UINT parameter, std::uint64_t where) { descriptors.set(parameter, 2, &where, 0); }
  void take(const RootArguments& bundle);

  const ID3D12RootSignature* signature = nullptr;
};

/// What a list has bound.
struct BoundArguments {
  RootArguments graphics;
  RootArguments compute;
  RootArguments& of(bool dispatches) { return dispatches ? compute : graphics; }
  const RootArguments& of(bool dispatches) const { return dispatches ? compute : graphics; }
};

/// Root constants that the arguments of an ExecuteIndirect set, beside those that are bound.
struct IndirectConstants {
  /// D3D12_INDIRECT_ARGUMENT_TYPE_CONSTANT.
  struct Argument {
    UINT parameter;
    UINT at;
    UINT count;
    std::uint32_t offset;  ///< in a command's arguments, bytes
  };
  std::vector<Argument> arguments;
  RootValues bound;
  /// Of a command with these arguments.
  std::uint64_t key(const std::byte* command) const;
};

}  // namespace fenceline::d3d12

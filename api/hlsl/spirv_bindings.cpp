// SPDX-License-Identifier: Apache-2.0
#include "api/hlsl/spirv_bindings.hpp"

#include <algorithm>
#include <glslang/SPIRV/spirv.hpp>
#include <optional>
#include <set>

namespace fenceline::d3d12 {
namespace {

/// The pointers that instructions of functions begin at.
std::set<std::uint32_t> accessed_pointers(const SpirvModule& module) {
  std::set<std::uint32_t> found;
  for (const SpirvInstruction& one : module.instructions()) {
    switch (one.opcode) {
      case spv::OpStore:
      case spv::OpAtomicStore: found.insert(one.at(1)); break;
      case spv::OpFunctionCall:
        for (std::uint32_t i = 4; i < one.count; ++i) found.insert(one.at(i));
        break;
      case spv::OpCopyMemory:
        found.insert(one.at(1));
        found.insert(one.at(2));
        break;
      case spv::OpLoad:
      case spv::OpAccessChain:
      case spv::OpInBoundsAccessChain:
      case spv::OpPtrAccessChain:
      case spv::OpImageTexelPointer:
      case spv::OpCopyObject:
      case spv::OpArrayLength: found.insert(one.at(3)); break;
      default:
        if (one.opcode >= spv::OpAtomicLoad && one.opcode <= spv::OpAtomicXor) found.insert(one.at(3));
    }
  }
  return found;
}

/// A variable's type without the pointer and arrays, and how many of it there are; 0: not known.
struct Resource {
  const SpirvInstruction* type = nullptr;
  std::uint32_t count = 1;
};

Resource resource_of(const SpirvModule& module, const SpirvInstruction& variable) {
  Resource resource;
  const SpirvInstruction* const pointer = module.definition(variable.at(1));
  resource.type = pointer != nullptr ? module.definition(pointer->at(3)) : nullptr;
  constexpr int deepest = 8;
  for (int depth = 0; depth < deepest && resource.type != nullptr; ++depth) {
    if (resource.type->opcode == spv::OpTypeRuntimeArray) {
      resource.count = 0;
    } else if (resource.type->opcode == spv::OpTypeArray) {
      resource.count *= module.constant(resource.type->at(3));
    } else {
      break;
    }
    resource.type = module.definition(resource.type->at(2));
  }
  return resource;
}

std::optional<D3D12_DESCRIPTOR_RANGE_TYPE> kind_of(const SpirvModule& module, const SpirvInstruction& variable,
                                                   const SpirvInstruction& type) {
  constexpr std::uint32_t storage_image = 2;  // the word "sampled" of an image type
  switch (type.opcode) {
    case spv::OpTypeSampler: return D3D12_DESCRIPTOR_RANGE_TYPE_SAMPLER;
    case spv::OpTypeImage:
      return type.at(7) == storage_image ? D3D12_DESCRIPTOR_RANGE_TYPE_UAV : D3D12_DESCRIPTOR_RANGE_TYPE_SRV;
    case spv::OpTypeSampledImage:
    case spv::OpTypeAccelerationStructureKHR: return D3D12_DESCRIPTOR_RANGE_TYPE_SRV;
    case spv::OpTypeStruct: {
      const SpirvDecorations of_type = module.decorations(type.at(1));
      if (variable.at(3) == spv::StorageClassUniform && !of_type.buffer_block) return D3D12_DESCRIPTOR_RANGE_TYPE_CBV;
      const bool read_only = of_type.read_only || module.decorations(variable.at(2)).read_only;
      return read_only ? D3D12_DESCRIPTOR_RANGE_TYPE_SRV : D3D12_DESCRIPTOR_RANGE_TYPE_UAV;
    }
    default: return {};
  }
}

bool is_resource_class(std::uint32_t storage) {
  return storage == spv::StorageClassUniformConstant || storage == spv::StorageClassUniform ||
         storage == spv::StorageClassStorageBuffer;
}

/// The counter of an append or consume buffer, which HLSL gives no register.
bool is_counter(const std::string& name) {
  constexpr std::size_t length = 6;
  return name.size() >= length && name.compare(name.size() - length, length, "@count") == 0;
}

bool overlap(const ShaderBinding& one, const ShaderBinding& other) {
  return one.kind == other.kind && one.space == other.space && one.first <= other.last && other.first <= one.last;
}

std::uint32_t last_of(std::uint32_t first, std::uint32_t count) {
  if (count == 0 || count - 1 > ShaderBinding::unbounded - first) return ShaderBinding::unbounded;
  return first + count - 1;
}

/// Puts it behind those of its kind that are in its way.
void find_room(ShaderBinding& binding, std::uint32_t count, const std::vector<ShaderBinding>& taken) {
  for (bool moved = true; moved;) {
    moved = false;
    for (const ShaderBinding& other : taken) {
      if (!overlap(binding, other) || other.last == ShaderBinding::unbounded) continue;
      binding.first = other.last + 1;
      binding.last = last_of(binding.first, count);
      moved = true;
    }
  }
}

}  // namespace

std::vector<ShaderBinding> spirv_bindings(const SpirvModule& module, const DeclaredResources& declared) {
  struct Floating {
    std::size_t at;  ///< among the bindings
    std::uint32_t count;
  };
  const std::set<std::uint32_t> accessed = accessed_pointers(module);
  std::vector<ShaderBinding> all;
  std::vector<ShaderBinding> placed;
  std::vector<Floating> floating;
  for (const SpirvInstruction& variable : module.instructions()) {
    if (variable.opcode != spv::OpVariable || !is_resource_class(variable.at(3))) continue;
    const std::uint32_t id = variable.at(2);
    if (accessed.count(id) == 0 || is_counter(module.name(id))) continue;
    Resource resource = resource_of(module, variable);
    if (resource.type == nullptr) continue;
    const std::string name = module.name(id).empty() ? module.name(resource.type->at(1)) : module.name(id);
    if (declared.unbounded.count(name) > 0) resource.count = 0;
    const auto kind = kind_of(module, variable, *resource.type);
    if (!kind) continue;
    const SpirvDecorations decorations = module.decorations(id);
    const bool has_register = declared.without_register.count(name) == 0;
    const std::uint32_t first = has_register ? decorations.binding : 0;
    const ShaderBinding binding{*kind, decorations.set, first, last_of(first, resource.count)};
    if (!has_register) {
      floating.push_back({all.size(), resource.count});
    } else if (std::any_of(placed.begin(), placed.end(), [&](const auto& one) { return overlap(one, binding); })) {
      continue;  // another name for the same registers
    } else {
      placed.push_back(binding);
    }
    all.push_back(binding);
  }
  for (const Floating& one : floating) {
    find_room(all[one.at], one.count, placed);
    placed.push_back(all[one.at]);
  }
  return all;
}

}  // namespace fenceline::d3d12

// SPDX-License-Identifier: Apache-2.0
#include "api/hlsl/spirv_cost.hpp"

#include <algorithm>
#include <glslang/SPIRV/GLSL.std.450.h>
#include <glslang/SPIRV/spirv.hpp>
#include <map>
#include <set>

namespace fenceline::d3d12 {
namespace {

/// What one component of an instruction costs.
struct Rate {
  std::uint32_t alu = 0;
  std::uint32_t sfu = 0;
};

/// Operations on numbers whose components each cost the same. Division is a reciprocal and a product; of integers the
/// usual sequence of a compiler: a reciprocal, conversions, two corrections.
Rate rate_of(std::uint16_t opcode) {
  constexpr Rate integer_division{12, 1};
  switch (opcode) {
    case spv::OpFDiv: return {1, 1};
    case spv::OpFRem:
    case spv::OpFMod: return {3, 1};
    case spv::OpUDiv:
    case spv::OpSDiv:
    case spv::OpUMod:
    case spv::OpSRem:
    case spv::OpSMod: return integer_division;
    case spv::OpIAddCarry:
    case spv::OpISubBorrow:
    case spv::OpUMulExtended:
    case spv::OpSMulExtended: return {2, 0};
    case spv::OpIAdd:
    case spv::OpFAdd:
    case spv::OpISub:
    case spv::OpFSub:
    case spv::OpIMul:
    case spv::OpFMul:
    case spv::OpVectorTimesScalar:
    case spv::OpMatrixTimesScalar:
    case spv::OpOuterProduct:
    case spv::OpSelect:
    case spv::OpBitFieldInsert:
    case spv::OpBitFieldSExtract:
    case spv::OpBitFieldUExtract:
    case spv::OpBitReverse:
    case spv::OpBitCount:
    case spv::OpArrayLength: return {1, 0};
    default: break;
  }
  const bool conversion = opcode >= spv::OpConvertFToU && opcode <= spv::OpQuantizeToF16;
  const bool comparison = opcode >= spv::OpLogicalEqual && opcode <= spv::OpFUnordGreaterThanEqual;
  const bool logical = opcode >= spv::OpIsNan && opcode <= spv::OpLessOrGreater;
  const bool bits = opcode >= spv::OpShiftRightLogical && opcode <= spv::OpNot;
  const bool derivative = opcode >= spv::OpDPdx && opcode <= spv::OpFwidthCoarse;
  const bool wave = opcode >= spv::OpGroupNonUniformElect && opcode <= spv::OpGroupNonUniformQuadSwap;
  if (conversion || comparison || logical || bits || derivative || wave) return {1, 0};
  return {};
}

/// Functions of GLSL.std.450 by component. Trigonometry reduces its argument once, powers of e change their base.
Rate rate_of_function(std::uint32_t function) {
  switch (function) {
    case GLSLstd450Sin:
    case GLSLstd450Cos: return {1, 1};
    case GLSLstd450Tan: return {2, 3};
    case GLSLstd450Exp2:
    case GLSLstd450Log2:
    case GLSLstd450Sqrt:
    case GLSLstd450InverseSqrt: return {0, 1};
    case GLSLstd450Exp:
    case GLSLstd450Log: return {1, 1};
    case GLSLstd450Pow: return {1, 2};
    case GLSLstd450Asin:
    case GLSLstd450Acos:
    case GLSLstd450Atan: return {10, 1};
    case GLSLstd450Atan2: return {14, 1};
    case GLSLstd450Sinh:
    case GLSLstd450Cosh: return {4, 2};
    case GLSLstd450Tanh: return {4, 3};
    case GLSLstd450Asinh:
    case GLSLstd450Acosh:
    case GLSLstd450Atanh: return {4, 2};
    case GLSLstd450Length:
    case GLSLstd450Distance: return {1, 0};   // and what add_function adds
    case GLSLstd450Normalize: return {2, 0};  // the same
    case GLSLstd450Reflect:
    case GLSLstd450FaceForward: return {2, 0};
    case GLSLstd450Refract: return {3, 0};
    case GLSLstd450Cross:
    case GLSLstd450FMix:
    case GLSLstd450FClamp:
    case GLSLstd450UClamp:
    case GLSLstd450SClamp:
    case GLSLstd450Step:
    case GLSLstd450Modf:
    case GLSLstd450ModfStruct: return {2, 0};
    case GLSLstd450SmoothStep: return {6, 1};
    case GLSLstd450FAbs:
    case GLSLstd450SAbs: return {};
    default: return {1, 0};
  }
}

class Counter {
 public:
  explicit Counter(const SpirvModule& module) : module_(module) { find_fused(); }

  SpirvCost count() {
    bool inside = false;
    for (const SpirvInstruction& one : module_.instructions()) {
      if (one.opcode == spv::OpFunction) inside = true;
      if (one.opcode == spv::OpFunctionEnd) inside = false;
      if (inside) add(one);
    }
    return cost_;
  }

 private:
  /// Finds the products that only go into sums, one for each sum.
  void find_fused() {
    std::map<std::uint32_t, std::uint32_t> uses;
    for (const SpirvInstruction& one : module_.instructions()) {
      for (std::uint32_t i = 1; i < end_of_ids(one); ++i) ++uses[one.words[i]];
    }
    for (const SpirvInstruction& one : module_.instructions()) {
      if (one.opcode != spv::OpFAdd && one.opcode != spv::OpFSub) continue;
      for (const std::uint32_t operand : {one.at(3), one.at(4)}) {
        const SpirvInstruction* const product = module_.definition(operand);
        constexpr std::uint32_t definition_and_use = 2;
        if (product == nullptr || !is_product(*product) || uses[operand] > definition_and_use) continue;
        fused_.insert(operand);
        break;
      }
    }
  }
  /// The words behind are numbers that may look like ids.
  static std::uint32_t end_of_ids(const SpirvInstruction& one) {
    constexpr std::uint32_t both_operands = 5;
    switch (one.opcode) {
      case spv::OpName:
      case spv::OpMemberName:
      case spv::OpDecorate:
      case spv::OpMemberDecorate: return 0;
      case spv::OpConstant:
      case spv::OpCompositeExtract: return std::min(one.count, both_operands - 1);
      case spv::OpCompositeInsert:
      case spv::OpVectorShuffle: return std::min(one.count, both_operands);
      default: return one.count;
    }
  }
  static bool is_product(const SpirvInstruction& one) {
    return one.opcode == spv::OpFMul || one.opcode == spv::OpVectorTimesScalar;
  }

  void add(const SpirvInstruction& one) {
    switch (one.opcode) {
      case spv::OpDot: cost_.alu += components_of(one.at(3)); break;
      case spv::OpMatrixTimesVector:
      case spv::OpVectorTimesMatrix: {
        const bool matrix_first = one.opcode == spv::OpMatrixTimesVector;
        cost_.alu += components_of(one.at(matrix_first ? 3 : 4));
        break;
      }
      case spv::OpMatrixTimesMatrix:
        cost_.alu += std::uint64_t{module_.components(one.at(1))} * rows_of(one.at(4));
        break;
      case spv::OpAny:
      case spv::OpAll: cost_.alu += components_of(one.at(3)); break;
      case spv::OpExtInst: add_function(one); break;
      case spv::OpLoad: add_access(one.at(3), module_.components(one.at(1))); break;
      case spv::OpStore: add_access(one.at(1), components_of(one.at(2))); break;
      case spv::OpBranchConditional:
      case spv::OpSwitch:
      case spv::OpLoopMerge:
      case spv::OpKill:
      case spv::OpControlBarrier:
      case spv::OpEmitVertex:
      case spv::OpEndPrimitive: ++cost_.alu; break;
      default: add_other(one);
    }
  }

  void add_other(const SpirvInstruction& one) {
    if (one.opcode >= spv::OpAtomicLoad && one.opcode <= spv::OpAtomicXor) return add_atomic(one);
    if (is_texture(one.opcode)) {
      ++cost_.memory;
      return;
    }
    if (one.opcode >= spv::OpImageQueryFormat && one.opcode <= spv::OpImageQuerySamples) {
      ++cost_.alu;
      return;
    }
    const Rate rate = rate_of(one.opcode);
    if (rate.alu + rate.sfu == 0 || fused_.count(one.at(2)) > 0) return;
    const std::uint64_t components = module_.components(one.at(1));
    cost_.alu += rate.alu * components;
    cost_.sfu += rate.sfu * components;
  }

  static bool is_texture(std::uint16_t opcode) {
    return (opcode >= spv::OpImageSampleImplicitLod && opcode <= spv::OpImageWrite) ||
           (opcode >= spv::OpImageSparseSampleImplicitLod && opcode <= spv::OpImageSparseRead);
  }

  void add_function(const SpirvInstruction& one) {
    const Rate rate = rate_of_function(one.at(4));
    const bool reduces = one.at(4) == GLSLstd450Length || one.at(4) == GLSLstd450Distance;
    const std::uint64_t components = reduces ? components_of(one.at(5)) : module_.components(one.at(1));
    cost_.alu += rate.alu * components;
    cost_.sfu += rate.sfu * components;
    if (reduces || one.at(4) == GLSLstd450Normalize) ++cost_.sfu;  // one root for all
    if (one.at(4) == GLSLstd450Distance) cost_.alu += components;
  }

  void add_access(std::uint32_t pointer, std::uint64_t components) {
    const auto storage = module_.storage_class(pointer);
    if (!storage) return;
    switch (*storage) {
      case spv::StorageClassWorkgroup: cost_.shared += components; break;
      case spv::StorageClassInput:
      case spv::StorageClassOutput: cost_.alu += components; break;
      case spv::StorageClassStorageBuffer: cost_.memory += (components + 3) / 4; break;
      case spv::StorageClassUniform:
        if (is_written(pointer)) cost_.memory += (components + 3) / 4;
        break;
      default: break;  // registers; descriptors; constants, which are operands
    }
  }

  /// Part of a buffer as SPIR-V before 1.3 marked it.
  bool is_written(std::uint32_t pointer) const {
    constexpr int deepest = 16;
    for (int depth = 0; depth < deepest; ++depth) {
      const SpirvInstruction* const one = module_.definition(pointer);
      if (one == nullptr || one->opcode == spv::OpVariable) break;
      pointer = one->at(3);
    }
    const SpirvInstruction* const variable = module_.definition(pointer);
    const SpirvInstruction* const type = variable != nullptr ? module_.definition(variable->at(1)) : nullptr;
    return type != nullptr && module_.decorations(type->at(3)).buffer_block;
  }

  void add_atomic(const SpirvInstruction& one) {
    const std::uint32_t pointer = one.at(one.opcode == spv::OpAtomicStore ? 1 : 3);
    ++cost_.alu;
    const auto storage = module_.storage_class(pointer);
    ++(storage && *storage == spv::StorageClassWorkgroup ? cost_.shared : cost_.memory);
  }

  std::uint64_t components_of(std::uint32_t value) const {
    const SpirvInstruction* const defined = module_.definition(value);
    return defined != nullptr ? module_.components(defined->at(1)) : 1;
  }
  /// Of a matrix: the components of a column.
  std::uint64_t rows_of(std::uint32_t matrix) const {
    const SpirvInstruction* const defined = module_.definition(matrix);
    const SpirvInstruction* const type = defined != nullptr ? module_.definition(defined->at(1)) : nullptr;
    return type != nullptr && type->opcode == spv::OpTypeMatrix ? module_.components(type->at(2)) : 1;
  }

  const SpirvModule& module_;
  std::set<std::uint32_t> fused_;
  SpirvCost cost_;
};

}  // namespace

SpirvCost spirv_cost(const SpirvModule& module) { return Counter(module).count(); }

}  // namespace fenceline::d3d12

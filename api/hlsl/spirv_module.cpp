// SPDX-License-Identifier: Apache-2.0
#include "api/hlsl/spirv_module.hpp"

#include <algorithm>
#include <glslang/SPIRV/spirv.hpp>

namespace fenceline::d3d12 {
namespace {

constexpr std::size_t header_words = 5;

/// Null-terminated characters, four a word.
std::string text_of(const SpirvInstruction& instruction, std::uint32_t from) {
  std::string text;
  for (std::uint32_t i = from; i < instruction.count; ++i) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
      const auto c = static_cast<char>(instruction.words[i] >> shift & 0xFF);
      if (c == '\0') return text;
      text.push_back(c);
    }
  }
  return text;
}

}  // namespace

SpirvModule::SpirvModule(const std::vector<std::uint32_t>& words) {
  for (std::size_t at = header_words; at < words.size();) {
    const std::uint32_t count = words[at] >> 16;
    if (count == 0 || count > words.size() - at) return;
    const SpirvInstruction one{static_cast<std::uint16_t>(words[at] & 0xFFFF), &words[at], count};
    bool has_result = false;
    bool has_type = false;
    spv::HasResultAndType(static_cast<spv::Op>(one.opcode), &has_result, &has_type);
    if (has_result) definitions_[one.at(has_type ? 2 : 1)] = instructions_.size();
    if (one.opcode == spv::OpName) names_[one.at(1)] = text_of(one, 2);
    read_decoration(one);
    instructions_.push_back(one);
    at += count;
  }
}

void SpirvModule::read_decoration(const SpirvInstruction& instruction) {
  if (instruction.opcode == spv::OpMemberDecorate && instruction.at(3) == spv::DecorationNonWritable) {
    decorations_[instruction.at(1)].read_only = true;
  }
  if (instruction.opcode != spv::OpDecorate) return;
  SpirvDecorations& to = decorations_[instruction.at(1)];
  switch (instruction.at(2)) {
    case spv::DecorationBinding: to.binding = instruction.at(3); break;
    case spv::DecorationDescriptorSet: to.set = instruction.at(3); break;
    case spv::DecorationBufferBlock: to.buffer_block = true; break;
    case spv::DecorationNonWritable: to.read_only = true; break;
    default: break;
  }
}

const SpirvInstruction* SpirvModule::definition(std::uint32_t id) const {
  const auto found = definitions_.find(id);
  return found == definitions_.end() ? nullptr : &instructions_[found->second];
}

SpirvDecorations SpirvModule::decorations(std::uint32_t id) const {
  const auto found = decorations_.find(id);
  return found == decorations_.end() ? SpirvDecorations{} : found->second;
}

std::string SpirvModule::name(std::uint32_t id) const {
  const auto found = names_.find(id);
  return found == names_.end() ? std::string() : found->second;
}

std::optional<std::uint32_t> SpirvModule::storage_class(std::uint32_t pointer) const {
  const SpirvInstruction* const value = definition(pointer);
  const SpirvInstruction* const type = value != nullptr ? definition(value->at(1)) : nullptr;
  if (type == nullptr || type->opcode != spv::OpTypePointer) return {};
  return type->at(2);
}

std::uint32_t SpirvModule::constant(std::uint32_t id) const {
  const SpirvInstruction* const value = definition(id);
  return value != nullptr && value->opcode == spv::OpConstant ? value->at(3) : 0;
}

std::uint32_t SpirvModule::components(std::uint32_t type, unsigned depth) const {
  constexpr unsigned deepest = 16;
  constexpr std::uint32_t most = 4096;
  const SpirvInstruction* const defined = definition(type);
  if (defined == nullptr || depth > deepest) return 1;
  std::uint64_t sum = 1;
  switch (defined->opcode) {
    case spv::OpTypeVector: sum = defined->at(3); break;
    case spv::OpTypeMatrix: sum = std::uint64_t{defined->at(3)} * components(defined->at(2), depth + 1); break;
    case spv::OpTypeArray: sum = std::uint64_t{constant(defined->at(3))} * components(defined->at(2), depth + 1); break;
    case spv::OpTypeStruct:
      sum = 0;
      for (std::uint32_t i = 2; i < defined->count && sum < most; ++i) sum += components(defined->at(i), depth + 1);
      break;
    default: break;
  }
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(sum, 1, most));
}

}  // namespace fenceline::d3d12

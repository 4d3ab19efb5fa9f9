// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fenceline::d3d12 {

/// One instruction of SPIR-V: its opcode and its words, the first of which holds opcode and length.
struct SpirvInstruction {
  std::uint16_t opcode = 0;
  const std::uint32_t* words = nullptr;
  std::uint32_t count = 0;

  /// 0 for a word that it does not have.
  std::uint32_t at(std::uint32_t index) const { return index < count ? words[index] : 0; }
};

/// Decorations that say where a resource is bound and what it is.
struct SpirvDecorations {
  std::uint32_t binding = 0;
  std::uint32_t set = 0;
  bool buffer_block = false;  ///< how buffers that can be written were marked before SPIR-V 1.3
  bool read_only = false;     ///< of a struct: a member, and glslang marks all or none
};

/// The tables of a module that bindings and costs are read from. Refers to the words it was made of.
class SpirvModule {
 public:
  /// A module whose instructions do not lie within its words ends at the first of them.
  explicit SpirvModule(const std::vector<std::uint32_t>& words);

  const std::vector<SpirvInstruction>& instructions() const { return instructions_; }
  /// The instruction that defines an id, or null.
  const SpirvInstruction* definition(std::uint32_t id) const;
  SpirvDecorations decorations(std::uint32_t id) const;
  std::string name(std::uint32_t id) const;
  /// The pointer's storage class; nothing for what is no pointer.
  std::optional<std::uint32_t> storage_class(std::uint32_t pointer) const;
  /// The value of an integer constant; 0 for what is none.
  std::uint32_t constant(std::uint32_t id) const;
  /// The components of a type: of a vector its own, of a matrix, an array and a struct those of all parts, of the
  /// rest 1. At most 4096.
  std::uint32_t components(std::uint32_t type) const { return components(type, 0); }

 private:
  std::uint32_t components(std::uint32_t type, unsigned depth) const;
  void read_decoration(const SpirvInstruction& instruction);

  std::vector<SpirvInstruction> instructions_;
  std::map<std::uint32_t, std::size_t> definitions_;
  std::map<std::uint32_t, SpirvDecorations> decorations_;
  std::map<std::uint32_t, std::string> names_;
};

}  // namespace fenceline::d3d12

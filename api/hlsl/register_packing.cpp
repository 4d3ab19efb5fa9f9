// SPDX-License-Identifier: Apache-2.0
#include "api/hlsl/register_packing.hpp"

#include "api/d3d12/shaders/pipeline_linkage.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace fenceline::d3d12 {
namespace {

constexpr std::uint32_t registers = 32;
constexpr std::uint32_t columns = 4;

/// Within a register from left to right.
enum class Rank : std::uint8_t { own, system, made };

bool is_any(const DeclaredElement& element, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(), [&](const char* name) { return same_semantic(element.name, name); });
}

bool is_clip(const DeclaredElement& element) { return is_any(element, {"SV_ClipDistance", "SV_CullDistance"}); }
bool is_factor(const DeclaredElement& element) { return is_any(element, {"SV_TessFactor", "SV_InsideTessFactor"}); }

Rank rank_of(const DeclaredElement& element) {
  if (is_any(element, {"SV_IsFrontFace", "SV_SampleIndex", "SV_PrimitiveID"})) return Rank::made;
  if (is_factor(element) ||
      is_any(element, {"SV_Position", "SV_RenderTargetArrayIndex", "SV_ViewportArrayIndex", "SV_ShadingRate"})) {
    return Rank::system;
  }
  return Rank::own;
}

struct Register {
  std::array<std::optional<Rank>, columns> taken;
  std::optional<std::uint32_t> interpolation;
  bool indexed = false;  ///< holds a part of an array
  bool single = false;   ///< holds a system value, which stands beside no array
  bool closed = false;   ///< of clip and cull distances
};

bool fits(const Register& in, const DeclaredElement& element, std::uint32_t column) {
  const Rank rank = rank_of(element);
  const bool indexed = element.rows > 1;
  const bool single = rank != Rank::own && !is_factor(element);
  if (in.closed || (in.interpolation && *in.interpolation != element.interpolation)) return false;
  if ((in.indexed && single) || (in.single && indexed)) return false;
  for (std::uint32_t i = 0; i < columns; ++i) {
    if (!in.taken[i]) continue;
    if (i >= column && i < column + element.components) return false;
    if (i<column&& * in.taken[i]> rank) return false;
    if (i > column && *in.taken[i] < rank) return false;
  }
  return true;
}

void place(Register& in, const DeclaredElement& element, std::uint32_t column) {
  const Rank rank = rank_of(element);
  for (std::uint32_t i = column; i < column + element.components; ++i) in.taken[i] = rank;
  in.interpolation = element.interpolation;
  in.indexed = in.indexed || element.rows > 1;
  in.single = in.single || (rank != Rank::own && !is_factor(element));
}

struct Place {
  std::uint32_t reg = registers;
  std::uint32_t column = 0;
};

class Packer {
 public:
  Place add(const DeclaredElement& element) {
    if (element.components > columns) return {};
    if (is_clip(element)) return add_clip(element);
    // Factors that are an array stand on the right, so that others find room beside them.
    const std::uint32_t first = is_factor(element) && element.rows > 1 ? columns - 1 : 0;
    return find(element, first);
  }

 private:
  Place find(const DeclaredElement& element, std::uint32_t first_column) {
    for (std::uint32_t reg = 0; reg + element.rows <= registers; ++reg) {
      for (std::uint32_t column = first_column; column + element.components <= columns; ++column) {
        const auto end = registers_.begin() + reg + element.rows;
        if (!std::all_of(registers_.begin() + reg, end,
                         [&](const Register& in) { return fits(in, element, column); })) {
          continue;
        }
        std::for_each(registers_.begin() + reg, end, [&](Register& in) { place(in, element, column); });
        return {reg, column};
      }
    }
    return {};
  }

  /// Clip and cull distances fill registers of their own, from the left.
  Place add_clip(const DeclaredElement& element) {
    if (element.rows == 1 && clip_ && clip_->column + element.components <= columns) {
      const Place found = *clip_;
      clip_->column += element.components;
      return found;
    }
    DeclaredElement whole = element;
    whole.components = columns;
    const Place found = find(whole, 0);
    if (found.reg == registers) return found;
    for (std::uint32_t row = 0; row < element.rows; ++row) registers_[found.reg + row].closed = true;
    if (element.rows == 1) clip_ = Place{found.reg, element.components};
    return found;
  }

  std::array<Register, registers> registers_;
  std::optional<Place> clip_;  ///< where the next distance goes
};

}  // namespace

std::vector<ShaderElement> pack_registers(const std::vector<DeclaredElement>& elements, Packing packing) {
  std::vector<ShaderElement> packed;
  Packer packer;
  std::uint32_t next = 0;
  for (const DeclaredElement& element : elements) {
    Place at;
    if (packing == Packing::stages) at = packer.add(element);
    if (packing == Packing::vertices) at = {std::min(next, registers), 0};
    next = std::min(next + element.rows, registers);
    for (std::uint32_t row = 0; row < element.rows; ++row) {
      ShaderElement one;
      one.semantic = element.name + std::to_string(element.index + row);
      one.components = element.components;
      one.type = element.type;
      if (packing != Packing::targets) one.reg = std::min(at.reg + row, registers);
      one.first_component = at.column;
      packed.push_back(std::move(one));
    }
  }
  return packed;
}

}  // namespace fenceline::d3d12

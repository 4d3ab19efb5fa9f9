// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/root/root_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

namespace fenceline::d3d12 {
namespace {

constexpr UINT unbounded = std::numeric_limits<UINT>::max();
constexpr UINT first_reserved_space = 0xFFFFFFF0;
constexpr UINT known_flags = 0xFFF;
constexpr std::uint64_t most_static_samplers = 2032;  // as the D3D12 hardware tiers limit them

bool at_most_one_bit(UINT flags) { return (flags & (flags - 1)) == 0; }

Verdict check_place(const std::string& where, UINT visibility, UINT space) {
  if (visibility > D3D12_SHADER_VISIBILITY_MESH) {
    return invalid("{}: ShaderVisibility: expected ALL to MESH, found {}", where, visibility);
  }
  if (space >= first_reserved_space) {
    return invalid("{}: RegisterSpace: expected less than {:#x}, found {:#x}", where, first_reserved_space, space);
  }
  return {};
}

constexpr UINT data_flags = D3D12_DESCRIPTOR_RANGE_FLAG_DATA_VOLATILE |
                            D3D12_DESCRIPTOR_RANGE_FLAG_DATA_STATIC_WHILE_SET_AT_EXECUTE |
                            D3D12_DESCRIPTOR_RANGE_FLAG_DATA_STATIC;
constexpr UINT descriptor_flags = D3D12_DESCRIPTOR_RANGE_FLAG_DESCRIPTORS_VOLATILE |
                                  D3D12_DESCRIPTOR_RANGE_FLAG_DESCRIPTORS_STATIC_KEEPING_BUFFER_BOUNDS_CHECKS;

Verdict check_range_flags(const std::string& where, const D3D12_DESCRIPTOR_RANGE1& range) {
  const UINT flags = range.Flags;
  if ((flags & ~(data_flags | descriptor_flags)) != 0) return invalid("{}: Flags: found {:#x}", where, flags);
  if (range.RangeType == D3D12_DESCRIPTOR_RANGE_TYPE_SAMPLER && (flags & data_flags) != 0) {
    return invalid("{}: Flags: samplers have no data, found {:#x}", where, flags);
  }
  if (!at_most_one_bit(flags & data_flags) || !at_most_one_bit(flags & descriptor_flags)) {
    return invalid("{}: Flags: expected at most one of DATA and one of DESCRIPTORS, found {:#x}", where, flags);
  }
  if ((flags & D3D12_DESCRIPTOR_RANGE_FLAG_DESCRIPTORS_VOLATILE) != 0 &&
      (flags & D3D12_DESCRIPTOR_RANGE_FLAG_DATA_STATIC) != 0) {
    return invalid("{}: Flags: DESCRIPTORS_VOLATILE with DATA_STATIC", where);
  }
  return {};
}

Verdict check_range(const std::string& where, const D3D12_DESCRIPTOR_RANGE1& range, std::uint64_t& next) {
  if (static_cast<UINT>(range.RangeType) > D3D12_DESCRIPTOR_RANGE_TYPE_SAMPLER) {
    return invalid("{}: RangeType: expected SRV to SAMPLER, found {}", where, static_cast<UINT>(range.RangeType));
  }
  if (range.NumDescriptors == 0) return invalid("{}: NumDescriptors: expected at least 1, found 0", where);
  const std::uint64_t last = std::uint64_t{range.BaseShaderRegister} + range.NumDescriptors - 1;
  if (range.NumDescriptors != unbounded && last > unbounded) {
    return invalid("{}: registers {} to {}: expected at most {}", where, range.BaseShaderRegister, last, unbounded);
  }
  std::uint64_t start = range.OffsetInDescriptorsFromTableStart;
  if (start == D3D12_DESCRIPTOR_RANGE_OFFSET_APPEND) {
    start = next;
    if (start > unbounded) return invalid("{}: appended behind an unbounded range", where);
  }
  next = range.NumDescriptors == unbounded ? std::uint64_t{unbounded} + 1 : start + range.NumDescriptors;
  if (range.NumDescriptors != unbounded && next > unbounded) {
    return invalid("{}: offset {}: expected the table to have at most {} descriptors", where, start, unbounded);
  }
  return check_range_flags(where, range);
}

Verdict check_table(std::size_t index, const RootParameter& parameter) {
  std::uint64_t next = 0;
  std::size_t samplers = 0;
  for (std::size_t i = 0; i < parameter.ranges.size(); ++i) {
    const D3D12_DESCRIPTOR_RANGE1& range = parameter.ranges[i];
    const std::string where = fmt::format("parameter {}, range {}", index, i);
    Verdict verdict = check_range(where, range, next);
    if (!verdict.ok()) return verdict;
    if (verdict = check_place(where, parameter.visibility, range.RegisterSpace); !verdict.ok()) return verdict;
    if (range.RangeType == D3D12_DESCRIPTOR_RANGE_TYPE_SAMPLER) ++samplers;
  }
  if (samplers != 0 && samplers != parameter.ranges.size()) {
    return invalid("parameter {}: samplers and other descriptors in one table", index);
  }
  return {};
}

Verdict check_parameter(std::size_t index, const RootParameter& parameter) {
  const std::string where = fmt::format("parameter {}", index);
  switch (parameter.type) {
    case D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE: {
      Verdict verdict = check_place(where, parameter.visibility, 0);
      return verdict.ok() ? check_table(index, parameter) : verdict;
    }
    case D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS:
      return check_place(where, parameter.visibility, parameter.constants.RegisterSpace);
    case D3D12_ROOT_PARAMETER_TYPE_CBV:
    case D3D12_ROOT_PARAMETER_TYPE_SRV:
    case D3D12_ROOT_PARAMETER_TYPE_UAV:
      if ((parameter.descriptor.Flags & ~data_flags) != 0 || !at_most_one_bit(parameter.descriptor.Flags)) {
        return invalid("{}: Flags: expected at most one of DATA, found {:#x}", where,
                       static_cast<UINT>(parameter.descriptor.Flags));
      }
      return check_place(where, parameter.visibility, parameter.descriptor.RegisterSpace);
    default:
      return invalid("{}: ParameterType: expected DESCRIPTOR_TABLE to UAV, found {}", where,
                     static_cast<UINT>(parameter.type));
  }
}

bool is_filter(UINT filter) {
  const UINT reduction = filter & 0x180;
  const UINT basic = filter & ~0x180U;
  const bool linear_or_point = (basic & ~0x15U) == 0;
  return (linear_or_point || basic == D3D12_FILTER_ANISOTROPIC) && reduction <= 0x180;
}

bool is_address(UINT mode) {
  return mode >= D3D12_TEXTURE_ADDRESS_MODE_WRAP && mode <= D3D12_TEXTURE_ADDRESS_MODE_MIRROR_ONCE;
}

Verdict check_static_sampler(std::size_t index, const D3D12_STATIC_SAMPLER_DESC& sampler) {
  const std::string where = fmt::format("static sampler {}", index);
  const auto wrong = [&](const char* name, auto found) { return invalid("{}: {}: found {}", where, name, found); };
  if (!is_filter(sampler.Filter)) return wrong("Filter", static_cast<UINT>(sampler.Filter));
  for (const UINT mode : {sampler.AddressU, sampler.AddressV, sampler.AddressW}) {
    if (!is_address(mode)) return wrong("Address", mode);
  }
  if (sampler.MaxAnisotropy > D3D12_MAX_MAXANISOTROPY) return wrong("MaxAnisotropy", sampler.MaxAnisotropy);
  const UINT comparison = sampler.ComparisonFunc;
  const bool compares = (sampler.Filter & 0x180) == 0x80;
  if (comparison > D3D12_COMPARISON_FUNC_ALWAYS || (compares && comparison == 0)) {
    return wrong("ComparisonFunc", comparison);
  }
  if (static_cast<UINT>(sampler.BorderColor) > D3D12_STATIC_BORDER_COLOR_OPAQUE_WHITE_UINT) {
    return wrong("BorderColor", static_cast<UINT>(sampler.BorderColor));
  }
  if (!(sampler.MipLODBias >= D3D12_MIP_LOD_BIAS_MIN && sampler.MipLODBias <= D3D12_MIP_LOD_BIAS_MAX)) {
    return wrong("MipLODBias", sampler.MipLODBias);
  }
  if (std::isnan(sampler.MinLOD) || std::isnan(sampler.MaxLOD)) return wrong("MinLOD or MaxLOD", "not a number");
  return check_place(where, sampler.ShaderVisibility, sampler.RegisterSpace);
}

/// Registers of one kind ('b', 't', 'u', 's') and space that something takes.
struct Registers {
  char kind = 'b';
  UINT space = 0;
  UINT first = 0;
  std::uint64_t end = 0;
  UINT visibility = 0;
};

std::vector<Registers> all_registers(const RootLayout& layout) {
  constexpr char kinds[] = {'t', 'u', 'b', 's'};  // by D3D12_DESCRIPTOR_RANGE_TYPE
  std::vector<Registers> found;
  for (const RootParameter& parameter : layout.parameters) {
    const UINT visibility = parameter.visibility;
    const auto one = [&](char kind, UINT reg, UINT space) {
      found.push_back({kind, space, reg, std::uint64_t{reg} + 1, visibility});
    };
    switch (parameter.type) {
      case D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE:
        for (const D3D12_DESCRIPTOR_RANGE1& range : parameter.ranges) {
          found.push_back({kinds[range.RangeType], range.RegisterSpace, range.BaseShaderRegister,
                           std::uint64_t{range.BaseShaderRegister} + range.NumDescriptors, visibility});
        }
        break;
      case D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS:
        one('b', parameter.constants.ShaderRegister, parameter.constants.RegisterSpace);
        break;
      case D3D12_ROOT_PARAMETER_TYPE_CBV:
        one('b', parameter.descriptor.ShaderRegister, parameter.descriptor.RegisterSpace);
        break;
      case D3D12_ROOT_PARAMETER_TYPE_SRV:
        one('t', parameter.descriptor.ShaderRegister, parameter.descriptor.RegisterSpace);
        break;
      default: one('u', parameter.descriptor.ShaderRegister, parameter.descriptor.RegisterSpace); break;
    }
  }
  for (const D3D12_STATIC_SAMPLER_DESC& sampler : layout.static_samplers) {
    found.push_back({'s', sampler.RegisterSpace, sampler.ShaderRegister, std::uint64_t{sampler.ShaderRegister} + 1,
                     static_cast<UINT>(sampler.ShaderVisibility)});
  }
  return found;
}

// What all stages see, each stage sees.
Verdict check_overlaps(const RootLayout& layout) {
  std::vector<Registers> all = all_registers(layout);
  const auto order = [](const Registers& r) { return std::tie(r.kind, r.space, r.first); };
  std::sort(all.begin(), all.end(), [&](const Registers& a, const Registers& b) { return order(a) < order(b); });
  for (UINT stage = D3D12_SHADER_VISIBILITY_ALL; stage <= D3D12_SHADER_VISIBILITY_MESH; ++stage) {
    const Registers* last = nullptr;
    for (const Registers& registers : all) {
      if (registers.visibility != stage && registers.visibility != D3D12_SHADER_VISIBILITY_ALL) continue;
      const bool same_file = last != nullptr && last->kind == registers.kind && last->space == registers.space;
      if (same_file && registers.first < last->end) {
        return invalid("register {}{} of space {} is bound twice", registers.kind, registers.first, registers.space);
      }
      last = &registers;
    }
  }
  return {};
}

}  // namespace

Verdict check_root_layout(const RootLayout& layout) {
  if ((layout.flags & ~known_flags) != 0) {
    return invalid("Flags: expected D3D12_ROOT_SIGNATURE_FLAGS, found {:#x}", static_cast<UINT>(layout.flags));
  }
  if ((layout.flags & D3D12_ROOT_SIGNATURE_FLAG_LOCAL_ROOT_SIGNATURE) != 0 &&
      layout.flags != D3D12_ROOT_SIGNATURE_FLAG_LOCAL_ROOT_SIGNATURE) {
    return invalid("Flags: LOCAL_ROOT_SIGNATURE with others, {:#x}", static_cast<UINT>(layout.flags));
  }
  for (std::size_t i = 0; i < layout.parameters.size(); ++i) {
    Verdict verdict = check_parameter(i, layout.parameters[i]);
    if (!verdict.ok()) return verdict;
  }
  const std::uint64_t cost = root_cost(layout);
  // A local root signature lies in the shader table, which has room for more.
  const bool local = layout.flags == D3D12_ROOT_SIGNATURE_FLAG_LOCAL_ROOT_SIGNATURE;
  if (!local && cost > D3D12_MAX_ROOT_COST)
    return invalid("root arguments: expected at most 64 values, found {}", cost);
  if (layout.static_samplers.size() > most_static_samplers) {
    return invalid("static samplers: expected at most {}, found {}", most_static_samplers,
                   layout.static_samplers.size());
  }
  for (std::size_t i = 0; i < layout.static_samplers.size(); ++i) {
    Verdict verdict = check_static_sampler(i, layout.static_samplers[i]);
    if (!verdict.ok()) return verdict;
  }
  return check_overlaps(layout);
}

}  // namespace fenceline::d3d12

// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/root/root_signature_blob.hpp"

#include "api/d3d12/dxbc/dxbc_writer.hpp"
#include "api/d3d12/root/root_rules.hpp"

#include <fmt/format.h>

#include <cstring>
#include <optional>

namespace fenceline::d3d12 {
namespace {

// The RTS0 part: 32-bit numbers, offsets in bytes from the part's start.
constexpr std::uint32_t header_bytes = 24;     // version, parameters, their offset, samplers, theirs, flags
constexpr std::uint32_t parameter_bytes = 12;  // type, visibility, offset of the rest
constexpr std::uint32_t table_bytes = 8;       // ranges, their offset
constexpr std::uint32_t constants_bytes = 12;
constexpr std::uint32_t sampler_bytes = 52;
// Every parameter costs at least one of 64, but for constants without values, which are good for nothing.
constexpr std::uint32_t most_parameters = 4096;

std::uint32_t range_bytes(std::uint32_t version) { return version == D3D_ROOT_SIGNATURE_VERSION_1_0 ? 20 : 24; }
std::uint32_t descriptor_bytes(std::uint32_t version) { return version == D3D_ROOT_SIGNATURE_VERSION_1_0 ? 8 : 12; }

class Writer {
 public:
  Writer& operator<<(std::uint32_t value) {
    for (unsigned shift = 0; shift < 32; shift += 8) bytes_.push_back(static_cast<char>(value >> shift & 0xFF));
    return *this;
  }
  Writer& operator<<(float value) {
    std::uint32_t number = 0;
    std::memcpy(&number, &value, sizeof(number));
    return *this << number;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

std::uint32_t content_bytes(const RootParameter& parameter, std::uint32_t version) {
  switch (parameter.type) {
    case D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE:
      return table_bytes + static_cast<std::uint32_t>(parameter.ranges.size()) * range_bytes(version);
    case D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS: return constants_bytes;
    default: return descriptor_bytes(version);
  }
}

void write_content(Writer& out, const RootParameter& parameter, std::uint32_t at, std::uint32_t version) {
  const bool flags = version != D3D_ROOT_SIGNATURE_VERSION_1_0;
  switch (parameter.type) {
    case D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE:
      out << static_cast<std::uint32_t>(parameter.ranges.size()) << at + table_bytes;
      for (const D3D12_DESCRIPTOR_RANGE1& range : parameter.ranges) {
        out << static_cast<std::uint32_t>(range.RangeType) << range.NumDescriptors << range.BaseShaderRegister
            << range.RegisterSpace;
        if (flags) out << static_cast<std::uint32_t>(range.Flags);
        out << range.OffsetInDescriptorsFromTableStart;
      }
      break;
    case D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS:
      out << parameter.constants.ShaderRegister << parameter.constants.RegisterSpace
          << parameter.constants.Num32BitValues;
      break;
    default:
      out << parameter.descriptor.ShaderRegister << parameter.descriptor.RegisterSpace;
      if (flags) out << static_cast<std::uint32_t>(parameter.descriptor.Flags);
      break;
  }
}

void write_sampler(Writer& out, const D3D12_STATIC_SAMPLER_DESC& sampler) {
  out << static_cast<std::uint32_t>(sampler.Filter) << static_cast<std::uint32_t>(sampler.AddressU)
      << static_cast<std::uint32_t>(sampler.AddressV) << static_cast<std::uint32_t>(sampler.AddressW)
      << sampler.MipLODBias << sampler.MaxAnisotropy << static_cast<std::uint32_t>(sampler.ComparisonFunc)
      << static_cast<std::uint32_t>(sampler.BorderColor) << sampler.MinLOD << sampler.MaxLOD << sampler.ShaderRegister
      << sampler.RegisterSpace << static_cast<std::uint32_t>(sampler.ShaderVisibility);
}

std::string part_of(const RootLayout& layout) {
  const std::uint32_t version = layout.version;
  const auto count = static_cast<std::uint32_t>(layout.parameters.size());
  std::uint32_t at = header_bytes + count * parameter_bytes;
  Writer table;
  Writer content;
  for (const RootParameter& parameter : layout.parameters) {
    table << static_cast<std::uint32_t>(parameter.type) << static_cast<std::uint32_t>(parameter.visibility) << at;
    write_content(content, parameter, at, version);
    at += content_bytes(parameter, version);
  }
  Writer samplers;
  for (const D3D12_STATIC_SAMPLER_DESC& sampler : layout.static_samplers) write_sampler(samplers, sampler);
  Writer header;
  header << version << count << header_bytes << static_cast<std::uint32_t>(layout.static_samplers.size()) << at
         << static_cast<std::uint32_t>(layout.flags);
  return header.bytes() + table.bytes() + content.bytes() + samplers.bytes();
}

/// Reads a part's numbers; remembers the first place where there were none.
class Reader {
 public:
  explicit Reader(const DxbcPart& part) : part_(part) {}

  /// Is there an array of that many elements? Says so in the error otherwise.
  bool has(std::uint64_t offset, std::uint64_t count, std::uint32_t element_bytes) {
    if (error_) return false;
    if (offset <= part_.bytes.size() && count <= (part_.bytes.size() - offset) / element_bytes) return true;
    error_ = DxbcError{part_.offset + std::min<std::uint64_t>(offset, part_.bytes.size()),
                       fmt::format("{} elements of {} bytes at {} within the {} bytes of RTS0", count, element_bytes,
                                   offset, part_.bytes.size()),
                       "fewer bytes"};
    return false;
  }
  void fail(std::uint64_t offset, std::string expected, std::string found) {
    if (!error_) error_ = DxbcError{part_.offset + offset, std::move(expected), std::move(found)};
  }
  std::uint32_t at(std::uint64_t offset) const { return dxbc_number(part_.bytes, offset); }
  float float_at(std::uint64_t offset) const {
    const std::uint32_t number = at(offset);
    float value = 0;
    std::memcpy(&value, &number, sizeof(value));
    return value;
  }
  const std::optional<DxbcError>& error() const { return error_; }

 private:
  const DxbcPart& part_;
  std::optional<DxbcError> error_;
};

void read_ranges(Reader& in, std::uint64_t offset, std::uint32_t version, RootParameter& parameter) {
  if (!in.has(offset, 1, table_bytes)) return;
  const std::uint32_t count = in.at(offset);
  const std::uint64_t ranges = in.at(offset + 4);
  const std::uint32_t size = range_bytes(version);
  if (!in.has(ranges, count, size)) return;
  parameter.ranges.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t at = ranges + std::uint64_t{i} * size;
    D3D12_DESCRIPTOR_RANGE1 range{};
    range.RangeType = static_cast<D3D12_DESCRIPTOR_RANGE_TYPE>(in.at(at));
    range.NumDescriptors = in.at(at + 4);
    range.BaseShaderRegister = in.at(at + 8);
    range.RegisterSpace = in.at(at + 12);
    range.Flags = version == D3D_ROOT_SIGNATURE_VERSION_1_0 ? flags_of_version_1_0(range.RangeType)
                                                            : static_cast<D3D12_DESCRIPTOR_RANGE_FLAGS>(in.at(at + 16));
    range.OffsetInDescriptorsFromTableStart = in.at(at + size - 4);
    parameter.ranges.push_back(range);
  }
}

void read_parameter(Reader& in, std::uint64_t at, std::uint32_t version, RootParameter& parameter) {
  parameter.type = static_cast<D3D12_ROOT_PARAMETER_TYPE>(in.at(at));
  parameter.visibility = static_cast<D3D12_SHADER_VISIBILITY>(in.at(at + 4));
  const std::uint64_t content = in.at(at + 8);
  switch (parameter.type) {
    case D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE: read_ranges(in, content, version, parameter); break;
    case D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS:
      if (in.has(content, 1, constants_bytes)) {
        parameter.constants = {in.at(content), in.at(content + 4), in.at(content + 8)};
      }
      break;
    case D3D12_ROOT_PARAMETER_TYPE_CBV:
    case D3D12_ROOT_PARAMETER_TYPE_SRV:
    case D3D12_ROOT_PARAMETER_TYPE_UAV:
      if (!in.has(content, 1, descriptor_bytes(version))) break;
      parameter.descriptor = {in.at(content), in.at(content + 4), descriptor_flags_of_version_1_0()};
      if (version != D3D_ROOT_SIGNATURE_VERSION_1_0) {
        parameter.descriptor.Flags = static_cast<D3D12_ROOT_DESCRIPTOR_FLAGS>(in.at(content + 8));
      }
      break;
    default: in.fail(at, "a parameter type from 0 to 4", fmt::format("{}", in.at(at))); break;
  }
}

D3D12_STATIC_SAMPLER_DESC read_sampler(const Reader& in, std::uint64_t at) {
  D3D12_STATIC_SAMPLER_DESC sampler{};
  sampler.Filter = static_cast<D3D12_FILTER>(in.at(at));
  sampler.AddressU = static_cast<D3D12_TEXTURE_ADDRESS_MODE>(in.at(at + 4));
  sampler.AddressV = static_cast<D3D12_TEXTURE_ADDRESS_MODE>(in.at(at + 8));
  sampler.AddressW = static_cast<D3D12_TEXTURE_ADDRESS_MODE>(in.at(at + 12));
  sampler.MipLODBias = in.float_at(at + 16);
  sampler.MaxAnisotropy = in.at(at + 20);
  sampler.ComparisonFunc = static_cast<D3D12_COMPARISON_FUNC>(in.at(at + 24));
  sampler.BorderColor = static_cast<D3D12_STATIC_BORDER_COLOR>(in.at(at + 28));
  sampler.MinLOD = in.float_at(at + 32);
  sampler.MaxLOD = in.float_at(at + 36);
  sampler.ShaderRegister = in.at(at + 40);
  sampler.RegisterSpace = in.at(at + 44);
  sampler.ShaderVisibility = static_cast<D3D12_SHADER_VISIBILITY>(in.at(at + 48));
  return sampler;
}

}  // namespace

std::string serialize_root_signature(const RootLayout& layout) { return write_dxbc({{"RTS0", part_of(layout)}}); }

std::variant<RootLayout, DxbcError> parse_root_signature(const DxbcContainer& container) {
  const DxbcPart* part = container.part("RTS0");
  if (part == nullptr) return DxbcError{0, "an RTS0 part", "none"};
  Reader in(*part);
  if (!in.has(0, 1, header_bytes)) return *in.error();
  const std::uint32_t version = in.at(0);
  if (version != D3D_ROOT_SIGNATURE_VERSION_1_0 && version != D3D_ROOT_SIGNATURE_VERSION_1_1) {
    return DxbcError{part->offset, "version 1 or 2 of RTS0", fmt::format("{}", version)};
  }
  RootLayout layout;
  layout.version = static_cast<D3D_ROOT_SIGNATURE_VERSION>(version);
  const std::uint32_t count = in.at(4);
  const std::uint64_t parameters = in.at(8);
  const std::uint32_t sampler_count = in.at(12);
  const std::uint64_t samplers = in.at(16);
  layout.flags = static_cast<D3D12_ROOT_SIGNATURE_FLAGS>(in.at(20));
  if (count > most_parameters)
    in.fail(4, fmt::format("at most {} parameters", most_parameters), fmt::format("{}", count));
  if (count != 0) in.has(parameters, count, parameter_bytes);
  if (sampler_count != 0) in.has(samplers, sampler_count, sampler_bytes);
  // Tables may share their ranges: as many in all as there could be of their own.
  std::uint64_t ranges = 0;
  for (std::uint32_t i = 0; i < count && !in.error(); ++i) {
    const std::uint64_t at = parameters + std::uint64_t{i} * parameter_bytes;
    read_parameter(in, at, version, layout.parameters.emplace_back());
    ranges += layout.parameters.back().ranges.size();
    if (ranges > part->bytes.size() / range_bytes(version))
      in.fail(at, "tables with ranges of their own", "shared ones");
  }
  for (std::uint32_t i = 0; i < sampler_count && !in.error(); ++i) {
    layout.static_samplers.push_back(read_sampler(in, samplers + std::uint64_t{i} * sampler_bytes));
  }
  if (in.error()) return *in.error();
  return layout;
}

std::variant<RootLayout, DxbcError> parse_root_signature(std::string_view bytes) {
  const auto container = parse_dxbc(bytes);
  if (const auto* error = std::get_if<DxbcError>(&container)) return *error;
  return parse_root_signature(std::get<DxbcContainer>(container));
}

std::variant<RootLayout, Verdict> read_root_signature(std::string_view bytes) {
  const auto container = parse_dxbc(bytes);
  const auto* const whole = std::get_if<DxbcContainer>(&container);
  if (whole != nullptr && whole->part("RTS0") == nullptr) {
    return Verdict{E_FAIL, "root signature: expected an RTS0 part in the container, found none"};
  }
  auto parsed = whole != nullptr ? parse_root_signature(*whole)
                                 : std::variant<RootLayout, DxbcError>(std::get<DxbcError>(container));
  if (const auto* error = std::get_if<DxbcError>(&parsed)) {
    return Verdict{E_INVALIDARG, fmt::format("root signature, byte {}: expected {}, found {}", error->offset,
                                             error->expected, error->found)};
  }
  auto& layout = std::get<RootLayout>(parsed);
  Verdict verdict = check_root_layout(layout);
  if (!verdict.ok()) return verdict;
  return std::move(layout);
}

}  // namespace fenceline::d3d12

// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/dxbc/shader_signature.hpp"

#include "api/d3d12/dxbc/blob_writer.hpp"

#include <fmt/format.h>

namespace fenceline::d3d12 {
namespace {

constexpr std::uint64_t header_bytes = 8;  // count, offset of the first element

/// Where an element's numbers stand: behind the stream, which the oldest form has not; a minimum precision ends them.
struct Form {
  std::uint64_t element_bytes;
  bool has_stream;
  bool has_min_precision;
};

Form form_of(std::string_view tag) {
  if (tag == "OSG5") return {28, true, false};
  if (tag.back() == '1') return {32, true, true};
  return {24, false, false};
}

}  // namespace

std::variant<std::vector<SignatureElement>, DxbcError> shader_signature(const DxbcPart& part) {
  const Form form = form_of(part.tag);
  const auto error = [&](std::uint64_t at, std::string expected, std::string found) {
    return DxbcError{part.offset + at, std::move(expected), std::move(found)};
  };
  if (part.bytes.size() < header_bytes) {
    return error(0, fmt::format("a {} part of at least {} bytes", part.tag, header_bytes),
                 fmt::format("{}", part.bytes.size()));
  }
  const std::uint64_t count = dxbc_number(part.bytes, 0);
  const std::uint64_t first = dxbc_number(part.bytes, 4);
  if (count == 0) return std::vector<SignatureElement>();
  if (first > part.bytes.size() || count > (part.bytes.size() - first) / form.element_bytes) {
    return error(0,
                 fmt::format("elements of {} bytes at {} within the {} bytes of {}", form.element_bytes, first,
                             part.bytes.size(), part.tag),
                 fmt::format("{} of them", count));
  }
  std::vector<SignatureElement> elements;
  elements.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t at = first + i * form.element_bytes;
    SignatureElement element;
    if (form.has_stream) {
      element.stream = dxbc_number(part.bytes, at);
      at += 4;
    }
    constexpr std::uint64_t longest_name = 256;
    const std::uint64_t name = dxbc_number(part.bytes, at);
    const std::string_view rest = name < part.bytes.size() ? part.bytes.substr(name, longest_name) : std::string_view();
    const std::size_t end = rest.find('\0');
    if (end == std::string_view::npos) {
      return error(at, "the offset of a name that ends within the part", fmt::format("{}", name));
    }
    element.name = rest.substr(0, end);
    element.index = dxbc_number(part.bytes, at + 4);
    element.system_value = dxbc_number(part.bytes, at + 8);
    element.component_type = dxbc_number(part.bytes, at + 12);
    element.reg = dxbc_number(part.bytes, at + 16);
    const std::uint32_t masks = dxbc_number(part.bytes, at + 20);
    element.mask = masks & 0xFF;
    element.used_mask = masks >> 8 & 0xFF;
    if (form.has_min_precision) element.min_precision = dxbc_number(part.bytes, at + 24);
    elements.push_back(std::move(element));
  }
  return elements;
}

std::string signature_part(const std::vector<SignatureElement>& elements) {
  constexpr std::size_t element_bytes = 32;
  BlobWriter table;
  table << static_cast<std::uint32_t>(elements.size()) << static_cast<std::uint32_t>(header_bytes);
  std::string names;
  for (const SignatureElement& element : elements) {
    const std::size_t name_at = header_bytes + elements.size() * element_bytes + names.size();
    names += element.name + '\0';
    table << element.stream << static_cast<std::uint32_t>(name_at) << element.index << element.system_value
          << element.component_type << element.reg
          << (std::uint32_t{element.mask} | std::uint32_t{element.used_mask} << 8) << element.min_precision;
  }
  names.resize((names.size() + 3) / 4 * 4);
  return table.bytes() + names;
}

}  // namespace fenceline::d3d12

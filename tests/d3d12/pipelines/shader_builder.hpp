// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/dxbc_builder.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace fenceline::testing {

/// The version token of a program part: kind, major and minor version.
inline std::uint32_t program_version(std::uint32_t kind, std::uint32_t major, std::uint32_t minor) {
  return kind << 16 | major << 4 | minor;
}

/// A SHEX or SHDR part of these instructions.
inline std::string program(std::uint32_t version, const std::vector<std::uint32_t>& instructions) {
  std::vector<std::uint32_t> all = {version, static_cast<std::uint32_t>(2 + instructions.size())};
  all.insert(all.end(), instructions.begin(), instructions.end());
  return numbers(all);
}

/// The RTS0 part of a root signature without parameters, version 1.1: a shader with it needs no other.
inline std::string empty_root_signature() {
  constexpr std::uint32_t header_bytes = 24;
  return numbers({2, 0, header_bytes, 0, header_bytes, 0});
}

struct Element {
  std::string name;
  std::uint32_t index = 0;
  std::uint32_t system_value = 0;
  std::uint32_t type = 3;
  std::uint32_t reg = 0;
  std::uint32_t masks = 0x0F0F;
  std::uint32_t stream = 1;  ///< where the form has them
  std::uint32_t min_precision = 0;
};

/// A signature part: `before` numbers stand before the name (the stream), `after` behind the masks (the precision).
inline std::string signature(const std::vector<Element>& elements, std::size_t before = 0, std::size_t after = 0) {
  const std::size_t element_bytes = 24 + 4 * (before + after);
  std::string names;
  std::string table;
  for (const Element& element : elements) {
    const std::size_t name_at = 8 + elements.size() * element_bytes + names.size();
    names += element.name + '\0';
    std::vector<std::uint32_t> values(before, element.stream);
    values.insert(values.end(), {static_cast<std::uint32_t>(name_at), element.index, element.system_value, element.type,
                                 element.reg, element.masks});
    values.insert(values.end(), after, element.min_precision);
    table += numbers(values);
  }
  names.resize((names.size() + 3) / 4 * 4);
  return numbers({static_cast<std::uint32_t>(elements.size()), 8}) + table + names;
}

/// PSV0 of the third version, with the threads of a group.
inline std::string pipeline_state(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  std::vector<std::uint32_t> values(1 + 9, 0);
  values[0] = 48;
  values.insert(values.end(), {x, y, z, 0});
  return numbers(values);
}

/// RDAT with tables of so many resources of 32 bytes and functions of 44.
inline std::string runtime_data(std::uint32_t resources, std::uint32_t functions) {
  const auto table = [](std::uint32_t kind, std::uint32_t count, std::uint32_t stride) {
    return numbers({kind, 8 + count * stride, count, stride}) + std::string(count * stride, '\0');
  };
  const std::string strings = numbers({1, 4}) + "abc" + std::string(1, '\0');
  const std::string first = table(3, resources, 32);
  const std::string second = table(4, functions, 44);
  const auto at = static_cast<std::uint32_t>(8 + 3 * 4);
  return numbers({0x10, 3, at, static_cast<std::uint32_t>(at + strings.size()),
                  static_cast<std::uint32_t>(at + strings.size() + first.size())}) +
         strings + first + second;
}

}  // namespace fenceline::testing

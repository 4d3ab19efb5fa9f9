// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/core/newcomer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fenceline::d3d12 {

std::string machine_name(const char* kind, std::uint32_t number, const std::string& given) {
  std::string plain = given;
  std::replace_if(
      plain.begin(), plain.end(),
      [](unsigned char letter) {
        const bool alphanumeric =
            (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9');
        return !alphanumeric && letter != '_' && letter != '-';
      },
      '_');
  return fmt::format("{}{}{}{}", kind, number, plain.empty() ? "" : "_", plain);
}

}  // namespace fenceline::d3d12

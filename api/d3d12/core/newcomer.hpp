// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace fenceline::d3d12 {

/// A queue or fence that the machine does not know yet. It comes there with the device's next call that takes effect,
/// in order of creation, so that the name which a program gives it at once is its name in the machine and in all files.
class Newcomer {
 public:
  /// With the host's lock, once.
  virtual void come_in() = 0;

 protected:
  ~Newcomer() = default;
};

/// What the machine calls it: "queue0", and "queue0_uploads" where the program has named it. Names are paths: what is
/// no letter, digit, `_` or `-` becomes `_`.
std::string machine_name(const char* kind, std::uint32_t number, const std::string& given);

}  // namespace fenceline::d3d12

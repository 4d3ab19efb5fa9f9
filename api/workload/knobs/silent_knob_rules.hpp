// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/workload/knobs/knob_facts.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace fenceline {

/// Why a parameter cannot matter.
struct KnobSilence {
  const char* reason = nullptr;  ///< null: it can matter
  std::size_t tokens = 0;  ///< of the pointer: those of the element of a list that the reason speaks of; 0: of none
};

/// Of the parameter with such tokens of its pointer, as `--set` addresses it; at least one.
KnobSilence silence_of(const KnobFacts& facts, const std::vector<std::string>& at);

}  // namespace fenceline

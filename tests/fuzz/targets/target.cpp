// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/targets/target.hpp"

namespace fenceline::testing {

const std::vector<FuzzTarget>& fuzz_targets() {
  static const std::vector<FuzzTarget> all = [] {
    std::vector<FuzzTarget> targets;
    for (const auto& some : {document_targets(), file_targets(), container_targets(), cache_targets(),
                             capture_targets(), hlsl_targets()}) {
      targets.insert(targets.end(), some.begin(), some.end());
    }
    return targets;
  }();
  return all;
}

}  // namespace fenceline::testing

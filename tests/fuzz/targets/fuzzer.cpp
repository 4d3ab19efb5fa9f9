// SPDX-License-Identifier: Apache-2.0
// libFuzzer's two functions. FENCELINE_FUZZ_TARGET names the target, FENCELINE_FUZZ_SEEDS a directory into which its
// seeds are written first.
#include "tests/fuzz/targets/target.hpp"
#include "tests/support/places.hpp"
#include "tests/support/temporary_directory.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

using namespace fenceline::testing;

const std::filesystem::path& fenceline::testing::source_directory() {
  static const std::filesystem::path directory = FENCELINE_SOURCE_DIR;
  return directory;
}

namespace {
const FuzzTarget* chosen = nullptr;
}

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* const name = std::getenv("FENCELINE_FUZZ_TARGET");
  for (const FuzzTarget& target : fuzz_targets()) {
    if (name != nullptr && std::string(name) == target.name) chosen = &target;
  }
  if (chosen == nullptr) {
    for (const FuzzTarget& target : fuzz_targets()) std::printf("%s\n", target.name);
    std::exit(name == nullptr ? 0 : 2);
  }
  if (const char* const directory = std::getenv("FENCELINE_FUZZ_SEEDS")) {
    std::size_t number = 0;
    for (const std::string& seed : chosen->seeds()) {
      write_file(std::filesystem::path(directory) / ("seed" + std::to_string(++number)), seed);
    }
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen->run({reinterpret_cast<const char*>(data), size});
  return 0;
}

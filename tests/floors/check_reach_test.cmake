# SPDX-License-Identifier: Apache-2.0
# cmake -D WORK=<scratch folder> -P check_reach_test.cmake
# A check that finds nothing may also be one that sees nothing.
cmake_minimum_required(VERSION 3.24)
include(${CMAKE_CURRENT_LIST_DIR}/expect.cmake)

# expect(<what the check must say, "" for nothing> <how many headers come along with the one that the public one names>)
function(expect message along)
  file(REMOVE_RECURSE "${WORK}")
  file(WRITE "${WORK}/api/public/fenceline.hpp"
       "#pragma once\n\n#include \"api/machine.hpp\"\n#include \"sim/log.hpp\"\n\n#include <vector>\n")
  file(WRITE "${WORK}/sim/log.hpp" "#pragma once\n")
  set(includes "#include \"sim/log.hpp\"\n")
  foreach(i RANGE 1 ${along})
    string(APPEND includes "#include \"bgproc/part${i}.hpp\"\n")
    # A circle, and one that everybody has already.
    file(WRITE "${WORK}/bgproc/part${i}.hpp" "#include \"api/machine.hpp\"\n#include \"sim/log.hpp\"\n")
  endforeach()
  file(WRITE "${WORK}/api/machine.hpp" "#pragma once\n\n${includes}#include \"generated/version.hpp\"\n")
  expect_of(reach "${message}" "${along} headers that come along")
endfunction()

expect("" 1)
expect("" 86)
expect("api/public/fenceline.hpp: expected to reach at most 88 headers, found 89" 87)
expect("bgproc/part87.hpp: brought in by api/machine.hpp" 87)

# SPDX-License-Identifier: Apache-2.0
# cmake -D WORK=<scratch folder> -P check_docs_test.cmake
# A check that finds nothing may also be one that sees nothing.
cmake_minimum_required(VERSION 3.24)
include(${CMAKE_CURRENT_LIST_DIR}/expect.cmake)

# expect(<what the check must say, "" for nothing> <text of a document>)
function(expect message text)
  file(REMOVE_RECURSE "${WORK}")
  file(WRITE "${WORK}/sim/log.hpp" "")
  file(WRITE "${WORK}/tests/sim/log_test.cpp" "TEST_CASE(\"log: spans; and more\", \"[sim]\") {\n}\n")
  file(WRITE "${WORK}/docs/model.md" "${text}")
  expect_of(docs "${message}" "${text}")
endfunction()

expect("" "see `sim/log.hpp`, `sim` and `/scheduler/policy`; [`sim/log.hpp`](x) and `sim_tests 'log: spans*'`\n")
expect("`sim/lag.hpp`: there is no such file" "see `sim/log.hpp`, then `sim/lag.hpp`\n")
expect("`tests/engines`: there is no such file or folder" "`tests/engines`\n")
expect("there is no such test" "`sim_tests 'log: instants*'`\n")
expect("`shadercache/memory`: there is no such file or folder" "`shadercache/memory`\n")
expect("" "`sim_tests '[sim]'`\n")
expect("there is no such test" "`sim_tests '[sum]'`\n")

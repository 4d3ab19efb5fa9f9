# SPDX-License-Identifier: Apache-2.0
# cmake -D WORK=<scratch folder> -P check_docs_test.cmake
# A check that finds nothing may also be one that sees nothing.
cmake_minimum_required(VERSION 3.24)

# expect(<what the check must say, "" for nothing> <text of a document>)
function(expect message text)
  file(REMOVE_RECURSE "${WORK}")
  file(WRITE "${WORK}/sim/log.hpp" "")
  file(WRITE "${WORK}/tests/sim/log_test.cpp" "TEST_CASE(\"log: spans; and more\", \"[sim]\") {\n}\n")
  file(WRITE "${WORK}/docs/model.md" "${text}")
  execute_process(COMMAND ${CMAKE_COMMAND} -D ROOT=${WORK} -P ${CMAKE_CURRENT_LIST_DIR}/check_docs.cmake
                  RESULT_VARIABLE status ERROR_VARIABLE output OUTPUT_VARIABLE output)
  if(message STREQUAL "" AND NOT status STREQUAL "0")
    message(SEND_ERROR "expected no complaint, found: ${output}")
  elseif(NOT message STREQUAL "")
    string(FIND "${output}" "${message}" at)
    if(at EQUAL -1 OR status STREQUAL "0")
      message(SEND_ERROR "expected \"${message}\", found ${status}: ${output}")
    endif()
  endif()
endfunction()

expect("" "see `sim/log.hpp`, `sim` and `/scheduler/policy`; [`sim/log.hpp`](x) and `sim_tests 'log: spans*'`\n")
expect("`sim/lag.hpp`: there is no such file" "see `sim/log.hpp`, then `sim/lag.hpp`\n")
expect("`tests/engines`: there is no such file or folder" "`tests/engines`\n")
expect("there is no such test" "`sim_tests 'log: instants*'`\n")

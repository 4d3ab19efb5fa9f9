# SPDX-License-Identifier: Apache-2.0
# expect_of(<check> <what it must say, "" for nothing> <what is wrong in the tree>): runs check_<check>.cmake on the tree WORK.
function(expect_of check message what)
  execute_process(COMMAND ${CMAKE_COMMAND} -D ROOT=${WORK} -P ${CMAKE_CURRENT_LIST_DIR}/check_${check}.cmake
                  RESULT_VARIABLE status ERROR_VARIABLE output OUTPUT_VARIABLE output)
  if(message STREQUAL "" AND NOT status STREQUAL "0")
    message(SEND_ERROR "${what}: expected no complaint, found: ${output}")
  elseif(NOT message STREQUAL "")
    string(FIND "${output}" "${message}" at)
    if(at EQUAL -1 OR status STREQUAL "0")
      message(SEND_ERROR "${what}: expected \"${message}\", found ${status}: ${output}")
    endif()
  endif()
endfunction()

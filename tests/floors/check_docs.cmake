# SPDX-License-Identifier: Apache-2.0
# cmake -D ROOT=<source tree> -P check_docs.cmake: what documents name in backticks exists: files and folders by their path
# from the root, and tests as in `sim_tests 'kernel: run asks*'`.
cmake_minimum_required(VERSION 3.24)

set(errors 0)
macro(wrong message)
  message("${message}")
  math(EXPR errors "${errors} + 1")
endmacro()

file(GLOB documents RELATIVE "${ROOT}" "${ROOT}/*.md" "${ROOT}/docs/*.md" "${ROOT}/configs/*.md" "${ROOT}/bench/*.md")
file(GLOB_RECURSE inner RELATIVE "${ROOT}" "${ROOT}/api/*.md" "${ROOT}/bench/hardware/*.md" "${ROOT}/examples/*.md"
     "${ROOT}/shadercache/*.md" "${ROOT}/tests/*.md")
list(APPEND documents ${inner})
list(REMOVE_ITEM documents CHANGELOG.md) # tells of what was
list(REMOVE_DUPLICATES documents)

file(GLOB_RECURSE test_sources "${ROOT}/tests/*.cpp")
set(test_texts "")
foreach(source IN LISTS test_sources)
  file(STRINGS "${source}" cases REGEX "TEST_CASE(_METHOD)?\\(")
  string(REPLACE ";" "," cases "${cases}")
  string(APPEND test_texts "${cases}\n")
endforeach()

foreach(document IN LISTS documents)
  file(READ "${ROOT}/${document}" text)
  # Brackets and semicolons mean something to lists of CMake.
  string(REPLACE ";" "," text "${text}")
  string(REPLACE "[" "(" text "${text}")
  string(REPLACE "]" ")" text "${text}")
  string(REGEX MATCHALL "`[^`\n]+`" names "${text}")
  foreach(name IN LISTS names)
    string(REGEX REPLACE "^`(.*)`$" "\\1" name "${name}")
    if(name MATCHES "^(sim|engines|bgproc|shadercache|scheduler|api|configs|tests|bench|docs|examples)/[A-Za-z0-9_./-]+$")
      if(NOT EXISTS "${ROOT}/${name}")
        wrong("${document}: `${name}`: there is no such file or folder")
      endif()
    elseif(name MATCHES "^[a-z0-9_]+_tests '([^']+)'$")
      string(REGEX REPLACE "\\*$" "" case "${CMAKE_MATCH_1}")
      set(wanted "\"${case}")
      if(case MATCHES "^\\((.+)\\)$") # a tag
        set(wanted "[${CMAKE_MATCH_1}]")
      endif()
      string(FIND "${test_texts}" "${wanted}" at)
      if(at EQUAL -1)
        wrong("${document}: `${name}`: there is no such test")
      endif()
    endif()
  endforeach()
endforeach()

if(errors)
  message(FATAL_ERROR "${errors} names of nothing")
endif()

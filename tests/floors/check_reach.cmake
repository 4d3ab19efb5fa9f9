# SPDX-License-Identifier: Apache-2.0
# cmake -D ROOT=<source tree> -P check_reach.cmake: what a program includes brings no more of the product's headers with
# it than it needs. A header that is included by one of them is public in effect: it is read, and compiled, by everybody.
cmake_minimum_required(VERSION 3.24)

set(header api/public/fenceline.hpp)
# What it names itself, what these hold by value, and the records of the log. The number only shrinks.
set(most 88)

# Leaves in <out> our own headers that a file includes.
function(includes_of file out)
  file(STRINGS "${ROOT}/${file}" lines REGEX "^[ \t]*#[ \t]*include[ \t]*\"")
  list(TRANSFORM lines REPLACE "^[^\"]*\"([^\"]*)\".*" "\\1")
  set(${out} ${lines} PARENT_SCOPE)
endfunction()

# Breadth first: the way to each is one of the shortest.
set(reached ${header})
set(next ${header})
while(next)
  list(POP_FRONT next file)
  includes_of(${file} includes)
  foreach(include IN LISTS includes)
    if(EXISTS "${ROOT}/${include}" AND NOT include IN_LIST reached)
      list(APPEND reached ${include})
      list(APPEND next ${include})
      set(from_${include} ${file})
    endif()
  endforeach()
endwhile()

list(REMOVE_ITEM reached ${header})
list(LENGTH reached found)
if(found GREATER most)
  # Those that it does not name itself came along with others.
  foreach(include IN LISTS reached)
    if(NOT "${from_${include}}" STREQUAL "${header}")
      message("${include}: brought in by ${from_${include}}")
    endif()
  endforeach()
  message(FATAL_ERROR "${header}: expected to reach at most ${most} headers, found ${found}")
endif()

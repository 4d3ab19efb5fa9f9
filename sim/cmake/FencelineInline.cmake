# SPDX-License-Identifier: Apache-2.0
# fenceline_inline(<name> <file>...): generates api/pages/<name>.hpp, in which `fenceline::<name>` is an array of pieces
# of text: these files, one behind the other. A page that carries its scripts and its style writes them out. What the
# files are of other packages' stays theirs: nothing is copied into the sources.
function(fenceline_inline name)
  set(pieces "")
  foreach(file IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    file(REAL_PATH ${file} real)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${real})
    file(READ ${file} text)
    string(TOLOWER "${text}" lower)
    if(lower MATCHES "</(script|style)" OR text MATCHES "\\)inlined\"")
      message(FATAL_ERROR "${file}: it would end the element of the page in which it stands")
    endif()
    if(text MATCHES "[^\t\n\r -~]") # a literal must not be cut inside a character
      message(FATAL_ERROR "${file}: expected ASCII alone")
    endif()
    string(APPEND text "\n")
    # Compilers limit the length of a literal.
    string(LENGTH "${text}" length)
    set(from 0)
    while(from LESS length)
      string(SUBSTRING "${text}" ${from} 12000 piece)
      string(LENGTH "${piece}" taken)
      string(APPEND pieces "    R\"inlined(${piece})inlined\",\n")
      math(EXPR from "${from} + ${taken}")
    endwhile()
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/api/pages/${name}.hpp @ONLY CONTENT
"// Made of: ${ARGN}
#pragma once

#include <string_view>

namespace fenceline {

inline constexpr std::string_view ${name}[] = {
@pieces@};

}  // namespace fenceline
")
endfunction()

# SPDX-License-Identifier: Apache-2.0
# cmake -D ROOT=<source tree> -P check_includes.cmake: how files are included, and where D3D12 and SystemC enter. Who may
# include whom is check_rooms.cmake's.
cmake_minimum_required(VERSION 3.24)

set(floors sim engines bgproc shadercache scheduler api)
# Of the headers of api these alone may reach SystemC: the modules, and what is for those who drive them.
set(with_systemc api/hardware.hpp api/machine_parts.hpp api/public/extend.hpp)

set(errors 0)
macro(wrong message)
  message("${message}")
  math(EXPR errors "${errors} + 1")
endmacro()

# Leaves in <out> the includes of a file, as written: "sim/kernel/kernel.hpp" in quotes or <systemc> in angle brackets.
function(includes_of file out)
  file(STRINGS "${ROOT}/${file}" lines REGEX "^[ \t]*#[ \t]*include[ \t]*[\"<]")
  list(TRANSFORM lines REPLACE "^[^\"<]*([\"<][^\">]*[\">]).*" "\\1")
  set(${out} ${lines} PARENT_SCOPE)
endfunction()

# A path of includes from <file> to SystemC, or nothing.
function(way_to_systemc file out)
  get_property(known GLOBAL PROPERTY "way ${file}" SET)
  if(NOT known)
    set_property(GLOBAL PROPERTY "way ${file}" "") # also ends a circle of includes
    includes_of(${file} includes)
    foreach(include IN LISTS includes)
      if(include MATCHES "^<(systemc|tlm|sysc/.*|tlm_.*|systemc\\.h|tlm\\.h)>$")
        set_property(GLOBAL PROPERTY "way ${file}" "${file} -> ${include}")
        break()
      elseif(include MATCHES "^\"(.*)\"$" AND EXISTS "${ROOT}/${CMAKE_MATCH_1}")
        way_to_systemc(${CMAKE_MATCH_1} way)
        if(way)
          set_property(GLOBAL PROPERTY "way ${file}" "${file} -> ${way}")
          break()
        endif()
      endif()
    endforeach()
  endif()
  get_property(way GLOBAL PROPERTY "way ${file}")
  set(${out} "${way}" PARENT_SCOPE)
endfunction()

foreach(floor IN LISTS floors)
  file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/${floor}/*.hpp" "${ROOT}/${floor}/*.cpp")
  foreach(file IN LISTS files)
    includes_of(${file} includes)
    foreach(include IN LISTS includes)
      string(REGEX REPLACE "[\"<>]" "" path "${include}")
      string(REGEX MATCH "^[^/]*" top "${path}")
      if(include MATCHES "^\"")
        # fenceline_inline makes api/pages of files that are no headers.
        if(NOT EXISTS "${ROOT}/${path}" AND NOT EXISTS "${ROOT}/${path}.in" AND NOT path MATCHES "^api/pages/")
          wrong("${file}: ${include}: expected a path from the root, found no such file there")
        endif()
      elseif(path MATCHES "/" AND (top IN_LIST floors OR top STREQUAL "fenceline"))
        wrong("${file}: ${include}: expected our own headers in quotes")
      endif()
      if(path MATCHES "^(directx/|wsl/|dxguids/|.*/)?(d3d12|d3d12sdklayers|d3dcommon|dxgi.*)\\.h$"
         AND NOT file STREQUAL "api/d3d12/d3d12.hpp")
        wrong("${file}: ${include}: d3d12.h enters through api/d3d12/d3d12.hpp alone")
      endif()
    endforeach()
    if(file MATCHES "(_cost|policy|_config)\\.[hc]pp$" OR (file MATCHES "^api/.*\\.hpp$" AND NOT file IN_LIST with_systemc))
      way_to_systemc(${file} way)
      if(way)
        wrong("${way}: cost models, policies, configurations and what users of api include are without SystemC")
      endif()
    endif()
  endforeach()
endforeach()

if(errors)
  message(FATAL_ERROR "${errors} wrong includes")
endif()

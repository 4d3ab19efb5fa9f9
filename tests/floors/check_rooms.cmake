# SPDX-License-Identifier: Apache-2.0
# cmake -D ROOT=<source tree> -P check_rooms.cmake: holds folders and files of the product against the rules of the house:
# rooms as layers, no circle of includes, nothing too large; and those of the tests: nothing too large, nothing left out.
cmake_minimum_required(VERSION 3.24)

# The rooms from the lowest to the highest: a file includes its own room and those before it.
set(rooms
  sim sim/text sim/files sim/config sim/kernel
  engines/command engines/memory engines/shader_array/rules
  engines/shader_array/shortcuts engines/shader_array engines/hardware_queue engines
  bgproc/modes bgproc/cores bgproc/tasks bgproc/pgo bgproc
  shadercache/checksum shadercache/memory shadercache/files shadercache shadercache/implicit shadercache/inspect
  scheduler/policies scheduler/fences scheduler/display scheduler/config scheduler/recovery scheduler/residency scheduler/state scheduler/splitting scheduler/paging scheduler scheduler/checker
  api api/resources api/pgo api/timeline api/capture/file api/workload/markers api/workload/pipelines api/contents api/workload/effects api/workload api/workload/checks api/workload/load api/workload/play api/workload/replay api/workload/knobs api/capture api/report/markers api/report/turns api/report api/report/events api/report/explain api/report/html api/report/perfetto api/report/vcd api/report/contents api/report/replay api/report/run api/report/limits api/repeat api/sweep api/import api/import/nsys
  api/validation/play api/validation/measured api/validation/kinds api/validation api/documents api/compare
  api/d3d12/com api/d3d12/host api/d3d12/debug api/d3d12/core api/d3d12/formats api/d3d12/bytes api/d3d12/dxbc
  api/d3d12/root api/d3d12/shaders api/d3d12/pipelines api/d3d12/caches api/d3d12/states api/d3d12/hazards api/d3d12/resources
  api/d3d12/lists api/d3d12/queues api/d3d12/device api/d3d12/dxcore api/d3d12/dxgi
  api/hlsl
  api/windows_compat api/windows_compat/threads api/windows_compat/files api/windows_compat/windows
  api/windows_compat/process
  api/public api/cli/usage api/cli api/cli/sweep/workers api/cli/sweep/slurm api/cli/sweep api/cli/history api/cli/repeat)
# What programs include stands at the door: rooms below use its types, and what it does is done by those above.
set(doors api/d3d12)
set(most_files 30)
set(most_lines 400)

set(errors 0)
macro(wrong message)
  message("${message}")
  math(EXPR errors "${errors} + 1")
endmacro()

set(floors)
foreach(room IN LISTS rooms doors)
  string(REGEX MATCH "^[^/]*" floor "${room}")
  list(APPEND floors ${floor})
endforeach()
list(REMOVE_DUPLICATES floors)

foreach(room IN LISTS rooms doors)
  set(in_${room} 0)
endforeach()
function(check_lines file most)
  file(READ "${ROOT}/${file}" text)
  string(REGEX MATCHALL "\n" ends "${text}")
  list(LENGTH ends lines)
  if(lines GREATER most)
    set_property(GLOBAL APPEND PROPERTY long "${file}: expected at most ${most} lines, found ${lines}")
  endif()
endfunction()

set(units)
foreach(floor IN LISTS floors)
  file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/${floor}/*.hpp" "${ROOT}/${floor}/*.cpp")
  foreach(file IN LISTS files)
    get_filename_component(room "${file}" DIRECTORY)
    list(FIND rooms "${room}" level)
    if(level EQUAL -1 AND NOT room IN_LIST doors)
      wrong("${file}: ${room} is no room of the table in check_rooms.cmake")
    endif()
    if(DEFINED in_${room})
      math(EXPR in_${room} "${in_${room}} + 1")
    endif()

    check_lines(${file} ${most_lines})

    # The two files of a name are one thing.
    string(REGEX REPLACE "\\.[hc]pp$" "" unit "${file}")
    list(APPEND units ${unit})
    file(STRINGS "${ROOT}/${file}" includes REGEX "^[ \t]*#[ \t]*include[ \t]*\"")
    foreach(include IN LISTS includes)
      string(REGEX REPLACE "^[^\"]*\"([^\"]*)\".*" "\\1" path "${include}")
      string(REGEX REPLACE "\\.[hc]pp$" "" other "${path}")
      if(NOT other STREQUAL unit)
        set_property(GLOBAL APPEND PROPERTY "of ${unit}" ${other})
      endif()
      get_filename_component(other_room "${path}" DIRECTORY)
      list(FIND rooms "${other_room}" other_level)
      if(level GREATER -1 AND other_level GREATER level)
        wrong("${file}: \"${path}\": ${other_room} stands above ${room}")
      endif()
    endforeach()
  endforeach()
endforeach()

# A test that no CMakeLists.txt names would be green for ever. That of its folder does, or of one above.
file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/tests/*.hpp" "${ROOT}/tests/*.cpp" "${ROOT}/tests/*.c")
set(test_rooms)
foreach(file IN LISTS files)
  check_lines(${file} ${most_lines})
  get_filename_component(room "${file}" DIRECTORY)
  if(NOT room IN_LIST test_rooms)
    list(APPEND test_rooms ${room})
    set(in_${room} 0)
  endif()
  math(EXPR in_${room} "${in_${room}} + 1")
  if(file MATCHES "_test\\.cpp$")
    set(above "${room}")
    while(NOT EXISTS "${ROOT}/${above}/CMakeLists.txt" AND above MATCHES "/")
      get_filename_component(above "${above}" DIRECTORY)
    endwhile()
    set(built "")
    if(NOT EXISTS "${ROOT}/${above}/CMakeLists.txt")
      set(above "${room}")
    else()
      file(READ "${ROOT}/${above}/CMakeLists.txt" built)
    endif()
    string(REGEX REPLACE "^${above}/" "" name "${file}")
    string(REPLACE "." "\\." pattern "${name}")
    if(NOT built MATCHES "(^|[ \n])${pattern}([ \n)]|$)")
      wrong("${file}: expected to be named in ${above}/CMakeLists.txt")
    endif()
  endif()
endforeach()

get_property(long GLOBAL PROPERTY long)
foreach(one IN LISTS long)
  wrong("${one}")
endforeach()

foreach(room IN LISTS rooms doors test_rooms)
  if(in_${room} GREATER most_files)
    wrong("${room}: expected at most ${most_files} files, found ${in_${room}}")
  endif()
endforeach()

function(visit unit way)
  get_property(state GLOBAL PROPERTY "state ${unit}")
  if(state STREQUAL "over")
    return()
  endif()
  if(state STREQUAL "under way")
    string(REGEX REPLACE "^.*(^| )${unit} -> " "${unit} -> " circle "${way} -> ${unit}")
    set_property(GLOBAL APPEND PROPERTY circles "${circle}: a circle of includes")
    return()
  endif()
  set_property(GLOBAL PROPERTY "state ${unit}" "under way")
  get_property(others GLOBAL PROPERTY "of ${unit}")
  foreach(other IN LISTS others)
    visit(${other} "${way} -> ${other}")
  endforeach()
  set_property(GLOBAL PROPERTY "state ${unit}" "over")
endfunction()

list(REMOVE_DUPLICATES units)
foreach(unit IN LISTS units)
  visit(${unit} "${unit}")
endforeach()
get_property(circles GLOBAL PROPERTY circles)
list(REMOVE_DUPLICATES circles)
foreach(circle IN LISTS circles)
  wrong("${circle}")
endforeach()

if(errors)
  message(FATAL_ERROR "${errors} times against the rules of the house")
endif()

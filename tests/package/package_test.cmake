# SPDX-License-Identifier: Apache-2.0
# cmake -D WAY=prefix|source -D ... -P package_test.cmake
# Makes Fenceline available in one of the two ways, builds consumer/ against it, runs what came out.
cmake_minimum_required(VERSION 3.24)

function(step what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status STREQUAL "0")
    message("${output}")
    message(FATAL_ERROR "package: ${what} ended with ${status}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

if(WAY STREQUAL "prefix")
  # Installed, then moved: the package must not remember where it was built or first put.
  file(REMOVE_RECURSE "${WORK}")
  step("installing" ${CMAKE_COMMAND} --install "${BUILD}" --prefix "${WORK}/first")
  file(RENAME "${WORK}/first" "${WORK}/prefix")
  step("running the installed program" "${WORK}/prefix/bin/fenceline" --help)
  foreach(file man/man1/fenceline.1 man/man1/fenceline-run.1 bash-completion/completions/fenceline)
    if(NOT EXISTS "${WORK}/prefix/share/${file}")
      message(SEND_ERROR "package: expected share/${file} to be installed, found none")
    endif()
  endforeach()

  # What users include and what that includes, nothing else.
  file(GLOB doors RELATIVE "${WORK}/prefix/include/fenceline" "${WORK}/prefix/include/fenceline/*.hpp")
  if(NOT doors STREQUAL "d3d12.hpp;extend.hpp;fenceline.hpp;pix3.hpp")
    message(SEND_ERROR "package: expected d3d12.hpp, extend.hpp, fenceline.hpp and pix3.hpp on top of include/fenceline, found ${doors}")
  endif()
  file(GLOB_RECURSE headers RELATIVE "${WORK}/prefix/include/fenceline" "${WORK}/prefix/include/fenceline/*.hpp")
  set(included ${doors})
  file(GLOB_RECURSE windows_names "${WORK}/prefix/include/fenceline/*.h")
  foreach(header IN LISTS windows_names)
    file(STRINGS "${header}" includes REGEX "^ *# *include *\"")
    list(TRANSFORM includes REPLACE ".*\"(.*)\".*" "\\1")
    list(APPEND included ${includes})
  endforeach()
  foreach(header IN LISTS headers)
    file(STRINGS "${WORK}/prefix/include/fenceline/${header}" includes REGEX "^ *# *include *\"")
    foreach(include IN LISTS includes)
      string(REGEX REPLACE ".*\"(.*)\".*" "\\1" include "${include}")
      if(NOT EXISTS "${WORK}/prefix/include/fenceline/${include}")
        message(SEND_ERROR "package: ${header} is installed, but not ${include}, which it includes: is it in HEADERS?")
      endif()
      list(APPEND included ${include})
    endforeach()
  endforeach()
  foreach(header IN LISTS headers)
    if(NOT header IN_LIST included)
      message(SEND_ERROR "package: ${header} is installed, and nobody includes it")
    endif()
  endforeach()
  set(where -D "CMAKE_PREFIX_PATH=${WORK}/prefix")
  set(consumer "${WORK}/build")
else()
  # Kept from run to run: what is compiled of Fenceline is compiled a second time here, which is quickest as it comes.
  set(where -D "FENCELINE_SOURCE=${SOURCE}" -D CMAKE_CXX_FLAGS_DEBUG=-O0)
  set(BUILD_TYPE Debug)
  set(consumer "${BUILD}-package")
endif()

# The library's own compiler and flags: sanitizers have to agree.
step("configuring the consumer" ${CMAKE_COMMAND}
  -S "${SOURCE}/tests/package/consumer" -B "${consumer}" -G "${GENERATOR}"
  -D "CMAKE_CXX_COMPILER=${COMPILER}" -D "CMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}" -D "CMAKE_CXX_FLAGS=${FLAGS}"
  -D "CMAKE_BUILD_TYPE=${BUILD_TYPE}" -D "CMAKE_UNITY_BUILD=${UNITY}" ${where})

# All of Fenceline a second time is minutes: without FENCELINE_WHOLE_PACKAGE the lower floors are compiled inside the
# stranger's project, and the stranger's own sources against the upper ones, which are linked and run from the prefix.
if(WAY STREQUAL "source" AND NOT DEFINED ENV{FENCELINE_WHOLE_PACKAGE})
  set(own CMakeFiles/consumer_cxx17.dir/main.cpp.o CMakeFiles/consumer_cxx20.dir/main.cpp.o
    CMakeFiles/extend_consumer.dir/extend.cpp.o CMakeFiles/d3d12_consumer.dir/d3d12.cpp.o)
  step("building the consumer's sources, and engines and what is below" ${CMAKE_COMMAND} --build "${consumer}" --parallel 2
    --target ${own} split_consumer)
  step("running the consumer of the engines" "${consumer}/split_consumer")
  return()
endif()
step("building the consumer" ${CMAKE_COMMAND} --build "${consumer}" --parallel 2)
foreach(standard 17 20)
  step("running the consumer built as C++${standard}" "${consumer}/consumer_cxx${standard}")
  if(NOT output MATCHES "consumer: the fence came after [1-9]")
    message("${output}")
    message(FATAL_ERROR "package: the consumer's own main did not print what was expected")
  endif()
endforeach()

step("running the consumer that extends" "${consumer}/extend_consumer")
step("running the consumer's regression test" "${consumer}/scenario_test")

set(ENV{FENCELINE_MACHINE} tiny)
macro(run_d3d12 program)
  step("running ${program}" "${program}")
  if(NOT output STREQUAL "d3d12: the fence came\n")
    message(FATAL_ERROR "package: ${program} printed ${output}")
  endif()
endmacro()
macro(run_win32 program)
  set(ENV{FENCELINE_FRAMES} 4)
  step("running ${program}" "${program}")
  if(NOT output STREQUAL "win32: 1 thread with code 5, 4 turns\n")
    message(FATAL_ERROR "package: ${program} printed ${output}")
  endif()
endmacro()
run_d3d12("${consumer}/d3d12_consumer")

# C shares only the sanitizers with the library's flags.
separate_arguments(sanitizers UNIX_COMMAND "${FLAGS}")
list(FILTER sanitizers INCLUDE REGEX "sanitize")

if(WAY STREQUAL "prefix")
  step("configuring the examples" ${CMAKE_COMMAND}
    -S "${SOURCE}/examples" -B "${WORK}/examples" -G "${GENERATOR}"
    -D "CMAKE_CXX_COMPILER=${COMPILER}" -D "CMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}" -D "CMAKE_CXX_FLAGS=${FLAGS}"
    -D "CMAKE_BUILD_TYPE=${BUILD_TYPE}" ${where})
  step("building the examples" ${CMAKE_COMMAND} --build "${WORK}/examples" --parallel 2)
  step("holding the examples to their README" bash "${SOURCE}/tests/package/examples_test.sh"
    "${SOURCE}" "${WORK}/examples" "${WORK}/runs")
endif()

find_program(PKG_CONFIG pkg-config)
if(WAY STREQUAL "prefix" AND PKG_CONFIG)
  file(GLOB_RECURSE pc "${WORK}/prefix/*/fenceline.pc")
  get_filename_component(folder "${pc}" DIRECTORY)
  set(ENV{PKG_CONFIG_PATH} "${folder}")
  step("asking pkg-config" ${PKG_CONFIG} --cflags --libs fenceline)
  separate_arguments(flags UNIX_COMMAND "${FLAGS}")
  separate_arguments(package UNIX_COMMAND "${output}")
  step("building with pkg-config's flags" "${COMPILER}" ${flags} -std=c++17
    "${SOURCE}/tests/package/consumer/d3d12.cpp" ${package} -o "${WORK}/pkgconfig_consumer")
  run_d3d12("${WORK}/pkgconfig_consumer")

  step("building C with pkg-config's flags" "${C_COMPILER}" ${sanitizers} -Wl,--as-needed
    "${SOURCE}/tests/package/c_consumer/d3d12.c" ${package} -o "${WORK}/pkgconfig_c_consumer")
  run_d3d12("${WORK}/pkgconfig_c_consumer")

  step("asking pkg-config" ${PKG_CONFIG} --cflags --libs fenceline-windows-compat)
  separate_arguments(package UNIX_COMMAND "${output}")
  step("building Win32's C with pkg-config's flags" "${C_COMPILER}" ${sanitizers} -Wl,--as-needed
    "${SOURCE}/tests/package/c_consumer/win32.c" ${package} -o "${WORK}/pkgconfig_win32_consumer")
  run_win32("${WORK}/pkgconfig_win32_consumer")
endif()

if(WAY STREQUAL "prefix")
  list(JOIN sanitizers " " c_flags)
  step("configuring the consumer in C alone" ${CMAKE_COMMAND}
    -S "${SOURCE}/tests/package/c_consumer" -B "${WORK}/c_build" -G "${GENERATOR}"
    -D "CMAKE_C_COMPILER=${C_COMPILER}" -D "CMAKE_C_FLAGS=${c_flags}" -D "CMAKE_BUILD_TYPE=${BUILD_TYPE}" ${where})
  step("building the consumer in C alone" ${CMAKE_COMMAND} --build "${WORK}/c_build")
  run_d3d12("${WORK}/c_build/c_consumer")
  run_win32("${WORK}/c_build/win32_consumer")
endif()

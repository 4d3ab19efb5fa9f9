# SPDX-License-Identifier: Apache-2.0
# cmake -D INCLUDE=... -D ROOT=... -D C_COMPILER=... -D CXX_COMPILER=... -D WORK=... -P headers_test.cmake
# Compiles a program of one #include for each of Windows' headers, as C and as C++ with each compiler that there is.
cmake_minimum_required(VERSION 3.24)

find_program(PKG_CONFIG pkg-config REQUIRED)
execute_process(COMMAND ${PKG_CONFIG} --cflags DirectX-Headers OUTPUT_VARIABLE directx OUTPUT_STRIP_TRAILING_WHITESPACE)
string(REPLACE "-I" "-isystem" directx "${directx}")
separate_arguments(directx UNIX_COMMAND "${directx}")
find_program(CLANG clang)
find_program(CLANGXX clang++)

# compile(<header> <compiler> <flag>...)
function(compile header compiler)
  get_filename_component(name "${header}" NAME)
  set(source "${WORK}/one.h")
  file(WRITE "${source}" "#include <${header}>\n")
  execute_process(
    COMMAND "${compiler}" ${ARGN} -Wall -Wextra -Werror -fsyntax-only -I "${INCLUDE}" -I "${ROOT}" ${directx} "${source}"
    RESULT_VARIABLE status ERROR_VARIABLE output)
  if(NOT status STREQUAL "0")
    list(JOIN ARGN " " flags)
    message(SEND_ERROR "<${header}> with ${compiler} ${flags}:\n${output}")
  endif()
endfunction()

file(GLOB_RECURSE headers RELATIVE "${INCLUDE}" "${INCLUDE}/*.h")
list(LENGTH headers count)
if(count LESS 20)
  message(FATAL_ERROR "only ${count} headers found in ${INCLUDE}")
endif()
foreach(header IN LISTS headers)
  compile(${header} "${CXX_COMPILER}" -x c++ -std=c++17 -fpermissive -DUNICODE)
  compile(${header} "${CXX_COMPILER}" -x c++ -std=c++20 -fpermissive)
  if(CLANGXX)
    compile(${header} "${CLANGXX}" -x c++ -std=c++17 -fms-extensions -Wno-microsoft)
  endif()
  if(header MATCHES "^wrl|d3dx12") # of C++ alone, as on Windows
    continue()
  endif()
  compile(${header} "${C_COMPILER}" -x c -std=c11)
  compile(${header} "${C_COMPILER}" -x c -std=gnu17 -DUNICODE)
  if(CLANG)
    compile(${header} "${CLANG}" -x c -std=c11)
  endif()
endforeach()

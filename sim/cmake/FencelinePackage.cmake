# SPDX-License-Identifier: Apache-2.0
# What a stranger uses: the target fenceline::fenceline and `#include <fenceline/...>`, whether Fenceline was installed
# and found by find_package(fenceline) or stands in their tree by add_subdirectory.
include(CMakePackageConfigHelpers)

# api and its D3D12 face stand on all other floors, so to link them is to link the whole library. The name `fenceline` is the executable's.
add_library(fenceline_all INTERFACE)
add_library(fenceline::fenceline ALIAS fenceline_all)
target_link_libraries(fenceline_all INTERFACE fenceline::hlsl fenceline::d3d12 fenceline::api)
set_target_properties(fenceline_all PROPERTIES EXPORT_NAME fenceline)

# Whoever links with a C compiler has to be told of C++'s runtime.
set(cxx_runtime ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
list(FILTER cxx_runtime INCLUDE REGEX "^((stdc|c)\\+\\+|m)$")
list(REMOVE_DUPLICATES cxx_runtime)
target_link_libraries(fenceline_sim INTERFACE "$<$<LINK_LANGUAGE:C>:${cxx_runtime}>")

# In the build tree <fenceline/fenceline.hpp> is found through links to the source tree.
if(IS_SYMLINK ${PROJECT_BINARY_DIR}/include/fenceline) # of older versions, to the whole source tree
  file(REMOVE ${PROJECT_BINARY_DIR}/include/fenceline)
endif()
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/include/fenceline)
foreach(door IN LISTS FENCELINE_DOORS ITEMS sim engines bgproc shadercache scheduler api)
  cmake_path(GET door FILENAME name)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${door} ${PROJECT_BINARY_DIR}/include/fenceline/${name} SYMBOLIC)
endforeach()
target_sources(fenceline_all INTERFACE
  FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/api/public FILES ${FENCELINE_DOORS})
target_include_directories(fenceline_all INTERFACE $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>)

# Programs written for Windows include <fenceline/...>, too.
target_link_libraries(fenceline_windows_compat INTERFACE fenceline_all)

# A user of a static library links what it links: every Package::target of a floor becomes a find_dependency(Package).
set(packages)
foreach(floor sim engines bgproc shadercache scheduler api d3d12 hlsl)
  if(TARGET fenceline_${floor})
    get_target_property(links fenceline_${floor} LINK_LIBRARIES)
    list(APPEND packages ${links})
  endif()
endforeach()
list(FILTER packages INCLUDE REGEX "^[A-Za-z0-9_]+::")
list(TRANSFORM packages REPLACE "::.*" "")
list(REMOVE_ITEM packages fenceline)
list(REMOVE_DUPLICATES packages)
list(TRANSFORM packages REPLACE "(.+)" "find_dependency(\\1)")
list(JOIN packages "\n" FENCELINE_DEPENDENCIES)

set(FENCELINE_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/fenceline)
set(FENCELINE_CONFIGS_DIR ${CMAKE_INSTALL_DATADIR}/fenceline/configs)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/fenceline-config.cmake.in
  ${PROJECT_BINARY_DIR}/fenceline-config.cmake
  INSTALL_DESTINATION ${FENCELINE_CMAKE_DIR}
  PATH_VARS FENCELINE_CONFIGS_DIR CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/fenceline-config-version.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)

# For programs that ask pkg-config: the archives from the highest floor down, then what they need.
set(FENCELINE_PKGCONFIG_LIBS)
foreach(floor hlsl d3d12 api scheduler shadercache bgproc engines sim)
  if(TARGET fenceline_${floor})
    string(APPEND FENCELINE_PKGCONFIG_LIBS " -lfenceline_${floor}")
  endif()
endforeach()
list(JOIN cxx_runtime " -l" FENCELINE_CXX_RUNTIME)
# The HLSL compiler's own, which no pkg-config file brings along in this order.
get_target_property(links fenceline_hlsl LINK_LIBRARIES)
if("Glslang::Glslang" IN_LIST links)
  foreach(library IN LISTS Glslang_LIBRARIES)
    get_filename_component(name ${library} NAME_WE)
    string(REGEX REPLACE "^lib" " -l" name ${name})
    string(APPEND FENCELINE_PKGCONFIG_LIBS ${name})
  endforeach()
endif()
file(RELATIVE_PATH FENCELINE_PREFIX_FROM_PKGCONFIG /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
foreach(package fenceline fenceline-windows-compat)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${package}.pc.in ${PROJECT_BINARY_DIR}/${package}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

install(TARGETS fenceline_all EXPORT fenceline FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/fenceline)
install(EXPORT fenceline FILE fenceline-targets.cmake NAMESPACE fenceline:: DESTINATION ${FENCELINE_CMAKE_DIR})
install(FILES
  ${PROJECT_BINARY_DIR}/fenceline-config.cmake
  ${PROJECT_BINARY_DIR}/fenceline-config-version.cmake
  ${CMAKE_CURRENT_LIST_DIR}/FencelineVcxproj.cmake
  ${CMAKE_CURRENT_LIST_DIR}/FindDirectXHeaders.cmake
  ${CMAKE_CURRENT_LIST_DIR}/FindGlslang.cmake
  ${CMAKE_CURRENT_LIST_DIR}/FindSystemC.cmake
  ${CMAKE_CURRENT_LIST_DIR}/FindZstd.cmake
  DESTINATION ${FENCELINE_CMAKE_DIR})
install(TARGETS fenceline RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# Manual pages and completion are what the program itself says.
install(CODE "
  execute_process(COMMAND \"$<TARGET_FILE:fenceline>\" manual --write \"${PROJECT_BINARY_DIR}/usage/man1\"
                  COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND \"$<TARGET_FILE:fenceline>\" completion bash
                  OUTPUT_FILE \"${PROJECT_BINARY_DIR}/usage/fenceline\" COMMAND_ERROR_IS_FATAL ANY)")
install(DIRECTORY ${PROJECT_BINARY_DIR}/usage/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} FILES_MATCHING PATTERN "*.1")
install(FILES ${PROJECT_BINARY_DIR}/usage/fenceline
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/configs/ DESTINATION ${FENCELINE_CONFIGS_DIR})

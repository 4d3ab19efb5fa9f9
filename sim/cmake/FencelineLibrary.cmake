# SPDX-License-Identifier: Apache-2.0
# fenceline_library(<folder> HEADERS ... SOURCES ... LINKS ...): one folder is one floor is one static library,
# target fenceline_<folder>, exported as fenceline::<folder>, its headers installed under include/fenceline/<folder>.
include(GNUInstallDirs)

function(fenceline_library folder)
  cmake_parse_arguments(ARG "" "" "HEADERS;SOURCES;LINKS" ${ARGN})
  add_library(fenceline_${folder} STATIC ${ARG_SOURCES})
  add_library(fenceline::${folder} ALIAS fenceline_${folder})
  target_sources(fenceline_${folder} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${ARG_HEADERS})
  target_compile_features(fenceline_${folder} PUBLIC cxx_std_17)
  target_include_directories(fenceline_${folder} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/fenceline>)
  # The libraries go into a shared one, too (the D3D12 face), but nobody replaces their functions: they may be inlined.
  target_compile_options(fenceline_${folder} PRIVATE -fno-semantic-interposition)
  target_link_libraries(fenceline_${folder} PUBLIC ${ARG_LINKS})
  set_target_properties(fenceline_${folder} PROPERTIES EXPORT_NAME ${folder} POSITION_INDEPENDENT_CODE ON)
  install(TARGETS fenceline_${folder} EXPORT fenceline
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/fenceline)
endfunction()

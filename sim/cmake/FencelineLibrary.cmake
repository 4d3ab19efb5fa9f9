# SPDX-License-Identifier: Apache-2.0
# fenceline_library(<folder> HEADERS ... SOURCES ... LINKS ...): one folder is one floor is one static library,
# target fenceline_<folder>, exported as fenceline::<folder>, its headers installed under include/fenceline/<folder>.
include(GNUInstallDirs)

# fenceline_units(<target>): in a unity build the sources of a room are one translation unit. What they name in anonymous
# namespaces is therefore the room's, not the file's. (Most of a file's compilation is the headers that it includes.)
function(fenceline_units target)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    if(source MATCHES "\\.cpp$" AND NOT IS_ABSOLUTE ${source})
      get_filename_component(room ${source} DIRECTORY)
      string(MAKE_C_IDENTIFIER "room_${room}" group)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()

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
  fenceline_units(fenceline_${folder})
  set_target_properties(fenceline_${folder} PROPERTIES EXPORT_NAME ${folder} POSITION_INDEPENDENT_CODE ON)
  install(TARGETS fenceline_${folder} EXPORT fenceline
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/fenceline)
endfunction()

# SPDX-License-Identifier: Apache-2.0
# fenceline_library(<folder> HEADERS ... SOURCES ... LINKS ...): one folder is one floor is one static library,
# target fenceline_<folder>, exported as fenceline::<folder>, those of its headers that users see installed under
# include/fenceline/<folder>.
include(GNUInstallDirs)

# fenceline_closure(<out> <header>...): these headers and all of the project that they include, by their paths from the
# root.
function(fenceline_closure out)
  set(closure ${ARGN})
  set(index 0)
  list(LENGTH closure count)
  while(index LESS count)
    list(GET closure ${index} header)
    get_filename_component(folder ${header} DIRECTORY)
    file(STRINGS ${PROJECT_SOURCE_DIR}/${header} includes REGEX "^[ \t]*#[ \t]*include[ \t]*\"")
    foreach(include IN LISTS includes)
      string(REGEX REPLACE "^[^\"]*\"([^\"]*)\".*" "\\1" path "${include}")
      if(NOT EXISTS ${PROJECT_SOURCE_DIR}/${path}) # Windows' headers name each other by their own folders
        cmake_path(APPEND folder ${path} OUTPUT_VARIABLE path)
        cmake_path(NORMAL_PATH path)
      endif()
      if(NOT path IN_LIST closure)
        list(APPEND closure ${path})
      endif()
    endforeach()
    math(EXPR index "${index} + 1")
    list(LENGTH closure count)
  endwhile()
  set(${out} ${closure} PARENT_SCOPE)
endfunction()

# What users include: the headers of api/public, installed as include/fenceline/<header>, and Windows' names for programs
# that were written for it. Those and what they include are installed, nothing else.
file(GLOB FENCELINE_DOORS RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/api/public/*.hpp)
file(GLOB_RECURSE windows_names RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS
     ${PROJECT_SOURCE_DIR}/api/windows_compat/include/*.h)
fenceline_closure(FENCELINE_PUBLIC_HEADERS ${FENCELINE_DOORS} ${windows_names})
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${FENCELINE_PUBLIC_HEADERS})

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
  set(public)
  set(internal)
  foreach(header IN LISTS ARG_HEADERS)
    cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE path)
    cmake_path(APPEND path ${header})
    if(path IN_LIST FENCELINE_PUBLIC_HEADERS)
      list(APPEND public ${header})
    else()
      list(APPEND internal ${header})
    endif()
  endforeach()
  target_sources(fenceline_${folder} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${public})
  if(CMAKE_VERIFY_INTERFACE_HEADER_SETS AND internal) # which looks at what is installed alone
    add_library(fenceline_${folder}_internals INTERFACE)
    target_sources(fenceline_${folder}_internals INTERFACE
      FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${internal})
    target_link_libraries(fenceline_${folder}_internals INTERFACE fenceline_${folder})
  endif()
  target_compile_features(fenceline_${folder} PUBLIC cxx_std_17)
  target_include_directories(fenceline_${folder} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/fenceline>)
  # The libraries go into a shared one, too (the D3D12 face), but nobody replaces their functions: they may be inlined.
  target_compile_options(fenceline_${folder} PRIVATE -fno-semantic-interposition)
  # The model takes no object for one of another class, and a look at the class before each call is an eighth of its time.
  if(folder MATCHES "^(sim|engines|scheduler)$" AND CMAKE_BUILD_TYPE STREQUAL Sanitize AND NOT FENCELINE_FUZZER)
    target_compile_options(fenceline_${folder} PRIVATE -fno-sanitize=vptr)
  endif()
  target_link_libraries(fenceline_${folder} PUBLIC ${ARG_LINKS})
  fenceline_units(fenceline_${folder})
  set_target_properties(fenceline_${folder} PROPERTIES EXPORT_NAME ${folder} POSITION_INDEPENDENT_CODE ON)
  install(TARGETS fenceline_${folder} EXPORT fenceline
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/fenceline)
endfunction()

# SPDX-License-Identifier: Apache-2.0
# Finds glslang with its HLSL front end, and SPIRV-Tools' optimizer; defines Glslang::Glslang. Debian's packages are
# glslang-dev and spirv-tools, whose own config files do not bring each other along. Newer versions of glslang are fewer
# libraries: only the first two are asked for.
set(Glslang_LIBRARIES)
foreach(library SPIRV glslang MachineIndependent HLSL OGLCompiler GenericCodeGen OSDependent
                glslang-default-resource-limits SPIRV-Tools-opt SPIRV-Tools)
  find_library(Glslang_${library}_LIBRARY ${library})
  mark_as_advanced(Glslang_${library}_LIBRARY)
  if(Glslang_${library}_LIBRARY)
    list(APPEND Glslang_LIBRARIES ${Glslang_${library}_LIBRARY})
  endif()
endforeach()
find_path(Glslang_INCLUDE_DIR glslang/MachineIndependent/localintermediate.h)
find_path(Glslang_SPIRV_TOOLS_INCLUDE_DIR spirv-tools/optimizer.hpp)
mark_as_advanced(Glslang_INCLUDE_DIR Glslang_SPIRV_TOOLS_INCLUDE_DIR)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Glslang REQUIRED_VARS
  Glslang_SPIRV_LIBRARY Glslang_glslang_LIBRARY Glslang_SPIRV-Tools-opt_LIBRARY Glslang_SPIRV-Tools_LIBRARY
  Glslang_INCLUDE_DIR Glslang_SPIRV_TOOLS_INCLUDE_DIR)
if(Glslang_FOUND AND NOT TARGET Glslang::Glslang)
  find_package(Threads REQUIRED)
  add_library(Glslang::Glslang INTERFACE IMPORTED)
  target_include_directories(Glslang::Glslang INTERFACE ${Glslang_INCLUDE_DIR} ${Glslang_SPIRV_TOOLS_INCLUDE_DIR})
  target_link_libraries(Glslang::Glslang INTERFACE ${Glslang_LIBRARIES} Threads::Threads)
  # Its headers leave the front end out without this.
  target_compile_definitions(Glslang::Glslang INTERFACE ENABLE_HLSL=1)
endif()

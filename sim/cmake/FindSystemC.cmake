# SPDX-License-Identifier: Apache-2.0
# Finds SystemC through pkg-config (Debian's package brings no CMake config) and defines SystemC::systemc.
find_package(PkgConfig REQUIRED)
pkg_check_modules(SYSTEMC IMPORTED_TARGET systemc)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SystemC REQUIRED_VARS SYSTEMC_FOUND VERSION_VAR SYSTEMC_VERSION)
if(SystemC_FOUND AND NOT TARGET SystemC::systemc)
  add_library(SystemC::systemc INTERFACE IMPORTED)
  target_link_libraries(SystemC::systemc INTERFACE PkgConfig::SYSTEMC)
  # sc_spawn is declared only with this, and only when it is set before the first <systemc>.
  target_compile_definitions(SystemC::systemc INTERFACE SC_INCLUDE_DYNAMIC_PROCESSES)
  # Its link check compares this value, and Debian built it as C++17; users may compile as C++20.
  target_compile_definitions(SystemC::systemc INTERFACE SC_CPLUSPLUS=201703L)
  # libsystemc calls sc_main but stands behind our archives: ask for it from the start, so that the linker takes the one
  # in sim/kernel/sc_main.cpp.
  target_link_options(SystemC::systemc INTERFACE LINKER:-u,sc_main)
endif()

# SPDX-License-Identifier: Apache-2.0
# Finds libzstd through pkg-config (Debian's package brings no CMake config) and defines Zstd::Zstd.
find_package(PkgConfig REQUIRED)
pkg_check_modules(ZSTD IMPORTED_TARGET libzstd)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Zstd REQUIRED_VARS ZSTD_FOUND VERSION_VAR ZSTD_VERSION)
if(Zstd_FOUND AND NOT TARGET Zstd::Zstd)
  add_library(Zstd::Zstd INTERFACE IMPORTED)
  target_link_libraries(Zstd::Zstd INTERFACE PkgConfig::ZSTD)
endif()

# SPDX-License-Identifier: Apache-2.0
# Finds Microsoft's D3D12 headers and their IID_* values through pkg-config (Debian's package brings no CMake config) and
# defines DirectXHeaders::DirectXHeaders. As an imported target its headers are system headers: their warnings are theirs.
find_package(PkgConfig REQUIRED)
pkg_check_modules(DIRECTX_HEADERS IMPORTED_TARGET DirectX-Headers)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(DirectXHeaders REQUIRED_VARS DIRECTX_HEADERS_FOUND
                                  VERSION_VAR DIRECTX_HEADERS_VERSION)
if(DirectXHeaders_FOUND AND NOT TARGET DirectXHeaders::DirectXHeaders)
  add_library(DirectXHeaders::DirectXHeaders INTERFACE IMPORTED)
  target_link_libraries(DirectXHeaders::DirectXHeaders INTERFACE PkgConfig::DIRECTX_HEADERS)
endif()

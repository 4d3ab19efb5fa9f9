// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/root/root_layout.hpp"
#include "engines/command/dxbc_container.hpp"

#include <string>
#include <string_view>
#include <variant>

namespace fenceline::d3d12 {

/// A signed DXBC container with one RTS0 part of the layout's version. Version 1.0 has no flags but the signature's.
/// The layout follows its rules.
std::string serialize_root_signature(const RootLayout& layout);

/// Reads the RTS0 part of a container, versions 1.0 and 1.1, a shader's, too. What is in it is within its bytes, but
/// may break check_root_layout's rules.
std::variant<RootLayout, DxbcError> parse_root_signature(const DxbcContainer& container);
/// Reads the RTS0 part of a container that those bytes are. What is in it may break check_root_layout's rules.
std::variant<RootLayout, DxbcError> parse_root_signature(std::string_view bytes);

/// What CreateRootSignature takes: the RTS0 part of a container that keeps check_root_layout's rules. E_FAIL for a
/// container without that part, E_INVALIDARG otherwise.
std::variant<RootLayout, Verdict> read_root_signature(std::string_view bytes);

}  // namespace fenceline::d3d12

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fenceline {

/// What executes a command.
enum class CommandWork : std::uint8_t {
  front_end,  ///< nothing but the front end
  draw,       ///< the graphics pipeline
  grid,       ///< the shader array alone: thread groups without fixed-function stages around them
  copy,       ///< memory and PCIe, as its `cost` says
  access,     ///< video memory, as its `accessed_bytes` says
  arguments,  ///< the front end reads memory for commands that it then issues
  stuck,      ///< none: nothing but a reset ends it
};

/// Which types of command list have a command's method.
struct ListTypes {
  bool direct = false;
  bool compute = false;
  bool copy = false;
  bool bundle = false;
};
constexpr ListTypes direct_lists = {true, false, false, false};
constexpr ListTypes direct_lists_and_bundles = {true, false, false, true};
constexpr ListTypes direct_and_compute_lists = {true, true, false, false};
constexpr ListTypes shader_lists_and_bundles = {true, true, false, true};
constexpr ListTypes all_lists_but_bundles = {true, true, true, false};

namespace command_rule {
/// D3D12 skips it while a predicate says so. Source: learn.microsoft.com, "Predication".
constexpr unsigned predicated = 1;
/// Source: DirectX-Specs, RenderPasses, "the list of disallowed APIs within a Render Pass".
constexpr unsigned not_in_render_pass = 2;
/// Begins only when every earlier command of its list is complete.
constexpr unsigned waits_for_all = 4;
/// An ExecuteIndirect may repeat it.
constexpr unsigned repeatable = 8;
}  // namespace command_rule

/// What is so of every command of a kind: each kind says it beside its struct, and one that does not is no Command.
struct CommandTraits {
  const char* name;  ///< D3D12's word for it
  CommandWork work;
  /// Source: D3D12's table of methods per command list type (d3d12.h's ID3D12GraphicsCommandList pages).
  ListTypes lists;
  unsigned rules = 0;  ///< of command_rule
  bool has(unsigned rule) const { return (rules & rule) != 0; }
};

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/pgo/constants_key.hpp"
#include "api/resources/resource_table.hpp"
#include "api/workload/workload.hpp"
#include "engines/command/command.hpp"

#include <functional>
#include <string>
#include <variant>

namespace fenceline {

/// The stream's last command uses the resources that `each` shows it, of a copy its source before its destination.
void add_uses(CommandStream& stream, const ResourceTable& resources,
              const std::function<void(const NameVisitor&)>& each);
/// What the list uses besides; each of all its allocations is listed then, once. ConfigError at `pointer`, the list's,
/// where it names something else than resources.
void end_uses(CommandStream& stream, const ResourceTable& resources, const CommandListInfo& list,
              const std::string& pointer);

/// The root constants that a command has bound; 0: it says none.
template <class Info>
ConstantsKey constants_of(const Info&) {
  return 0;
}
inline ConstantsKey constants_of(const DrawCommand& draw) { return constants_key(draw.root_constants); }
inline ConstantsKey constants_of(const DrawIndexedCommand& draw) { return constants_key(draw.root_constants); }
inline ConstantsKey constants_of(const DispatchCommand& dispatch) { return constants_key(dispatch.root_constants); }
inline ConstantsKey constants_of(const ExecuteIndirectCommand& execute) {
  return std::visit([](const auto& info) { return constants_of(info); }, execute.command);
}

/// What a command says of its shaders; null: it runs none.
template <class Info>
const ShaderInputs* inputs_of(const Info&) {
  return nullptr;
}
inline const ShaderInputs* inputs_of(const DrawCommand& draw) { return &draw.inputs; }
inline const ShaderInputs* inputs_of(const DrawIndexedCommand& draw) { return &draw.inputs; }
inline const ShaderInputs* inputs_of(const DispatchCommand& dispatch) { return &dispatch.inputs; }
inline const ShaderInputs* inputs_of(const ExecuteIndirectCommand& execute) {
  return std::visit([](const auto& info) { return &info.inputs; }, execute.command);
}

}  // namespace fenceline

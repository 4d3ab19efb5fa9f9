// SPDX-License-Identifier: Apache-2.0
#include "engines/command/command.hpp"

namespace fenceline {

const char* name_of(const Command& command) {
  struct Name {
    const char* operator()(const Draw&) const { return "DrawInstanced"; }
    const char* operator()(const DrawIndexed&) const { return "DrawIndexedInstanced"; }
    const char* operator()(const Dispatch&) const { return "Dispatch"; }
    const char* operator()(const CopyBuffer&) const { return "CopyBufferRegion"; }
    const char* operator()(const CopyTexture&) const { return "CopyTextureRegion"; }
    const char* operator()(const Clear&) const { return "Clear"; }
    const char* operator()(const Barrier&) const { return "ResourceBarrier"; }
    const char* operator()(const Timestamp&) const { return "EndQuery"; }
    const char* operator()(const ExecuteIndirect&) const { return "ExecuteIndirect"; }
    const char* operator()(const Resolve&) const { return "ResolveSubresource"; }
    const char* operator()(const BeginQuery&) const { return "BeginQuery"; }
    const char* operator()(const EndQuery&) const { return "EndQuery"; }
    const char* operator()(const ResolveQueryData&) const { return "ResolveQueryData"; }
    const char* operator()(const SetPredication&) const { return "SetPredication"; }
    const char* operator()(const BeginRenderPass&) const { return "BeginRenderPass"; }
    const char* operator()(const EndRenderPass&) const { return "EndRenderPass"; }
  };
  return std::visit(Name{}, command);
}

// Source: D3D12's predication (learn.microsoft.com, "Predication").
bool is_predicated(const Command& command) {
  struct Predicated {
    bool operator()(const Draw&) const { return true; }
    bool operator()(const DrawIndexed&) const { return true; }
    bool operator()(const Dispatch&) const { return true; }
    bool operator()(const CopyBuffer&) const { return true; }
    bool operator()(const CopyTexture&) const { return true; }
    bool operator()(const Clear&) const { return true; }
    bool operator()(const Barrier&) const { return false; }
    bool operator()(const Timestamp&) const { return false; }
    bool operator()(const ExecuteIndirect&) const { return true; }
    bool operator()(const Resolve&) const { return true; }
    bool operator()(const BeginQuery&) const { return false; }
    bool operator()(const EndQuery&) const { return false; }
    bool operator()(const ResolveQueryData&) const { return false; }
    bool operator()(const SetPredication&) const { return false; }
    bool operator()(const BeginRenderPass&) const { return false; }
    bool operator()(const EndRenderPass&) const { return false; }
  };
  return std::visit(Predicated{}, command);
}

std::uint64_t argument_bytes(const IndirectCall& call) {
  constexpr std::uint64_t count_bytes = 4;
  return call.count * call.stride_bytes + (call.count_buffer ? count_bytes : 0);
}

std::string_view label_of(const CommandStream& stream, const Command& command) {
  if (const auto* draw = std::get_if<Draw>(&command)) return stream.graphics_pipelines[draw->pipeline].name;
  if (const auto* indexed = std::get_if<DrawIndexed>(&command)) {
    return stream.graphics_pipelines[indexed->draw.pipeline].name;
  }
  if (const auto* dispatch = std::get_if<Dispatch>(&command)) return stream.compute_pipelines[dispatch->pipeline].name;
  return name_of(command);
}

}  // namespace fenceline

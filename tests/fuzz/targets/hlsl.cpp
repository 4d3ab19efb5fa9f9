// SPDX-License-Identifier: Apache-2.0
// HLSL: it compiles, or there are messages. The front end works in a child, so that a fuzzer sees what is around it.
#include "api/hlsl/hlsl_compiler.hpp"
#include "tests/fuzz/targets/target.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace fenceline::testing {
namespace {

/// The profile in the first line, the source behind it.
void hlsl(std::string_view bytes) {
  const std::size_t line = bytes.find('\n');
  if (line == std::string_view::npos) return;
  d3d12::HlslSource source;
  source.profile = std::string(bytes.substr(0, line));
  source.text = std::string(bytes.substr(line + 1));
  const d3d12::HlslResult result = d3d12::compile_hlsl(source);
  if (result.code.empty() && result.messages.empty()) throw std::logic_error("neither code nor a message");
}

std::vector<std::string> hlsl_seeds() {
  return {
      "ps_6_0\nTexture2D t : register(t0); SamplerState s : register(s0);\n"
      "float4 main(float4 p : SV_Position, float2 uv : UV) : SV_Target { return t.Sample(s, uv) * p; }\n",
      "cs_6_0\nRWStructuredBuffer<float4> o : register(u0); groupshared float g[64];\n"
      "[numthreads(8, 8, 1)] void main(uint3 id : SV_DispatchThreadID, uint i : SV_GroupIndex) { g[i] = id.x; o[i] = "
      "g[63 - i]; }\n",
      "vs_5_1\nfloat4 main(float3 x : POSITION, uint i : SV_VertexID) : SV_Position { return float4(x, i); }\n"};
}

}  // namespace

std::vector<FuzzTarget> hlsl_targets() { return {{"hlsl", hlsl, hlsl_seeds}}; }

}  // namespace fenceline::testing

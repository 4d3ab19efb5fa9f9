// SPDX-License-Identifier: Apache-2.0
// What compiled HLSL costs: instructions by kind, one for each component.
#include "tests/hlsl/compile.hpp"

#include <array>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

ShaderCost cost_of(const std::string& profile, const std::string& text) {
  const auto shader = shader_of(profile, text);
  REQUIRE(shader.stat);
  return shader.stat->cost;
}

/// ALU and transcendental instructions that an expression of float4 x, y and z, float s and uint n takes beyond those
/// of reading its arguments and writing the result.
std::array<double, 2> cost_of(const std::string& expression) {
  const auto of = [](const std::string& text) {
    return cost_of("ps_6_0",
                   "float4 main(float4 x : X, float4 y : Y, float4 z : Z, float s : S, nointerpolation uint n : N, "
                   "nointerpolation uint m : M, out float4 all : SV_Target1) : SV_Target {\n  all = float4(x.x, y.x, "
                   "z.x, s) + n + m;\n  "
                   "return " +
                       text + ";\n}");
  };
  const ShaderCost with = of(expression);
  // All arguments are read either way. What the compiler takes from several reads is one.
  const ShaderCost without = of("float4(x.y, y.y, z.y, 0)");
  return {with.alu_instructions - without.alu_instructions, with.sfu_instructions - without.sfu_instructions};
}

using Cost = std::array<double, 2>;

}  // namespace

TEST_CASE("HLSL cost: arithmetic by component; a product within a sum is one instruction with it", "[hlsl]") {
  CHECK(cost_of("x + y") == Cost{4, 0});
  CHECK(cost_of("x * y") == Cost{4, 0});
  CHECK(cost_of("x * y + z") == Cost{4, 0});
  CHECK(cost_of("x * y + z * s") == Cost{8, 0});  // the other product stands alone
  CHECK(cost_of("(x * y + z) * s") == Cost{8, 0});
  CHECK(cost_of("dot(x, y)") == Cost{4, 0});
  CHECK(cost_of("-x.wzyx") == Cost{0, 0});
  CHECK(cost_of("max(x, y)") == Cost{4, 0});
  CHECK(cost_of("float4(x.x + y.x, x.yzw)") == Cost{1, 0});
  CHECK(cost_of("asfloat(asuint(s) + n)") == Cost{1, 0});
}

TEST_CASE("HLSL cost: transcendental functions and divisions", "[hlsl]") {
  CHECK(cost_of("sqrt(s)") == Cost{0, 1});
  CHECK(cost_of("sqrt(x)") == Cost{0, 4});
  CHECK(cost_of("sin(s)") == Cost{1, 1});
  CHECK(cost_of("cos(x.xy).xyxy") == Cost{2, 2});
  CHECK(cost_of("pow(abs(s), y.x)") == Cost{1, 2});
  CHECK(cost_of("exp2(s)") == Cost{0, 1});
  CHECK(cost_of("x / y") == Cost{4, 4});
  CHECK(cost_of("rsqrt(s)") == Cost{0, 1});
  CHECK(cost_of("normalize(x)") == Cost{8, 1});
  CHECK(cost_of("length(x)") == Cost{4, 1});
}

TEST_CASE("HLSL cost: functions count where they are called, and dead code nowhere", "[hlsl]") {
  const std::string square = "float4 main(float4 x : X) : SV_Target { return x * x; }";
  const double once = cost_of("ps_6_0", square).alu_instructions;
  CHECK(once == 4 + 4 + 4);  // read, product, written
  const std::string called = R"(
float4 square(float4 v) { return v * v; }
float4 unused(float4 v) { return sin(v); }
float4 main(float4 x : X) : SV_Target { float4 dead = cos(x); return square(square(x)); })";
  CHECK(cost_of("ps_6_0", called).alu_instructions == once + 4);
  CHECK(cost_of("ps_6_0", called).sfu_instructions == 0);
}

TEST_CASE("HLSL cost: texture instructions, loads and stores of buffers, accesses to shared memory", "[hlsl]") {
  const auto samples = [](int count) {
    std::string text = "Texture2D t; SamplerState s;\nfloat4 main(float2 uv : UV) : SV_Target {\n  float4 sum = 0;\n";
    for (int i = 0; i < count; ++i) text += "  sum += t.Sample(s, uv * " + std::to_string(i + 2) + ");\n";
    return cost_of("ps_6_0", text + "  return sum;\n}").texture_samples;
  };
  for (const int count : {1, 3, 16}) CHECK(samples(count) == count);

  const ShaderCost buffers = cost_of("cs_6_0", R"(
StructuredBuffer<float4> a; Buffer<float> b; RWStructuredBuffer<float> c; RWTexture2D<float4> d;
[numthreads(64, 1, 1)] void main(uint3 i : SV_DispatchThreadID) { c[i.x] = a[i.y].x + b[i.x]; d[i.xy] = 1; })");
  CHECK(buffers.texture_samples == 4);
  CHECK(buffers.shared_accesses == 0);

  const ShaderCost shared = cost_of("cs_6_0", R"(
groupshared float4 g[64]; groupshared uint count; RWStructuredBuffer<float4> o;
[numthreads(64, 1, 1)] void main(uint i : SV_GroupIndex) {
  g[i] = float4(i, i, i, i);
  InterlockedAdd(count, 1);
  GroupMemoryBarrierWithGroupSync();
  o[i] = g[63 - i];
})");
  CHECK(shared.shared_accesses == 4 + 1 + 4);
  CHECK(shared.texture_samples == 1);
}

TEST_CASE("HLSL cost: a loop's body counts once, however often it runs", "[hlsl]") {
  const auto loop = [](const std::string& times) {
    return cost_of(
        "ps_6_0",
        "float4 main(float4 x : X, nointerpolation uint n : N) : SV_Target {\n  [loop] for (uint i = 0; i < " + times +
            "; ++i) x = sin(x);\n  return x;\n}");
  };
  CHECK(loop("n").sfu_instructions == 4);
  CHECK(loop("n + 3").sfu_instructions == 4);
  CHECK(loop("100").sfu_instructions == 4);
}

TEST_CASE("HLSL cost: the program has all that was counted, each once", "[hlsl]") {
  const ShaderCost cost = cost_of("cs_6_0", R"(
groupshared float4 g[64]; RWStructuredBuffer<float4> o;
[numthreads(64, 1, 1)] void main(uint i : SV_GroupIndex, uint3 at : SV_GroupID) {
  for (uint n = 0; n < at.x; ++n) g[i] += sin(float4(i, n, i, n));
  o[i] = g[63 - i];
})");
  CHECK(cost.sfu_instructions == 4);  // a loop counts once
  CHECK(cost.code_instructions ==
        cost.alu_instructions + cost.sfu_instructions + cost.texture_samples + cost.shared_accesses);
}

TEST_CASE("HLSL cost: more of an operation never costs less", "[hlsl]") {
  for (const char* const term : {"sin(v)", "v * v + 1.5", "rsqrt(v + 2)"}) {
    ShaderCost before;
    std::string text = "v";
    for (int depth = 0; depth < 6; ++depth) {
      const ShaderCost now =
          cost_of("ps_6_0", "float f(float v) { return " + std::string(term) +
                                "; }\nfloat4 main(float v : V) : SV_Target { return " + text + "; }");
      CHECK(now.alu_instructions + now.sfu_instructions >=
            before.alu_instructions + before.sfu_instructions + (depth > 0 ? 1 : 0));
      before = now;
      text = "f(" + text + ")";
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
#include "tests/hlsl/compile.hpp"

#include <iterator>
#include <random>

using namespace fenceline::testing;
using namespace fenceline::d3d12;

namespace {

const char* const seeds[] = {
    R"(cbuffer C : register(b0) { float4 tint; float4x4 m[2]; };
Texture2D t : register(t0); SamplerState s : register(s0);
struct V { float4 p : SV_Position; float2 uv : TEXCOORD; nointerpolation uint id : ID; };
float4 main(V v, bool f : SV_IsFrontFace) : SV_Target { if (f) discard; return t.Sample(s, v.uv) * tint + mul(v.p, m[1]); })",
    R"(struct P { float3 x : POSITION; float2 uv[2] : TEXCOORD3; uint i : SV_VertexID; };
StructuredBuffer<P> b : register(t1, space2);
#define SUM(a) (a.x + a.y)
float4 main(P p, inout float4 c : COLOR) : SV_Position { float4 r = 0; [unroll] for (int i = 0; i < 3; ++i) r += SUM(p.uv[1]) * b[i].x.xyzz; c = r; return r; })",
    R"(RWStructuredBuffer<float4> o : register(u0); groupshared float g[64]; RWTexture2D<float4> im : register(u2);
[numthreads(8, 8, 1)] void main(uint3 id : SV_DispatchThreadID, uint gi : SV_GroupIndex) {
  g[gi] = sin(id.x); GroupMemoryBarrierWithGroupSync(); switch (id.y & 3) { case 0: o[id.x] = g[63 - gi]; break; default: im[id.xy] = 1; } })",
};

const char* const words[] = {"float4",
                             "(",
                             ")",
                             "{",
                             "}",
                             "[",
                             "]",
                             ";",
                             ":",
                             "::",
                             "main",
                             "SV_Position",
                             "uint",
                             "0",
                             "-1",
                             "4294967295",
                             "0x",
                             "1e999",
                             "<",
                             ">",
                             "Texture2D",
                             "#define",
                             "#include \"x\"",
                             "#if",
                             "\n",
                             "struct",
                             "in",
                             "out",
                             "register(t0)",
                             "numthreads(0,0,0)",
                             ".",
                             "xyzw",
                             "\"",
                             "/*",
                             "//",
                             "void"};

/// Text that is nearly this one: words and characters taken out, doubled, moved or put in.
std::string mutated(std::string text, std::mt19937_64& random) {
  for (std::size_t times = 1 + random() % 3; times > 0 && !text.empty(); --times) {
    const std::size_t at = random() % text.size();
    const std::size_t length = 1 + random() % 24;
    switch (random() % 5) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(at, words[random() % std::size(words)]); break;
      case 2: text.insert(random() % text.size(), text.substr(at, length)); break;
      case 3: text[at] = static_cast<char>(random()); break;
      default: text.resize(random() % 4 == 0 ? at : text.size());
    }
  }
  return text;
}

}  // namespace

TEST_CASE("HLSL fuzz: mutated text is compiled into sound code or refused with a message", "[hlsl][fuzz]") {
  std::mt19937_64 random(77);
  const char* const profiles[] = {"ps_6_0", "vs_6_0", "cs_6_0"};
  int compiles = 0;
  int refused = 0;
  for (int round = 0; round < 150; ++round) {
    const std::size_t which = static_cast<std::size_t>(round) % std::size(seeds);
    HlslSource made =
        source(random() % 10 == 0 ? profiles[random() % 3] : profiles[which], mutated(seeds[which], random));
    made.include = [](const std::string&, const std::string&, bool) {
      return std::optional<HlslInclude>(HlslInclude{"x", "#include \"x\"\n"});  // without an end
    };
    CAPTURE(round, made.text);
    const HlslResult result = compile_hlsl(made);
    if (result.code.empty()) {
      ++refused;
      REQUIRE(result.messages.find("error: ") != std::string::npos);
    } else {
      ++compiles;
      REQUIRE(std::holds_alternative<ShaderBytecode>(parse_shader_bytecode(result.code)));
    }
  }
  CHECK(compiles > 10);
  CHECK(refused > 50);
}

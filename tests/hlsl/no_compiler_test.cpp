// SPDX-License-Identifier: Apache-2.0
// A build without glslang says so.
#include "api/hlsl/hlsl_compiler.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>

using namespace fenceline::testing;

TEST_CASE("HLSL: a build without glslang says that it has no compiler", "[hlsl]") {
  CHECK_FALSE(fenceline::d3d12::has_hlsl_compiler());
  fenceline::d3d12::HlslSource source;
  source.profile = "ps_6_0";
  const auto result = fenceline::d3d12::compile_hlsl(source);
  CHECK(result.code.empty());
  CHECK(result.messages.find("this build of Fenceline has no HLSL compiler") != std::string::npos);

  const Shell shell;
  shell.write("a.hlsl", "float4 main() : SV_Target { return 1; }");
  const Output output = shell.fenceline({"shader", "-T", "ps_6_0", "a.hlsl"});
  CHECK(output.code == 1);
  CHECK(output.err.find("a.hlsl: error: this build of Fenceline has no HLSL compiler") == 0);
}

// SPDX-License-Identifier: Apache-2.0
// `fenceline shader`, with the options of dxc.
#include "tests/hlsl/compile.hpp"
#include "tests/support/shell.hpp"

#include <regex>

using namespace fenceline::testing;

namespace {

const std::string text = R"(#include "shared.hlsli"
Texture2D image : register(t0);
[numthreads(GROUP, 1, 1)] void CSMain(uint i : SV_DispatchThreadID) {}
float4 PSMain(float2 uv : TEXCOORD) : SV_Target { return uv.x * SCALE; }
)";

struct Project : Shell {
  Project() {
    write("shaders.hlsl", text);
    std::filesystem::create_directories(work() / "include");
    write("include/shared.hlsli", "#define SCALE 2\n#ifndef GROUP\n#define GROUP 64\n#endif\n");
  }
  std::string bytes(const std::string& name) const { return contents_of(work() / name); }
};

/// The bytes of an array in a C header.
std::string bytes_of_header(const std::string& header) {
  std::string bytes;
  const std::string array = header.substr(header.find('{'));
  const std::regex number("0x([0-9a-f]{2})");
  for (std::sregex_iterator at(array.begin(), array.end(), number), end; at != end; ++at) {
    bytes.push_back(static_cast<char>(std::stoi((*at)[1], nullptr, 16)));
  }
  return bytes;
}

}  // namespace

TEST_CASE("fenceline shader: compiles as dxc is asked to", "[hlsl]") {
  const Project project;
  const std::vector<std::vector<std::string>> forms = {
      {"shader", "-T", "cs_6_0", "-E", "CSMain", "-I", "include", "-Fo", "a.cso", "shaders.hlsl"},
      {"shader", "-Tcs_6_0", "-ECSMain", "-Iinclude", "-Foa.cso", "shaders.hlsl"},
      {"shader",
       "shaders.hlsl",
       "-nologo",
       "-O3",
       "-Zi",
       "-Qembed_debug",
       "-HV",
       "2021",
       "-T",
       "cs_6_0",
       "-E",
       "CSMain",
       "-I",
       "nowhere",
       "-I",
       "include",
       "-Fd",
       "a.pdb",
       "-Qstrip_debug",
       "-Fo",
       "a.cso"},
      {"shader", "-O0", "-HV2018", "-Od", "-Zpr", "-T", "cs_5_1", "-E", "CSMain", "-I", "include", "-Fo", "a.cso",
       "shaders.hlsl"}};
  std::string first;
  for (const auto& arguments : forms) {
    const Output output = project.fenceline(arguments);
    CAPTURE(output.err);
    REQUIRE(output.code == 0);
    CHECK(output.out.empty());
    CHECK(output.err.empty());
    const auto shader = parsed(project.bytes("a.cso"));
    CHECK(*shader.declarations.threads == std::array<std::uint32_t, 3>{64, 1, 1});
    if (first.empty()) first = project.bytes("a.cso");
    CHECK(project.bytes("a.cso") == first);
    std::filesystem::remove(project.work() / "a.cso");
  }
  CHECK_FALSE(std::filesystem::exists(project.work() / "a.pdb"));
}

TEST_CASE("fenceline shader: macros of the command line", "[hlsl]") {
  const Project project;
  for (const std::string define : {"-DGROUP=32", "-DGROUP=0x20", "-DGROUP=(16 * 2)"}) {
    REQUIRE(project
                .fenceline({"shader", "-T", "cs_6_0", "-E", "CSMain", define, "-D", "OTHER", "-I", "include", "-Fo",
                            "a.cso", "shaders.hlsl"})
                .code == 0);
    CHECK(parsed(project.bytes("a.cso")).declarations.threads->front() == 32);
  }
}

TEST_CASE("fenceline shader: a header has the same bytes under the name that is asked for", "[hlsl]") {
  const Project project;
  const std::vector<std::string> all = {"shader", "-T", "ps_6_0", "-E", "PSMain", "-I", "include", "shaders.hlsl"};
  auto with = [&](const std::vector<std::string>& more) {
    auto arguments = all;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return project.fenceline(arguments).code;
  };
  REQUIRE(with({"-Fo", "a.cso", "-Fh", "a.h"}) == 0);
  const std::string header = project.bytes("a.h");
  CHECK(header.find("const unsigned char g_PSMain[] = {") != std::string::npos);
  CHECK(bytes_of_header(header) == project.bytes("a.cso"));
  REQUIRE(with({"-Fh", "b.h", "-Vn", "g_pixels"}) == 0);
  CHECK(project.bytes("b.h").find("const unsigned char g_pixels[] = {") != std::string::npos);
  CHECK(bytes_of_header(project.bytes("b.h")) == project.bytes("a.cso"));
  project.write("main.c",
                "#include \"b.h\"\n#include \"a.h\"\n_Static_assert(sizeof g_pixels == sizeof g_PSMain, \"\");\n");
  CHECK(project.run("cc -c main.c -o main.o").code == 0);
}

TEST_CASE("fenceline shader: without a file to write it prints what the code is", "[hlsl]") {
  const Project project;
  const Output output = project.fenceline({"shader", "-T", "ps_6_0", "-E", "PSMain", "-I", "include", "shaders.hlsl"});
  REQUIRE(output.code == 0);
  CHECK(output.out.find("input      TEXCOORD0: float xy, register 0\n") != std::string::npos);
  CHECK(output.out.find("output     SV_TARGET0: float xyzw, register 0\n") != std::string::npos);
  CHECK(output.out.find("a thread   ") != std::string::npos);
}

TEST_CASE("fenceline shader: what does not compile leaves no file and 1, with the place", "[hlsl]") {
  const Project project;
  project.write("bad.hlsl", "float4 main() : SV_Target {\n  return x;\n}\n");
  const Output bad = project.fenceline({"shader", "-T", "ps_6_0", "bad.hlsl", "-Fo", "bad.cso"});
  CHECK(bad.code == 1);
  CHECK(bad.out.empty());
  CHECK(bad.err.find("bad.hlsl:2: error: 'x' : unknown variable\n") == 0);
  CHECK_FALSE(std::filesystem::exists(project.work() / "bad.cso"));
  const Output missing = project.fenceline({"shader", "-T", "ps_6_0", "-E", "PSMain", "shaders.hlsl"});
  CHECK(missing.code == 1);
  CHECK(missing.err.find("shaders.hlsl:1: error: '#include'") == 0);
  const Output mesh = project.fenceline({"shader", "-T", "ms_6_5", "bad.hlsl"});
  CHECK(mesh.code == 1);
  CHECK(mesh.err.find("mesh shaders") != std::string::npos);
  project.write(
      "warns.hlsl",
      "typedef struct { float4 a : A; } S;\nstruct T { float x = 1; };\nfloat4 main() : SV_Target { return 1; }\n");
  CHECK(project.fenceline({"shader", "-T", "ps_6_0", "warns.hlsl"}).code == 0);
  CHECK(project.fenceline({"shader", "-T", "ps_6_0", "-WX", "warns.hlsl"}).code == 1);
}

TEST_CASE("fenceline shader: a wrong command line is told, with 2", "[hlsl]") {
  const Project project;
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{"shader"}, "fenceline shader: expected a source file, found none\n"},
      {{"shader", "shaders.hlsl"}, "fenceline shader: expected a target profile, such as -T ps_6_0, found none\n"},
      {{"shader", "-T", "ps_6_0", "a.hlsl", "b.hlsl"},
       "fenceline shader: expected one source file, found a.hlsl and b.hlsl\n"},
      {{"shader", "-T", "ps_6_0", "none.hlsl"},
       "fenceline shader: expected a readable source file, found \"none.hlsl\"\n"},
      {{"shader", "a.hlsl", "-T"}, "fenceline shader: expected a value behind -T, found the end\n"},
      {{"shader", "a.hlsl", "-spirv"},
       "fenceline shader: expected an option of dxc's that is here, found -spirv; fenceline shader -help lists "
       "them\n"}};
  for (const auto& [arguments, message] : cases) {
    const Output output = project.fenceline(arguments);
    CHECK(output.code == 2);
    CHECK(output.err == message);
  }
  for (const char* const help : {"-h", "-help", "--help"}) {
    const Output output = project.fenceline({"shader", help});
    CHECK(output.code == 0);
    CHECK(output.out.find("usage: fenceline shader -T PROFILE") != std::string::npos);
  }
}

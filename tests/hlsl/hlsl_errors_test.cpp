// SPDX-License-Identifier: Apache-2.0
// What does not compile is told with file and line.
#include "api/hlsl/include_files.hpp"
#include "tests/hlsl/compile.hpp"
#include "tests/support/temporary_directory.hpp"

#include <filesystem>

using namespace fenceline::testing;
using namespace fenceline::d3d12;

namespace {

/// The messages of a source that does not compile.
std::string messages_of(const HlslSource& made) {
  const HlslResult result = compile_hlsl(made);
  CHECK(result.code.empty());
  return result.messages;
}
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

bool has_line(const std::string& messages, const std::string& begin) {
  return ("\n" + messages).find("\n" + begin) != std::string::npos;
}

}  // namespace

TEST_CASE("HLSL errors: stand at the line of their file", "[hlsl]") {
  HlslSource made = source("ps_6_0", "float4 main() : SV_Target {\n\n  return nothing;\n}\n");
  made.name = "dir/my shader.hlsl";
  CHECK(first_line(messages_of(made)) == "dir/my shader.hlsl:3: error: 'nothing' : unknown variable");
  made.defines = {{"A", "1"}, {"B", "2"}};  // stand in front of the text and move nothing
  CHECK(first_line(messages_of(made)) == "dir/my shader.hlsl:3: error: 'nothing' : unknown variable");

  HlslSource including = source("ps_6_0", "#include \"x.hlsli\"\nfloat4 main() : SV_Target { return missing(); }\n");
  including.include = [](const std::string&, const std::string&, bool) {
    return std::optional<HlslInclude>(HlslInclude{"folder/x.hlsli", "\n\n\nfloat f() { return unknown; }\n"});
  };
  const std::string messages = messages_of(including);
  CHECK(has_line(messages, "folder/x.hlsli:4: error: 'unknown'"));
  CHECK(has_line(messages, "shader.hlsl:2: error: 'missing'"));
}

TEST_CASE("HLSL errors: of the text", "[hlsl]") {
  const std::pair<const char*, const char*> cases[] = {
      {"float4 main() : SV_Target { return 1 }", "shader.hlsl:1: error: "},
      {"float4 main() : SV_Target {\n  float x = \"text\";\n  return x; }", "shader.hlsl:2: error: "},
      {"\n#if 1\nfloat4 main() : SV_Target { return 1; }\n", "shader.hlsl:"},
      {"#error this is not for pixels\nfloat4 main() : SV_Target { return 1; }", "shader.hlsl:1: error: "},
      {"#include \"nowhere.hlsli\"\nfloat4 main() : SV_Target { return 1; }", "shader.hlsl:1: error: '#include'"},
      {"", "shader.hlsl:1: error: 'main' : expected this entry function, found none"},
      {"float4 Main() : SV_Target { return 1; }", "shader.hlsl:1: error: 'main' : expected this entry function"}};
  for (const auto& [text, begin] : cases) {
    CAPTURE(text);
    CHECK(has_line(messages_of(source("ps_6_0", text)), begin));
  }
}

TEST_CASE("HLSL errors: of the entry's parameters", "[hlsl]") {
  CHECK(messages_of(source("ps_6_0", "\nfloat4 main(float4 a : A,\n float4 b) : SV_Target { return a; }"))
            .find("error: 'b' : expected a semantic") != std::string::npos);
  CHECK(messages_of(source("vs_6_0", "struct V { float4 p; };\nfloat4 main(V v) : SV_Position { return v.p; }"))
            .find("error: 'v.p' : expected a semantic") != std::string::npos);
  CHECK(messages_of(source("ps_6_0", "float4 main() { return 1; }"))
            .find("error: 'the result of main' : expected a semantic") != std::string::npos);
  const std::string many =
      messages_of(source("vs_6_0", "float4 main(float4 a[40] : A) : SV_Position { return a[0]; }"));
  CHECK(many.find("expected 0 to 31, found 32") != std::string::npos);
}

TEST_CASE("HLSL errors: of the profile", "[hlsl]") {
  const std::string text = "float4 main() : SV_Target { return 1; }";
  CHECK(messages_of(source("ms_6_5", text)) ==
        "shader.hlsl: error: profile ms_6_5: the HLSL front end does not take mesh shaders; fenceline::d3d12::shader "
        "makes "
        "code of mesh and amplification shaders without HLSL\n");
  CHECK(messages_of(source("as_6_5", text)).find("does not take amplification shaders") != std::string::npos);
  CHECK(messages_of(source("lib_6_3", text)).find("does not take libraries") != std::string::npos);
  for (const char* const wrong : {"", "ps", "ps_7_0", "ps_6", "xs_6_0", "ps_6_0_1", "PS_6_0", "ps_3_0"}) {
    CAPTURE(wrong);
    CHECK(
        messages_of(source(wrong, text)).find("expected vs, ps, gs, hs, ds or cs and a shader model from 4_0 to 6_9") !=
        std::string::npos);
  }
}

TEST_CASE("HLSL errors: code on which the front end breaks down ends with a message", "[hlsl]") {
  // glslang crashes on clip distances of geometry shaders.
  const std::string messages = messages_of(source("gs_6_0", R"(
struct V { float4 p : SV_Position; float c[2] : SV_ClipDistance; };
[maxvertexcount(1)] void main(point V v[1], inout PointStream<V> s) { s.Append(v[0]); })"));
  CHECK(messages.find("shader.hlsl") == 0);
  CHECK(messages.find("error: ") != std::string::npos);
  std::string deep;
  for (int i = 0; i < 200'000; ++i) deep += "(";
  CHECK_FALSE(messages_of(source("ps_6_0", "float4 main() : SV_Target { return " + deep + "1; }")).empty());
}

TEST_CASE("HLSL errors: an included file that is too long is named, and not read to its end", "[hlsl]") {
  const TemporaryDirectory directory;
  write_file(directory / "huge.h", "");
  std::filesystem::resize_file(directory / "huge.h", std::uintmax_t{3} << 30);  // sparse
  HlslSource made = source("ps_6_0", "#include \"huge.h\"\nfloat4 main() : SV_Target { return 1; }\n");
  made.name = (directory / "main.hlsl").string();
  made.include = include_files({});
  CHECK(messages_of(made) ==
        (directory / "huge.h").string() + ": error: expected at most 16777216 bytes, found more\n");
  CHECK_THROWS_WITH(read_source((directory / "huge.h").string()),
                    Catch::Contains("huge.h") && Catch::Contains("expected at most 16777216 bytes"));
}

TEST_CASE("HLSL errors: included files are too long together, where one that is included again counts once", "[hlsl]") {
  std::string text;
  for (int i = 0; i < 8; ++i) text += "#include \"" + std::to_string(i) + ".h\"\n";
  HlslSource made = source("ps_6_0", text + "float4 main() : SV_Target { return 1; }\n");
  made.include = [](const std::string& header, const std::string&, bool) {
    return std::optional<HlslInclude>(HlslInclude{header, std::string(std::size_t{15} << 20, ' ')});
  };
  CHECK(messages_of(made) == "4.h: error: expected at most 67108864 bytes with all that is included, found more\n");
  made.include = [](const std::string&, const std::string&, bool) {
    return std::optional<HlslInclude>(HlslInclude{"one.h", std::string(std::size_t{15} << 20, ' ')});
  };
  CHECK(compile_hlsl(made).messages.empty());
}

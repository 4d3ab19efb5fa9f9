// SPDX-License-Identifier: Apache-2.0
// D3DCompile and D3DCompileFromFile, as programs call them.
#include "api/hlsl/d3dcompiler.hpp"
#include "api/hlsl/hlsl_profile.hpp"
#include "sim/sanitizers.hpp"
#include "tests/d3d12/debugged.hpp"
#include "tests/d3d12/pipelines/pipeline_builder.hpp"
#include "tests/hlsl/compile.hpp"
#include "tests/support/temporary_directory.hpp"

#include <map>
#include <thread>

using namespace fenceline::testing;

namespace {

struct Compilation {
  HRESULT result = S_OK;
  std::string code;
  std::string errors;
};

Compilation taken(HRESULT result, ID3DBlob* code, ID3DBlob* errors) {
  Compilation made{result, code != nullptr ? bytes_of(code) : "", ""};
  if (errors != nullptr) {
    made.errors = bytes_of(errors);
    REQUIRE_FALSE(made.errors.empty());
    REQUIRE(made.errors.back() == '\0');
    made.errors.pop_back();
  }
  CHECK((result == S_OK) == (code != nullptr));
  return made;
}

Compilation compile(const std::string& text, const char* target, const D3D_SHADER_MACRO* defines = nullptr,
                    ID3DInclude* include = nullptr, UINT flags = 0, const char* name = "test.hlsl") {
  ComPtr<ID3DBlob> code;
  ComPtr<ID3DBlob> errors;
  const HRESULT result =
      D3DCompile(text.data(), text.size(), name, defines, include, "main", target, flags, 0, &code, &errors);
  return taken(result, code.Get(), errors.Get());
}

// NOLINTNEXTLINE(performance-no-int-to-ptr): Microsoft's macro
ID3DInclude* const standard_include = D3D_COMPILE_STANDARD_FILE_INCLUDE;

Compilation compile_file(const std::filesystem::path& file, const char* entry, const char* target,
                         ID3DInclude* include = standard_include) {
  ComPtr<ID3DBlob> code;
  ComPtr<ID3DBlob> errors;
  const HRESULT result =
      D3DCompileFromFile(file.wstring().c_str(), nullptr, include, entry, target, 0, 0, &code, &errors);
  return taken(result, code.Get(), errors.Get());
}

#pragma GCC diagnostic ignored "-Wnon-virtual-dtor"  // ID3DInclude has none

/// A program's includes from a table; tells what it was asked.
struct Includes final : ID3DInclude {
  HRESULT STDMETHODCALLTYPE Open(D3D_INCLUDE_TYPE type, LPCSTR name, LPCVOID parent, LPCVOID* data,
                                 UINT* bytes) override {
    std::string of = "nobody";
    for (const auto& [known, text] : files) {
      if (text.data() == parent) of = known;
    }
    calls.push_back(std::string(type == D3D_INCLUDE_LOCAL ? "local " : "system ") + name + " of " + of);
    const auto found = files.find(name);
    if (found == files.end()) return E_FAIL;
    *data = found->second.data();
    *bytes = static_cast<UINT>(found->second.size());
    return S_OK;
  }
  HRESULT STDMETHODCALLTYPE Close(LPCVOID data) override {
    for (const auto& [known, text] : files) {
      if (text.data() == data) calls.push_back("close " + known);
    }
    return S_OK;
  }
  std::map<std::string, std::string> files;
  std::vector<std::string> calls;
};

}  // namespace

TEST_CASE("D3DCompile: the code is what fenceline shader makes", "[hlsl]") {
  const std::string texts[] = {"float4 main(float4 p : POSITION) : SV_Position { return p; }",
                               "float4 main(uint i : SV_VertexID) : SV_Position { return sin(i); }",
                               "float4 main(float4 p : P, float2 uv : UV) : SV_Position { return p * uv.x; }"};
  for (const std::string& text : texts) {
    const Compilation made = compile(text, "vs_5_0");
    CHECK(made.result == S_OK);
    CHECK(made.errors.empty());
    CHECK(made.code == compiled("vs_6_0", text));
    // A null at the end, as of a string literal's size, is no text.
    CHECK(compile(text + '\0', "vs_5_1").code == made.code);
  }
}

TEST_CASE("D3DCompile: a pipeline state takes what it made, without a message", "[hlsl]") {
  DebuggedApp app;
  Pipeline pipeline(app);
  const std::string text = R"(
struct V { float4 p : SV_Position; float2 uv : UV; };
V VSMain(float4 p : POSITION) { V v; v.p = p; v.uv = p.xy; return v; }
float4 PSMain(V v) : SV_Target { return v.uv.xyxy; })";
  const auto blob = [&](const char* entry, const char* target) {
    ComPtr<ID3DBlob> code;
    REQUIRE(D3DCompile(text.data(), text.size(), nullptr, nullptr, nullptr, entry, target,
                       D3DCOMPILE_DEBUG | D3DCOMPILE_SKIP_OPTIMIZATION, 0, &code, nullptr) == S_OK);
    return code;
  };
  const auto vertex = blob("VSMain", "vs_5_0");
  const auto pixel = blob("PSMain", "ps_5_0");
  pipeline.desc.VS = {vertex->GetBufferPointer(), vertex->GetBufferSize()};
  pipeline.desc.PS = {pixel->GetBufferPointer(), pixel->GetBufferSize()};
  CHECK(pipeline.create(app) == S_OK);
  CHECK(app.said_ids().empty());
}

TEST_CASE("D3DCompile: errors come back as text with the source's name and line", "[hlsl]") {
  const Compilation bad = compile("float4 main() : SV_Target {\n  return x;\n}", "ps_5_0");
  CHECK(bad.result == E_FAIL);
  CHECK(bad.errors.find("test.hlsl:2: error: 'x' : unknown variable\n") == 0);
  CHECK(compile("float4 main() : SV_Target { return 1; }", "ms_6_5").errors.find("mesh shaders") != std::string::npos);
  const Compilation newer = compile("float4 main() : SV_Target { return 1; }", "ps_6_0");
  CHECK(newer.result == E_FAIL);
  CHECK(newer.errors ==
        "test.hlsl: error: profile ps_6_0: D3DCompile takes shader models 4_0 to 5_1, as on Windows; "
        "fenceline shader compiles for 6_0 and later\n");
  const std::string warns = "struct T { float x = 1; };\nfloat4 main() : SV_Target { return 1; }\n";
  const Compilation warned = compile(warns, "ps_5_0");
  CHECK(warned.result == S_OK);
  CHECK(warned.errors.find("test.hlsl:1: warning: ") == 0);
  CHECK(compile(warns, "ps_5_0", nullptr, nullptr, D3DCOMPILE_WARNINGS_ARE_ERRORS).result == E_FAIL);
}

TEST_CASE("D3DCompile: arguments that are missing", "[hlsl]") {
  const std::string text = "float4 main() : SV_Target { return 1; }";
  ComPtr<ID3DBlob> code;
  CHECK(D3DCompile(nullptr, 5, nullptr, nullptr, nullptr, "main", "ps_5_0", 0, 0, &code, nullptr) == E_INVALIDARG);
  CHECK(D3DCompile(text.data(), 0, nullptr, nullptr, nullptr, "main", "ps_5_0", 0, 0, &code, nullptr) == E_INVALIDARG);
  CHECK(D3DCompile(text.data(), text.size(), nullptr, nullptr, nullptr, "main", nullptr, 0, 0, &code, nullptr) ==
        E_INVALIDARG);
  CHECK(D3DCompile(text.data(), text.size(), nullptr, nullptr, nullptr, "main", "ps_5_0", 0, 0, nullptr, nullptr) ==
        E_INVALIDARG);
  CHECK(code.Get() == nullptr);
  CHECK(D3DCompile(text.data(), text.size(), nullptr, nullptr, nullptr, nullptr, "ps_5_0", 0, 0, &code, nullptr) ==
        S_OK);
  CHECK(D3DCompileFromFile(nullptr, nullptr, nullptr, "main", "ps_5_0", 0, 0, &code, nullptr) == E_INVALIDARG);
}

TEST_CASE("D3DCompile: macros", "[hlsl]") {
  const std::string text = "#ifdef EMPTY\n[numthreads(X, Y, 1)] void main() {}\n#endif\n";
  const D3D_SHADER_MACRO all[] = {{"X", "8"}, {"Y", "(X / 2)"}, {"EMPTY", nullptr}, {nullptr, nullptr}};
  const Compilation made = compile(text, "cs_5_0", all);
  CHECK(made.errors.empty());
  REQUIRE(made.result == S_OK);
  CHECK(*parsed(made.code).declarations.threads == std::array<std::uint32_t, 3>{8, 4, 1});
  const D3D_SHADER_MACRO none[] = {{nullptr, nullptr}};
  CHECK(compile(text, "cs_5_0", none).result == E_FAIL);
}

TEST_CASE("D3DCompile: a program's ID3DInclude is asked in the program, with parents, and closed", "[hlsl]") {
  Includes includes;
  includes.files = {{"a.h", "#include \"b.h\"\n#define A 4\n"}, {"b.h", "#define B 2\n"}, {"c.h", "#define C 1\n"}};
  const std::string text = "#include \"a.h\"\n#include <c.h>\n[numthreads(A, B, C)] void main() {}\n";
  const Compilation made = compile(text, "cs_5_0", nullptr, &includes);
  CHECK(made.errors.empty());
  CHECK(made.result == S_OK);
  CHECK(includes.calls == Lines{"local a.h of nobody", "local b.h of a.h", "system c.h of nobody", "close c.h",
                                "close b.h", "close a.h"});
  includes.calls.clear();
  const Compilation missing =
      compile("#include \"x.h\"\n[numthreads(1, 1, 1)] void main() {}\n", "cs_5_0", nullptr, &includes);
  CHECK(missing.result == E_FAIL);
  CHECK(missing.errors.find("test.hlsl:1: error: '#include'") == 0);
  CHECK(includes.calls == Lines{"local x.h of nobody"});
  CHECK(compile(text, "cs_5_0").errors.find("test.hlsl:1: error: '#include'") == 0);
}

TEST_CASE("D3DCompileFromFile: reads the file, and others beside it", "[hlsl]") {
  const TemporaryDirectory directory;
  std::filesystem::create_directories(directory / "sub");
  write_file(directory / "main.hlsl", "#include \"sub\\inner.hlsli\"\n[numthreads(N, 1, 1)] void CSMain() {}\n");
  write_file(directory / "sub/inner.hlsli", "#include \"deeper.hlsli\"\n");
  write_file(directory / "sub/deeper.hlsli", "#define N 16\n");
  const Compilation made = compile_file(directory / "main.hlsl", "CSMain", "cs_5_1");
  CHECK(made.errors.empty());
  REQUIRE(made.result == S_OK);
  CHECK(parsed(made.code).declarations.threads->front() == 16);
  // As Windows' programs write paths.
  std::wstring path = (directory / "sub/../main.hlsl").wstring();
  for (std::size_t at = path.rfind(L"sub/"); at < path.size(); ++at) {
    if (path[at] == L'/') path[at] = L'\\';
  }
  CHECK(compile_file(path, "CSMain", "cs_5_0").code == made.code);
  CHECK(compile_file(directory / "none.hlsl", "CSMain", "cs_5_0").result == static_cast<HRESULT>(0x80070002L));
  const Compilation without = compile_file(directory / "main.hlsl", "CSMain", "cs_5_0", nullptr);
  CHECK(without.errors.find((directory / "main.hlsl").string() + ":1: error: '#include'") == 0);
}

// A sanitizer's allocator may be locked by another thread when the compiler forks, and stays so in the child.
#if !defined(FENCELINE_ADDRESS_SANITIZER) && !defined(FENCELINE_THREAD_SANITIZER)
TEST_CASE("D3DCompile: threads may compile at one time", "[hlsl]") {
  std::vector<std::string> codes(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    threads.emplace_back([&codes, i] {
      const std::string text =
          "float4 main(float4 p : POSITION) : SV_Position { return p * " + std::to_string(i % 2 + 2) + "; }";
      ID3DBlob* code = nullptr;
      if (D3DCompile(text.data(), text.size(), "t", nullptr, nullptr, "main", "vs_5_0", 0, 0, &code, nullptr) != S_OK)
        return;
      codes[i] = bytes_of(code);
      code->Release();
    });
  }
  for (std::thread& one : threads) one.join();
  CHECK_FALSE(codes[0].empty());
  CHECK(codes[0] == codes[2]);
  CHECK(codes[1] == codes[3]);
}
#endif

TEST_CASE("D3DCompiler: blobs from and to files", "[hlsl]") {
  const TemporaryDirectory directory;
  ComPtr<ID3DBlob> blob;
  REQUIRE(D3DCreateBlob(5, &blob) == S_OK);
  CHECK(bytes_of(blob.Get()) == std::string(5, '\0'));
  std::memcpy(blob->GetBufferPointer(), "a\0b\nc", 5);
  const std::wstring file = (directory / "x.cso").wstring();
  CHECK(D3DWriteBlobToFile(blob.Get(), file.c_str(), FALSE) == S_OK);
  CHECK(D3DWriteBlobToFile(blob.Get(), file.c_str(), FALSE) == static_cast<HRESULT>(0x80070050L));
  CHECK(D3DWriteBlobToFile(blob.Get(), file.c_str(), TRUE) == S_OK);
  ComPtr<ID3DBlob> read;
  REQUIRE(D3DReadFileToBlob(file.c_str(), &read) == S_OK);
  CHECK(bytes_of(read.Get()) == std::string("a\0b\nc", 5));
  CHECK(D3DReadFileToBlob((directory / "none").wstring().c_str(), &read) == static_cast<HRESULT>(0x80070002L));
}

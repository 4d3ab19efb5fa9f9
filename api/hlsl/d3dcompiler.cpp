// SPDX-License-Identifier: Apache-2.0
#include "api/hlsl/d3dcompiler.hpp"

#include "api/d3d12/com/blob.hpp"
#include "api/hlsl/hlsl_compiler.hpp"
#include "api/hlsl/hlsl_profile.hpp"
#include "api/hlsl/include_files.hpp"
#include "sim/config_error.hpp"
#include "sim/files/whole_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <new>
#include <set>
#include <utility>

namespace fenceline::d3d12 {
namespace {

namespace fs = std::filesystem;

// HRESULT_FROM_WIN32 of winerror.h's numbers.
constexpr auto file_not_found = static_cast<HRESULT>(0x80070002L);
constexpr auto file_exists = static_cast<HRESULT>(0x80070050L);
constexpr auto cannot_write = static_cast<HRESULT>(0x80070005L);  // ERROR_ACCESS_DENIED

/// Files from the program's own ID3DInclude. It holds them open to the end, since each is named as the parent of what
/// it includes itself.
class ProgramIncludes {
 public:
  explicit ProgramIncludes(ID3DInclude& program) : program_(program) {}
  ProgramIncludes(const ProgramIncludes&) = delete;
  ProgramIncludes& operator=(const ProgramIncludes&) = delete;
  ~ProgramIncludes() {
    for (auto one = open_.rbegin(); one != open_.rend(); ++one) program_.Close(*one);
  }

  std::optional<HlslInclude> find(const std::string& header, const std::string& from, bool in_quotes) {
    // What is not found in quotes is asked for a second time, as if it stood in angle brackets.
    if (!in_quotes && missing_.count({header, from}) > 0) return {};
    const auto parent = data_.find(from);
    LPCVOID data = nullptr;
    UINT bytes = 0;
    const HRESULT result = program_.Open(in_quotes ? D3D_INCLUDE_LOCAL : D3D_INCLUDE_SYSTEM, header.c_str(),
                                         parent == data_.end() ? nullptr : parent->second, &data, &bytes);
    if (FAILED(result) || (data == nullptr && bytes > 0)) {
      missing_.insert({header, from});
      return {};
    }
    open_.push_back(data);
    data_[header] = data;
    return HlslInclude{header, bytes == 0 ? std::string() : std::string(static_cast<const char*>(data), bytes)};
  }

 private:
  ID3DInclude& program_;
  std::vector<LPCVOID> open_;
  std::map<std::string, LPCVOID> data_;
  std::set<std::pair<std::string, std::string>> missing_;
};

std::string narrow(LPCWSTR text) { return fs::path(text).string(); }

/// What is wrong with a target for D3DCompile beyond what the compiler finds.
std::string refuse_target(const std::string& name, const std::string& target) {
  const auto profile = parse_hlsl_profile(target);
  const auto* const known = std::get_if<HlslProfile>(&profile);
  constexpr unsigned last_major = 5;
  if (known == nullptr || known->major <= last_major) return {};
  return fmt::format(
      "{}: error: profile {}: D3DCompile takes shader models 4_0 to 5_1, as on Windows; fenceline shader "
      "compiles for 6_0 and later\n",
      name, target);
}

HRESULT compile(HlslSource source, const D3D_SHADER_MACRO* defines, ID3DInclude* include, LPCSTR entry, LPCSTR target,
                UINT flags, ID3DBlob** code, ID3DBlob** errors) {
  if (target == nullptr) return E_INVALIDARG;
  source.profile = target;
  if (entry != nullptr) source.entry = entry;
  for (; defines != nullptr && defines->Name != nullptr; ++defines) {
    source.defines.emplace_back(defines->Name, defines->Definition != nullptr ? defines->Definition : "");
  }
  while (!source.text.empty() && source.text.back() == '\0') source.text.pop_back();
  std::optional<ProgramIncludes> program;
  // Microsoft's macro makes a pointer of 1. NOLINTNEXTLINE(performance-no-int-to-ptr)
  if (include == D3D_COMPILE_STANDARD_FILE_INCLUDE) {
    source.include = include_files({""});
  } else if (include != nullptr) {
    program.emplace(*include);
    source.include = [&](const std::string& header, const std::string& from, bool in_quotes) {
      return program->find(header, from, in_quotes);
    };
  }
  HlslResult result;
  result.messages = refuse_target(source.name, source.profile);
  if (result.messages.empty()) result = compile_hlsl(source);
  const bool warnings = (flags & D3DCOMPILE_WARNINGS_ARE_ERRORS) != 0 && !result.messages.empty();
  if (errors != nullptr && !result.messages.empty()) *errors = make_text_blob(result.messages);
  if (result.code.empty() || warnings) return has_hlsl_compiler() ? E_FAIL : E_NOTIMPL;
  *code = make_blob(result.code);
  return S_OK;
}

/// Calls it with the outputs emptied, and keeps exceptions from a C caller.
template <class Call>
HRESULT guarded(ID3DBlob** code, ID3DBlob** errors, Call&& call) {
  if (errors != nullptr) *errors = nullptr;
  if (code == nullptr) return E_INVALIDARG;
  *code = nullptr;
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return E_OUTOFMEMORY;
  } catch (const std::exception&) {
    return E_FAIL;
  }
}

}  // namespace
}  // namespace fenceline::d3d12

using namespace fenceline::d3d12;  // NOLINT(google-build-using-namespace): the C face of this namespace

HRESULT WINAPI D3DCompile(LPCVOID text, SIZE_T size, LPCSTR source_name, const D3D_SHADER_MACRO* defines,
                          ID3DInclude* include, LPCSTR entry, LPCSTR target, UINT flags, UINT, ID3DBlob** code,
                          ID3DBlob** errors) {
  return guarded(code, errors, [&] {
    if (text == nullptr || size == 0) return E_INVALIDARG;
    HlslSource source;
    source.text.assign(static_cast<const char*>(text), size);
    if (source_name != nullptr) source.name = source_name;
    return compile(std::move(source), defines, include, entry, target, flags, code, errors);
  });
}

HRESULT WINAPI D3DCompile2(LPCVOID text, SIZE_T size, LPCSTR source_name, const D3D_SHADER_MACRO* defines,
                           ID3DInclude* include, LPCSTR entry, LPCSTR target, UINT flags, UINT effect_flags, UINT,
                           LPCVOID, SIZE_T, ID3DBlob** code, ID3DBlob** errors) {
  return D3DCompile(text, size, source_name, defines, include, entry, target, flags, effect_flags, code, errors);
}

HRESULT WINAPI D3DCompileFromFile(LPCWSTR file, const D3D_SHADER_MACRO* defines, ID3DInclude* include, LPCSTR entry,
                                  LPCSTR target, UINT flags, UINT, ID3DBlob** code, ID3DBlob** errors) {
  return guarded(code, errors, [&] {
    if (file == nullptr) return E_INVALIDARG;
    HlslSource source;
    source.name = narrow(file);
    try {
      auto text = read_source(source.name);
      if (!text) return file_not_found;
      source.text = std::move(*text);
    } catch (const fenceline::ConfigError& error) {
      if (errors != nullptr) *errors = make_text_blob(error.what() + std::string("\n"));
      return E_FAIL;
    }
    return compile(std::move(source), defines, include, entry, target, flags, code, errors);
  });
}

HRESULT WINAPI D3DCreateBlob(SIZE_T size, ID3DBlob** blob) {
  return guarded(blob, nullptr, [&] {
    *blob = new Blob(std::vector<std::byte>(size));
    return S_OK;
  });
}

HRESULT WINAPI D3DReadFileToBlob(LPCWSTR file, ID3DBlob** blob) {
  return guarded(blob, nullptr, [&] {
    if (file == nullptr) return E_INVALIDARG;
    const fs::path path = with_slashes(narrow(file));
    std::error_code failed;
    if (!fs::is_regular_file(path, failed)) return file_not_found;
    std::ifstream stream(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    if (!stream) return file_not_found;
    *blob = make_blob(bytes);
    return S_OK;
  });
}

HRESULT WINAPI D3DWriteBlobToFile(ID3DBlob* blob, LPCWSTR file, BOOL overwrite) {
  if (blob == nullptr || file == nullptr) return E_INVALIDARG;
  try {
    const fs::path path = with_slashes(narrow(file));
    std::error_code ignored;
    if (!overwrite && fs::exists(path, ignored)) return file_exists;
    fenceline::write_whole_file(
        path, {static_cast<const char*>(blob->GetBufferPointer()), static_cast<std::size_t>(blob->GetBufferSize())});
    return S_OK;
  } catch (const fenceline::OutputError&) {
    return cannot_write;
  } catch (const std::exception&) {
    return E_FAIL;
  }
}

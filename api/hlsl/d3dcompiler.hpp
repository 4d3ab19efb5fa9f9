// SPDX-License-Identifier: Apache-2.0
#pragma once

// What programs call of D3Dcompiler.h: HLSL at run time, by the compiler of `fenceline shader` (api/hlsl). For C, too.
#include "api/d3d12/d3d12.hpp"

#define D3D_COMPILER_VERSION 47
#define D3DCOMPILER_DLL_A "d3dcompiler_47.dll"
#define D3DCOMPILER_DLL_W L"d3dcompiler_47.dll"

/// Looks for included files beside the one that includes them, then where the program runs.
#define D3D_COMPILE_STANDARD_FILE_INCLUDE ((ID3DInclude*)(UINT_PTR)1)

// Only WARNINGS_ARE_ERRORS changes anything: code is not executed.
#define D3DCOMPILE_DEBUG (1 << 0)
#define D3DCOMPILE_SKIP_VALIDATION (1 << 1)
#define D3DCOMPILE_SKIP_OPTIMIZATION (1 << 2)
#define D3DCOMPILE_PACK_MATRIX_ROW_MAJOR (1 << 3)
#define D3DCOMPILE_PACK_MATRIX_COLUMN_MAJOR (1 << 4)
#define D3DCOMPILE_PARTIAL_PRECISION (1 << 5)
#define D3DCOMPILE_FORCE_VS_SOFTWARE_NO_OPT (1 << 6)
#define D3DCOMPILE_FORCE_PS_SOFTWARE_NO_OPT (1 << 7)
#define D3DCOMPILE_NO_PRESHADER (1 << 8)
#define D3DCOMPILE_AVOID_FLOW_CONTROL (1 << 9)
#define D3DCOMPILE_PREFER_FLOW_CONTROL (1 << 10)
#define D3DCOMPILE_ENABLE_STRICTNESS (1 << 11)
#define D3DCOMPILE_ENABLE_BACKWARDS_COMPATIBILITY (1 << 12)
#define D3DCOMPILE_IEEE_STRICTNESS (1 << 13)
#define D3DCOMPILE_OPTIMIZATION_LEVEL0 (1 << 14)
#define D3DCOMPILE_OPTIMIZATION_LEVEL1 0
#define D3DCOMPILE_OPTIMIZATION_LEVEL2 ((1 << 14) | (1 << 15))
#define D3DCOMPILE_OPTIMIZATION_LEVEL3 (1 << 15)
#define D3DCOMPILE_RESERVED16 (1 << 16)
#define D3DCOMPILE_RESERVED17 (1 << 17)
#define D3DCOMPILE_WARNINGS_ARE_ERRORS (1 << 18)
#define D3DCOMPILE_RESOURCES_MAY_ALIAS (1 << 19)
#define D3DCOMPILE_ENABLE_UNBOUNDED_DESCRIPTOR_TABLES (1 << 20)
#define D3DCOMPILE_ALL_RESOURCES_BOUND (1 << 21)
#define D3DCOMPILE_DEBUG_NAME_FOR_SOURCE (1 << 22)
#define D3DCOMPILE_DEBUG_NAME_FOR_BINARY (1 << 23)

#ifdef __cplusplus
extern "C" {
#endif

// NOLINTBEGIN(readability-identifier-naming): Microsoft's names.

/// Compiles `size` bytes of HLSL for a target of shader model 4_0 to 5_1 ("vs_5_0"). S_OK and the code; E_INVALIDARG
/// without text, target or a place for the code; E_FAIL where it does not compile; E_NOTIMPL in a build without a
/// compiler. `errors` gets the messages, errors and warnings, as lines "source_name:12: error: ..." that end with a
/// null, or no blob. `defines` ends with a macro without a name. Without `include` an #include is an error.
/// Effects are not compiled: `effect_flags` changes nothing.
HRESULT WINAPI D3DCompile(LPCVOID text, SIZE_T size, LPCSTR source_name, const D3D_SHADER_MACRO* defines,
                          ID3DInclude* include, LPCSTR entry, LPCSTR target, UINT flags, UINT effect_flags,
                          ID3DBlob** code, ID3DBlob** errors);
/// The same; secondary data is not looked at.
HRESULT WINAPI D3DCompile2(LPCVOID text, SIZE_T size, LPCSTR source_name, const D3D_SHADER_MACRO* defines,
                           ID3DInclude* include, LPCSTR entry, LPCSTR target, UINT flags, UINT effect_flags,
                           UINT secondary_flags, LPCVOID secondary, SIZE_T secondary_size, ID3DBlob** code,
                           ID3DBlob** errors);
/// The same of a file, in whose path `\` is a separator, too. HRESULT_FROM_WIN32(ERROR_FILE_NOT_FOUND) when it cannot
/// be read.
HRESULT WINAPI D3DCompileFromFile(LPCWSTR file, const D3D_SHADER_MACRO* defines, ID3DInclude* include, LPCSTR entry,
                                  LPCSTR target, UINT flags, UINT effect_flags, ID3DBlob** code, ID3DBlob** errors);
/// A blob of zeros.
HRESULT WINAPI D3DCreateBlob(SIZE_T size, ID3DBlob** blob);
/// A file's bytes, such as `fenceline shader -Fo` writes.
HRESULT WINAPI D3DReadFileToBlob(LPCWSTR file, ID3DBlob** blob);
/// HRESULT_FROM_WIN32(ERROR_FILE_EXISTS) when it is there already and `overwrite` is FALSE.
HRESULT WINAPI D3DWriteBlobToFile(ID3DBlob* blob, LPCWSTR file, BOOL overwrite);

// NOLINTEND(readability-identifier-naming)

#ifdef __cplusplus
}
#endif

// SPDX-License-Identifier: Apache-2.0
#pragma once

// How the interfaces of the headers beside this one are declared, once for C and C++: a macro lists the methods that an
// interface adds, and in C, where an interface has no base, those of its bases are listed before them.
#include "api/d3d12/d3d12.hpp"

#if defined(__cplusplus) && !defined(CINTERFACE)
#define FENCELINE_INHERITED(methods)
#else
#define FENCELINE_INHERITED(methods) methods
#endif

#define FENCELINE_IUNKNOWN_METHODS                                     \
  STDMETHOD(QueryInterface)(THIS_ REFIID riid, void** ppvObject) PURE; \
  STDMETHOD_(ULONG, AddRef)(THIS) PURE;                                \
  STDMETHOD_(ULONG, Release)(THIS) PURE;

#ifdef __cplusplus
#define FENCELINE_IID(name, ...)    \
  WINADAPTER_IID(name, __VA_ARGS__) \
  DEFINE_GUID(IID_##name, __VA_ARGS__);
#else
#define FENCELINE_IID(name, ...) DEFINE_GUID(IID_##name, __VA_ARGS__);
#endif

// SPDX-License-Identifier: Apache-2.0
#pragma once

// What dxgi1_2.h and dxgi1_3.h of the Windows SDK declare, as far as D3D12 programs use it: swap chains of the flip
// model and their frame latency.
#include "api/d3d12/dxgi_core.hpp"

#ifndef __dxgi1_2_h__
#define __dxgi1_2_h__

#define DXGI_ENUM_MODES_STEREO 4UL
#define DXGI_ENUM_MODES_DISABLED_STEREO 8UL

typedef enum DXGI_ALPHA_MODE {
  DXGI_ALPHA_MODE_UNSPECIFIED = 0,
  DXGI_ALPHA_MODE_PREMULTIPLIED = 1,
  DXGI_ALPHA_MODE_STRAIGHT = 2,
  DXGI_ALPHA_MODE_IGNORE = 3,
  DXGI_ALPHA_MODE_FORCE_DWORD = 0xffffffff
} DXGI_ALPHA_MODE;
typedef enum DXGI_SCALING {
  DXGI_SCALING_STRETCH = 0,
  DXGI_SCALING_NONE = 1,
  DXGI_SCALING_ASPECT_RATIO_STRETCH = 2
} DXGI_SCALING;
typedef enum DXGI_GRAPHICS_PREEMPTION_GRANULARITY {
  DXGI_GRAPHICS_PREEMPTION_DMA_BUFFER_BOUNDARY = 0,
  DXGI_GRAPHICS_PREEMPTION_PRIMITIVE_BOUNDARY = 1,
  DXGI_GRAPHICS_PREEMPTION_TRIANGLE_BOUNDARY = 2,
  DXGI_GRAPHICS_PREEMPTION_PIXEL_BOUNDARY = 3,
  DXGI_GRAPHICS_PREEMPTION_INSTRUCTION_BOUNDARY = 4
} DXGI_GRAPHICS_PREEMPTION_GRANULARITY;
typedef enum DXGI_COMPUTE_PREEMPTION_GRANULARITY {
  DXGI_COMPUTE_PREEMPTION_DMA_BUFFER_BOUNDARY = 0,
  DXGI_COMPUTE_PREEMPTION_DISPATCH_BOUNDARY = 1,
  DXGI_COMPUTE_PREEMPTION_THREAD_GROUP_BOUNDARY = 2,
  DXGI_COMPUTE_PREEMPTION_THREAD_BOUNDARY = 3,
  DXGI_COMPUTE_PREEMPTION_INSTRUCTION_BOUNDARY = 4
} DXGI_COMPUTE_PREEMPTION_GRANULARITY;
typedef struct DXGI_SWAP_CHAIN_DESC1 {
  UINT Width;
  UINT Height;
  DXGI_FORMAT Format;
  BOOL Stereo;
  DXGI_SAMPLE_DESC SampleDesc;
  DXGI_USAGE BufferUsage;
  UINT BufferCount;
  DXGI_SCALING Scaling;
  DXGI_SWAP_EFFECT SwapEffect;
  DXGI_ALPHA_MODE AlphaMode;
  UINT Flags;
} DXGI_SWAP_CHAIN_DESC1;
typedef struct DXGI_SWAP_CHAIN_FULLSCREEN_DESC {
  DXGI_RATIONAL RefreshRate;
  DXGI_MODE_SCANLINE_ORDER ScanlineOrdering;
  DXGI_MODE_SCALING Scaling;
  BOOL Windowed;
} DXGI_SWAP_CHAIN_FULLSCREEN_DESC;
typedef struct DXGI_PRESENT_PARAMETERS {
  UINT DirtyRectsCount;
  RECT* pDirtyRects;
  RECT* pScrollRect;
  POINT* pScrollOffset;
} DXGI_PRESENT_PARAMETERS;
typedef struct DXGI_ADAPTER_DESC2 {
  WCHAR Description[128];
  UINT VendorId;
  UINT DeviceId;
  UINT SubSysId;
  UINT Revision;
  SIZE_T DedicatedVideoMemory;
  SIZE_T DedicatedSystemMemory;
  SIZE_T SharedSystemMemory;
  LUID AdapterLuid;
  UINT Flags;
  DXGI_GRAPHICS_PREEMPTION_GRANULARITY GraphicsPreemptionGranularity;
  DXGI_COMPUTE_PREEMPTION_GRANULARITY ComputePreemptionGranularity;
} DXGI_ADAPTER_DESC2;

#define FENCELINE_IDXGISWAPCHAIN1_METHODS                                                               \
  STDMETHOD(GetDesc1)(THIS_ DXGI_SWAP_CHAIN_DESC1 * pDesc) PURE;                                        \
  STDMETHOD(GetFullscreenDesc)(THIS_ DXGI_SWAP_CHAIN_FULLSCREEN_DESC * pDesc) PURE;                     \
  STDMETHOD(GetHwnd)(THIS_ HWND * pHwnd) PURE;                                                          \
  STDMETHOD(GetCoreWindow)(THIS_ REFIID refiid, void** ppUnk) PURE;                                     \
  STDMETHOD(Present1)                                                                                   \
  (THIS_ UINT SyncInterval, UINT PresentFlags, const DXGI_PRESENT_PARAMETERS* pPresentParameters) PURE; \
  STDMETHOD_(BOOL, IsTemporaryMonoSupported)(THIS) PURE;                                                \
  STDMETHOD(GetRestrictToOutput)(THIS_ IDXGIOutput * *ppRestrictToOutput) PURE;                         \
  STDMETHOD(SetBackgroundColor)(THIS_ const DXGI_RGBA* pColor) PURE;                                    \
  STDMETHOD(GetBackgroundColor)(THIS_ DXGI_RGBA * pColor) PURE;                                         \
  STDMETHOD(SetRotation)(THIS_ DXGI_MODE_ROTATION Rotation) PURE;                                       \
  STDMETHOD(GetRotation)(THIS_ DXGI_MODE_ROTATION * pRotation) PURE;
#undef INTERFACE
#define INTERFACE IDXGISwapChain1
DECLARE_INTERFACE_(IDXGISwapChain1, IDXGISwapChain){
    FENCELINE_INHERITED(FENCELINE_IUNKNOWN_METHODS) FENCELINE_INHERITED(FENCELINE_IDXGIOBJECT_METHODS)
        FENCELINE_INHERITED(FENCELINE_IDXGIDEVICESUBOBJECT_METHODS)
            FENCELINE_INHERITED(FENCELINE_IDXGISWAPCHAIN_METHODS) FENCELINE_IDXGISWAPCHAIN1_METHODS};
FENCELINE_IID(IDXGISwapChain1, 0x790a45f7, 0x0d42, 0x4876, 0x98, 0x3a, 0x0a, 0x55, 0xcf, 0xe6, 0xf4, 0xaa)

#define FENCELINE_IDXGIFACTORY2_METHODS                                                                              \
  STDMETHOD_(BOOL, IsWindowedStereoEnabled)(THIS) PURE;                                                              \
  STDMETHOD(CreateSwapChainForHwnd)                                                                                  \
  (THIS_ IUnknown * pDevice, HWND hWnd, const DXGI_SWAP_CHAIN_DESC1* pDesc,                                          \
   const DXGI_SWAP_CHAIN_FULLSCREEN_DESC* pFullscreenDesc, IDXGIOutput* pRestrictToOutput,                           \
   IDXGISwapChain1** ppSwapChain) PURE;                                                                              \
  STDMETHOD(CreateSwapChainForCoreWindow)                                                                            \
  (THIS_ IUnknown * pDevice, IUnknown * pWindow, const DXGI_SWAP_CHAIN_DESC1* pDesc, IDXGIOutput* pRestrictToOutput, \
   IDXGISwapChain1** ppSwapChain) PURE;                                                                              \
  STDMETHOD(GetSharedResourceAdapterLuid)(THIS_ HANDLE hResource, LUID * pLuid) PURE;                                \
  STDMETHOD(RegisterStereoStatusWindow)(THIS_ HWND WindowHandle, UINT wMsg, DWORD * pdwCookie) PURE;                 \
  STDMETHOD(RegisterStereoStatusEvent)(THIS_ HANDLE hEvent, DWORD * pdwCookie) PURE;                                 \
  STDMETHOD_(void, UnregisterStereoStatus)(THIS_ DWORD dwCookie) PURE;                                               \
  STDMETHOD(RegisterOcclusionStatusWindow)(THIS_ HWND WindowHandle, UINT wMsg, DWORD * pdwCookie) PURE;              \
  STDMETHOD(RegisterOcclusionStatusEvent)(THIS_ HANDLE hEvent, DWORD * pdwCookie) PURE;                              \
  STDMETHOD_(void, UnregisterOcclusionStatus)(THIS_ DWORD dwCookie) PURE;                                            \
  STDMETHOD(CreateSwapChainForComposition)                                                                           \
  (THIS_ IUnknown * pDevice, const DXGI_SWAP_CHAIN_DESC1* pDesc, IDXGIOutput* pRestrictToOutput,                     \
   IDXGISwapChain1** ppSwapChain) PURE;
#undef INTERFACE
#define INTERFACE IDXGIFactory2
DECLARE_INTERFACE_(IDXGIFactory2, IDXGIFactory1){
    FENCELINE_INHERITED(FENCELINE_IUNKNOWN_METHODS) FENCELINE_INHERITED(FENCELINE_IDXGIOBJECT_METHODS)
        FENCELINE_INHERITED(FENCELINE_IDXGIFACTORY_METHODS) FENCELINE_INHERITED(FENCELINE_IDXGIFACTORY1_METHODS)
            FENCELINE_IDXGIFACTORY2_METHODS};
FENCELINE_IID(IDXGIFactory2, 0x50c83a1c, 0xe072, 0x4c48, 0x87, 0xb0, 0x36, 0x30, 0xfa, 0x36, 0xa6, 0xd0)

#define FENCELINE_IDXGIADAPTER2_METHODS STDMETHOD(GetDesc2)(THIS_ DXGI_ADAPTER_DESC2 * pDesc) PURE;
#undef INTERFACE
#define INTERFACE IDXGIAdapter2
DECLARE_INTERFACE_(IDXGIAdapter2, IDXGIAdapter1){
    FENCELINE_INHERITED(FENCELINE_IUNKNOWN_METHODS) FENCELINE_INHERITED(FENCELINE_IDXGIOBJECT_METHODS)
        FENCELINE_INHERITED(FENCELINE_IDXGIADAPTER_METHODS) FENCELINE_INHERITED(FENCELINE_IDXGIADAPTER1_METHODS)
            FENCELINE_IDXGIADAPTER2_METHODS};
FENCELINE_IID(IDXGIAdapter2, 0x0aa1ae0a, 0xfa0e, 0x4b84, 0x86, 0x44, 0xe0, 0x5f, 0xf8, 0xe5, 0xac, 0xb5)

#endif

#ifndef __dxgi1_3_h__
#define __dxgi1_3_h__

#define DXGI_CREATE_FACTORY_DEBUG 0x1

typedef struct DXGI_MATRIX_3X2_F {
  FLOAT _11;
  FLOAT _12;
  FLOAT _21;
  FLOAT _22;
  FLOAT _31;
  FLOAT _32;
} DXGI_MATRIX_3X2_F;

#define FENCELINE_IDXGISWAPCHAIN2_METHODS                                     \
  STDMETHOD(SetSourceSize)(THIS_ UINT Width, UINT Height) PURE;               \
  STDMETHOD(GetSourceSize)(THIS_ UINT * pWidth, UINT * pHeight) PURE;         \
  STDMETHOD(SetMaximumFrameLatency)(THIS_ UINT MaxLatency) PURE;              \
  STDMETHOD(GetMaximumFrameLatency)(THIS_ UINT * pMaxLatency) PURE;           \
  STDMETHOD_(HANDLE, GetFrameLatencyWaitableObject)(THIS) PURE;               \
  STDMETHOD(SetMatrixTransform)(THIS_ const DXGI_MATRIX_3X2_F* pMatrix) PURE; \
  STDMETHOD(GetMatrixTransform)(THIS_ DXGI_MATRIX_3X2_F * pMatrix) PURE;
#undef INTERFACE
#define INTERFACE IDXGISwapChain2
DECLARE_INTERFACE_(IDXGISwapChain2, IDXGISwapChain1){
    FENCELINE_INHERITED(FENCELINE_IUNKNOWN_METHODS) FENCELINE_INHERITED(FENCELINE_IDXGIOBJECT_METHODS)
        FENCELINE_INHERITED(FENCELINE_IDXGIDEVICESUBOBJECT_METHODS)
            FENCELINE_INHERITED(FENCELINE_IDXGISWAPCHAIN_METHODS) FENCELINE_INHERITED(FENCELINE_IDXGISWAPCHAIN1_METHODS)
                FENCELINE_IDXGISWAPCHAIN2_METHODS};
FENCELINE_IID(IDXGISwapChain2, 0xa8be2ac4, 0x199f, 0x4946, 0xb3, 0x31, 0x79, 0x59, 0x9f, 0xb9, 0x8d, 0xe7)

#define FENCELINE_IDXGIFACTORY3_METHODS STDMETHOD_(UINT, GetCreationFlags)(THIS) PURE;
#undef INTERFACE
#define INTERFACE IDXGIFactory3
DECLARE_INTERFACE_(IDXGIFactory3, IDXGIFactory2){
    FENCELINE_INHERITED(FENCELINE_IUNKNOWN_METHODS) FENCELINE_INHERITED(FENCELINE_IDXGIOBJECT_METHODS)
        FENCELINE_INHERITED(FENCELINE_IDXGIFACTORY_METHODS) FENCELINE_INHERITED(FENCELINE_IDXGIFACTORY1_METHODS)
            FENCELINE_INHERITED(FENCELINE_IDXGIFACTORY2_METHODS) FENCELINE_IDXGIFACTORY3_METHODS};
FENCELINE_IID(IDXGIFactory3, 0x25483823, 0xcd46, 0x4c7d, 0x86, 0xca, 0x47, 0xaa, 0x95, 0xb8, 0x37, 0xbd)

#endif

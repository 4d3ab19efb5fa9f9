// SPDX-License-Identifier: Apache-2.0
#pragma once

// What dxgitype.h and dxgi.h of the Windows SDK declare, as far as D3D12 programs use it. A program that has included
// headers of these names already keeps theirs.
#include "api/d3d12/dxgi_declare.hpp"

#ifndef __dxgitype_h__
#define __dxgitype_h__

typedef enum DXGI_MODE_ROTATION {
  DXGI_MODE_ROTATION_UNSPECIFIED = 0,
  DXGI_MODE_ROTATION_IDENTITY = 1,
  DXGI_MODE_ROTATION_ROTATE90 = 2,
  DXGI_MODE_ROTATION_ROTATE180 = 3,
  DXGI_MODE_ROTATION_ROTATE270 = 4
} DXGI_MODE_ROTATION;
typedef enum DXGI_MODE_SCANLINE_ORDER {
  DXGI_MODE_SCANLINE_ORDER_UNSPECIFIED = 0,
  DXGI_MODE_SCANLINE_ORDER_PROGRESSIVE = 1,
  DXGI_MODE_SCANLINE_ORDER_UPPER_FIELD_FIRST = 2,
  DXGI_MODE_SCANLINE_ORDER_LOWER_FIELD_FIRST = 3
} DXGI_MODE_SCANLINE_ORDER;
typedef enum DXGI_MODE_SCALING {
  DXGI_MODE_SCALING_UNSPECIFIED = 0,
  DXGI_MODE_SCALING_CENTERED = 1,
  DXGI_MODE_SCALING_STRETCHED = 2
} DXGI_MODE_SCALING;
#ifndef D3DCOLORVALUE_DEFINED
#define D3DCOLORVALUE_DEFINED
typedef struct _D3DCOLORVALUE {
  float r;
  float g;
  float b;
  float a;
} D3DCOLORVALUE;
#endif
typedef D3DCOLORVALUE DXGI_RGBA;
typedef struct DXGI_MODE_DESC {
  UINT Width;
  UINT Height;
  DXGI_RATIONAL RefreshRate;
  DXGI_FORMAT Format;
  DXGI_MODE_SCANLINE_ORDER ScanlineOrdering;
  DXGI_MODE_SCALING Scaling;
} DXGI_MODE_DESC;
typedef struct DXGI_GAMMA_CONTROL_CAPABILITIES {
  BOOL ScaleAndOffsetSupported;
  float MaxConvertedValue;
  float MinConvertedValue;
  UINT NumGammaControlPoints;
  float ControlPointPositions[1025];
} DXGI_GAMMA_CONTROL_CAPABILITIES;
typedef struct DXGI_RGB {
  float Red;
  float Green;
  float Blue;
} DXGI_RGB;
typedef struct DXGI_GAMMA_CONTROL {
  DXGI_RGB Scale;
  DXGI_RGB Offset;
  DXGI_RGB GammaCurve[1025];
} DXGI_GAMMA_CONTROL;

#endif

#ifndef __dxgi_h__
#define __dxgi_h__

#define DXGI_USAGE_SHADER_INPUT 0x00000010UL
#define DXGI_USAGE_RENDER_TARGET_OUTPUT 0x00000020UL
#define DXGI_USAGE_BACK_BUFFER 0x00000040UL
#define DXGI_USAGE_SHARED 0x00000080UL
#define DXGI_USAGE_READ_ONLY 0x00000100UL
#define DXGI_USAGE_DISCARD_ON_PRESENT 0x00000200UL
#define DXGI_USAGE_UNORDERED_ACCESS 0x00000400UL
#define DXGI_ENUM_MODES_INTERLACED 1UL
#define DXGI_ENUM_MODES_SCALING 2UL
#define DXGI_MAX_SWAP_CHAIN_BUFFERS 16
#define DXGI_PRESENT_TEST 0x00000001UL
#define DXGI_PRESENT_DO_NOT_SEQUENCE 0x00000002UL
#define DXGI_PRESENT_RESTART 0x00000004UL
#define DXGI_PRESENT_DO_NOT_WAIT 0x00000008UL
#define DXGI_PRESENT_STEREO_PREFER_RIGHT 0x00000010UL
#define DXGI_PRESENT_STEREO_TEMPORARY_MONO 0x00000020UL
#define DXGI_PRESENT_RESTRICT_TO_OUTPUT 0x00000040UL
#define DXGI_PRESENT_USE_DURATION 0x00000100UL
#define DXGI_PRESENT_ALLOW_TEARING 0x00000200UL
#define DXGI_MWA_NO_WINDOW_CHANGES (1 << 0)
#define DXGI_MWA_NO_ALT_ENTER (1 << 1)
#define DXGI_MWA_NO_PRINT_SCREEN (1 << 2)
#define DXGI_MWA_VALID 0x7

// Those of winerror.h that <wsl/winadapter.h> leaves out.
#ifndef DXGI_STATUS_OCCLUDED
#define DXGI_STATUS_OCCLUDED ((HRESULT)0x087A0001L)
#endif
#ifndef DXGI_STATUS_CLIPPED
#define DXGI_STATUS_CLIPPED ((HRESULT)0x087A0002L)
#endif
#ifndef DXGI_STATUS_NO_REDIRECTION
#define DXGI_STATUS_NO_REDIRECTION ((HRESULT)0x087A0004L)
#endif
#ifndef DXGI_STATUS_NO_DESKTOP_ACCESS
#define DXGI_STATUS_NO_DESKTOP_ACCESS ((HRESULT)0x087A0005L)
#endif
#ifndef DXGI_STATUS_GRAPHICS_VIDPN_SOURCE_IN_USE
#define DXGI_STATUS_GRAPHICS_VIDPN_SOURCE_IN_USE ((HRESULT)0x087A0006L)
#endif
#ifndef DXGI_STATUS_MODE_CHANGED
#define DXGI_STATUS_MODE_CHANGED ((HRESULT)0x087A0007L)
#endif
#ifndef DXGI_STATUS_MODE_CHANGE_IN_PROGRESS
#define DXGI_STATUS_MODE_CHANGE_IN_PROGRESS ((HRESULT)0x087A0008L)
#endif
#ifndef DXGI_ERROR_WAS_STILL_DRAWING
#define DXGI_ERROR_WAS_STILL_DRAWING ((HRESULT)0x887A000AL)
#endif
#ifndef DXGI_ERROR_FRAME_STATISTICS_DISJOINT
#define DXGI_ERROR_FRAME_STATISTICS_DISJOINT ((HRESULT)0x887A000BL)
#endif
#ifndef DXGI_ERROR_GRAPHICS_VIDPN_SOURCE_IN_USE
#define DXGI_ERROR_GRAPHICS_VIDPN_SOURCE_IN_USE ((HRESULT)0x887A000CL)
#endif
#ifndef DXGI_ERROR_NONEXCLUSIVE
#define DXGI_ERROR_NONEXCLUSIVE ((HRESULT)0x887A0021L)
#endif
#ifndef DXGI_ERROR_NOT_CURRENTLY_AVAILABLE
#define DXGI_ERROR_NOT_CURRENTLY_AVAILABLE ((HRESULT)0x887A0022L)
#endif
#ifndef DXGI_ERROR_ACCESS_LOST
#define DXGI_ERROR_ACCESS_LOST ((HRESULT)0x887A0026L)
#endif
#ifndef DXGI_ERROR_WAIT_TIMEOUT
#define DXGI_ERROR_WAIT_TIMEOUT ((HRESULT)0x887A0027L)
#endif
#ifndef DXGI_ERROR_SESSION_DISCONNECTED
#define DXGI_ERROR_SESSION_DISCONNECTED ((HRESULT)0x887A0028L)
#endif
#ifndef DXGI_ERROR_RESTRICT_TO_OUTPUT_STALE
#define DXGI_ERROR_RESTRICT_TO_OUTPUT_STALE ((HRESULT)0x887A0029L)
#endif
#ifndef DXGI_ERROR_CANNOT_PROTECT_CONTENT
#define DXGI_ERROR_CANNOT_PROTECT_CONTENT ((HRESULT)0x887A002AL)
#endif
#ifndef DXGI_ERROR_ACCESS_DENIED
#define DXGI_ERROR_ACCESS_DENIED ((HRESULT)0x887A002BL)
#endif
#ifndef DXGI_ERROR_NAME_ALREADY_EXISTS
#define DXGI_ERROR_NAME_ALREADY_EXISTS ((HRESULT)0x887A002CL)
#endif
#ifndef DXGI_ERROR_SDK_COMPONENT_MISSING
#define DXGI_ERROR_SDK_COMPONENT_MISSING ((HRESULT)0x887A002DL)
#endif
#ifndef DXGI_ERROR_ALREADY_EXISTS
#define DXGI_ERROR_ALREADY_EXISTS ((HRESULT)0x887A0036L)
#endif

// Windows' handles, of which there are none here.
#ifndef HMONITOR_DECLARED
#define HMONITOR_DECLARED
typedef void* HMONITOR;
#endif
typedef void* HMODULE;

typedef UINT DXGI_USAGE;
typedef enum DXGI_SWAP_EFFECT {
  DXGI_SWAP_EFFECT_DISCARD = 0,
  DXGI_SWAP_EFFECT_SEQUENTIAL = 1,
  DXGI_SWAP_EFFECT_FLIP_SEQUENTIAL = 3,
  DXGI_SWAP_EFFECT_FLIP_DISCARD = 4
} DXGI_SWAP_EFFECT;
typedef enum DXGI_SWAP_CHAIN_FLAG {
  DXGI_SWAP_CHAIN_FLAG_NONPREROTATED = 1,
  DXGI_SWAP_CHAIN_FLAG_ALLOW_MODE_SWITCH = 2,
  DXGI_SWAP_CHAIN_FLAG_GDI_COMPATIBLE = 4,
  DXGI_SWAP_CHAIN_FLAG_RESTRICTED_CONTENT = 8,
  DXGI_SWAP_CHAIN_FLAG_RESTRICT_SHARED_RESOURCE_DRIVER = 16,
  DXGI_SWAP_CHAIN_FLAG_DISPLAY_ONLY = 32,
  DXGI_SWAP_CHAIN_FLAG_FRAME_LATENCY_WAITABLE_OBJECT = 64,
  DXGI_SWAP_CHAIN_FLAG_FOREGROUND_LAYER = 128,
  DXGI_SWAP_CHAIN_FLAG_FULLSCREEN_VIDEO = 256,
  DXGI_SWAP_CHAIN_FLAG_YUV_VIDEO = 512,
  DXGI_SWAP_CHAIN_FLAG_HW_PROTECTED = 1024,
  DXGI_SWAP_CHAIN_FLAG_ALLOW_TEARING = 2048,
  DXGI_SWAP_CHAIN_FLAG_RESTRICTED_TO_ALL_HOLOGRAPHIC_DISPLAYS = 4096
} DXGI_SWAP_CHAIN_FLAG;
typedef enum DXGI_ADAPTER_FLAG {
  DXGI_ADAPTER_FLAG_NONE = 0,
  DXGI_ADAPTER_FLAG_REMOTE = 1,
  DXGI_ADAPTER_FLAG_SOFTWARE = 2,
  DXGI_ADAPTER_FLAG_FORCE_DWORD = 0xffffffff
} DXGI_ADAPTER_FLAG;
typedef struct DXGI_SURFACE_DESC {
  UINT Width;
  UINT Height;
  DXGI_FORMAT Format;
  DXGI_SAMPLE_DESC SampleDesc;
} DXGI_SURFACE_DESC;
typedef struct DXGI_MAPPED_RECT {
  INT Pitch;
  BYTE* pBits;
} DXGI_MAPPED_RECT;
typedef struct DXGI_OUTPUT_DESC {
  WCHAR DeviceName[32];
  RECT DesktopCoordinates;
  BOOL AttachedToDesktop;
  DXGI_MODE_ROTATION Rotation;
  HMONITOR Monitor;
} DXGI_OUTPUT_DESC;
typedef struct DXGI_FRAME_STATISTICS {
  UINT PresentCount;
  UINT PresentRefreshCount;
  UINT SyncRefreshCount;
  LARGE_INTEGER SyncQPCTime;
  LARGE_INTEGER SyncGPUTime;
} DXGI_FRAME_STATISTICS;
typedef struct DXGI_ADAPTER_DESC {
  WCHAR Description[128];
  UINT VendorId;
  UINT DeviceId;
  UINT SubSysId;
  UINT Revision;
  SIZE_T DedicatedVideoMemory;
  SIZE_T DedicatedSystemMemory;
  SIZE_T SharedSystemMemory;
  LUID AdapterLuid;
} DXGI_ADAPTER_DESC;
typedef struct DXGI_ADAPTER_DESC1 {
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
} DXGI_ADAPTER_DESC1;
typedef struct DXGI_SWAP_CHAIN_DESC {
  DXGI_MODE_DESC BufferDesc;
  DXGI_SAMPLE_DESC SampleDesc;
  DXGI_USAGE BufferUsage;
  UINT BufferCount;
  HWND OutputWindow;
  BOOL Windowed;
  DXGI_SWAP_EFFECT SwapEffect;
  UINT Flags;
} DXGI_SWAP_CHAIN_DESC;

#define FENCELINE_IDXGIOBJECT_METHODS                                                    \
  STDMETHOD(SetPrivateData)(THIS_ REFGUID Name, UINT DataSize, const void* pData) PURE;  \
  STDMETHOD(SetPrivateDataInterface)(THIS_ REFGUID Name, const IUnknown* pUnknown) PURE; \
  STDMETHOD(GetPrivateData)(THIS_ REFGUID Name, UINT * pDataSize, void* pData) PURE;     \
  STDMETHOD(GetParent)(THIS_ REFIID riid, void** ppParent) PURE;
#undef INTERFACE
#define INTERFACE IDXGIObject
DECLARE_INTERFACE_(IDXGIObject,
                   IUnknown){FENCELINE_INHERITED(FENCELINE_IUNKNOWN_METHODS) FENCELINE_IDXGIOBJECT_METHODS};
FENCELINE_IID(IDXGIObject, 0xaec22fb8, 0x76f3, 0x4639, 0x9b, 0xe0, 0x28, 0xeb, 0x43, 0xa6, 0x7a, 0x2e)

#define FENCELINE_IDXGIDEVICESUBOBJECT_METHODS STDMETHOD(GetDevice)(THIS_ REFIID riid, void** ppDevice) PURE;
#undef INTERFACE
#define INTERFACE IDXGIDeviceSubObject
DECLARE_INTERFACE_(IDXGIDeviceSubObject, IDXGIObject){FENCELINE_INHERITED(FENCELINE_IUNKNOWN_METHODS)
                                                          FENCELINE_INHERITED(FENCELINE_IDXGIOBJECT_METHODS)
                                                              FENCELINE_IDXGIDEVICESUBOBJECT_METHODS};
FENCELINE_IID(IDXGIDeviceSubObject, 0x3d3e0379, 0xf9de, 0x4d58, 0xbb, 0x6c, 0x18, 0xd6, 0x29, 0x92, 0xf1, 0xa6)

#define FENCELINE_IDXGISURFACE_METHODS                                      \
  STDMETHOD(GetDesc)(THIS_ DXGI_SURFACE_DESC * pDesc) PURE;                 \
  STDMETHOD(Map)(THIS_ DXGI_MAPPED_RECT * pLockedRect, UINT MapFlags) PURE; \
  STDMETHOD(Unmap)(THIS) PURE;
#undef INTERFACE
#define INTERFACE IDXGISurface
DECLARE_INTERFACE_(IDXGISurface, IDXGIDeviceSubObject){
    FENCELINE_INHERITED(FENCELINE_IUNKNOWN_METHODS) FENCELINE_INHERITED(FENCELINE_IDXGIOBJECT_METHODS)
        FENCELINE_INHERITED(FENCELINE_IDXGIDEVICESUBOBJECT_METHODS) FENCELINE_IDXGISURFACE_METHODS};
FENCELINE_IID(IDXGISurface, 0xcafcb56c, 0x6ac3, 0x4889, 0xbf, 0x47, 0x9e, 0x23, 0xbb, 0xd2, 0x60, 0xec)

#define FENCELINE_IDXGIOUTPUT_METHODS                                                                         \
  STDMETHOD(GetDesc)(THIS_ DXGI_OUTPUT_DESC * pDesc) PURE;                                                    \
  STDMETHOD(GetDisplayModeList)                                                                               \
  (THIS_ DXGI_FORMAT EnumFormat, UINT Flags, UINT * pNumModes, DXGI_MODE_DESC * pDesc) PURE;                  \
  STDMETHOD(FindClosestMatchingMode)                                                                          \
  (THIS_ const DXGI_MODE_DESC* pModeToMatch, DXGI_MODE_DESC* pClosestMatch, IUnknown* pConcernedDevice) PURE; \
  STDMETHOD(WaitForVBlank)(THIS) PURE;                                                                        \
  STDMETHOD(TakeOwnership)(THIS_ IUnknown * pDevice, BOOL Exclusive) PURE;                                    \
  STDMETHOD_(void, ReleaseOwnership)(THIS) PURE;                                                              \
  STDMETHOD(GetGammaControlCapabilities)(THIS_ DXGI_GAMMA_CONTROL_CAPABILITIES * pGammaCaps) PURE;            \
  STDMETHOD(SetGammaControl)(THIS_ const DXGI_GAMMA_CONTROL* pArray) PURE;                                    \
  STDMETHOD(GetGammaControl)(THIS_ DXGI_GAMMA_CONTROL * pArray) PURE;                                         \
  STDMETHOD(SetDisplaySurface)(THIS_ IDXGISurface * pScanoutSurface) PURE;                                    \
  STDMETHOD(GetDisplaySurfaceData)(THIS_ IDXGISurface * pDestination) PURE;                                   \
  STDMETHOD(GetFrameStatistics)(THIS_ DXGI_FRAME_STATISTICS * pStats) PURE;
#undef INTERFACE
#define INTERFACE IDXGIOutput
DECLARE_INTERFACE_(IDXGIOutput, IDXGIObject){FENCELINE_INHERITED(FENCELINE_IUNKNOWN_METHODS)
                                                 FENCELINE_INHERITED(FENCELINE_IDXGIOBJECT_METHODS)
                                                     FENCELINE_IDXGIOUTPUT_METHODS};
FENCELINE_IID(IDXGIOutput, 0xae02eedb, 0xc735, 0x4690, 0x8d, 0x52, 0x5a, 0x8d, 0xc2, 0x02, 0x13, 0xaa)

#define FENCELINE_IDXGIADAPTER_METHODS                                     \
  STDMETHOD(EnumOutputs)(THIS_ UINT Output, IDXGIOutput * *ppOutput) PURE; \
  STDMETHOD(GetDesc)(THIS_ DXGI_ADAPTER_DESC * pDesc) PURE;                \
  STDMETHOD(CheckInterfaceSupport)(THIS_ REFGUID InterfaceName, LARGE_INTEGER * pUMDVersion) PURE;
#undef INTERFACE
#define INTERFACE IDXGIAdapter
DECLARE_INTERFACE_(IDXGIAdapter, IDXGIObject){FENCELINE_INHERITED(FENCELINE_IUNKNOWN_METHODS)
                                                  FENCELINE_INHERITED(FENCELINE_IDXGIOBJECT_METHODS)
                                                      FENCELINE_IDXGIADAPTER_METHODS};
FENCELINE_IID(IDXGIAdapter, 0x2411e7e1, 0x12ac, 0x4ccf, 0xbd, 0x14, 0x97, 0x98, 0xe8, 0x53, 0x4d, 0xc0)

#define FENCELINE_IDXGISWAPCHAIN_METHODS                                                              \
  STDMETHOD(Present)(THIS_ UINT SyncInterval, UINT Flags) PURE;                                       \
  STDMETHOD(GetBuffer)(THIS_ UINT Buffer, REFIID riid, void** ppSurface) PURE;                        \
  STDMETHOD(SetFullscreenState)(THIS_ BOOL Fullscreen, IDXGIOutput * pTarget) PURE;                   \
  STDMETHOD(GetFullscreenState)(THIS_ BOOL * pFullscreen, IDXGIOutput * *ppTarget) PURE;              \
  STDMETHOD(GetDesc)(THIS_ DXGI_SWAP_CHAIN_DESC * pDesc) PURE;                                        \
  STDMETHOD(ResizeBuffers)                                                                            \
  (THIS_ UINT BufferCount, UINT Width, UINT Height, DXGI_FORMAT NewFormat, UINT SwapChainFlags) PURE; \
  STDMETHOD(ResizeTarget)(THIS_ const DXGI_MODE_DESC* pNewTargetParameters) PURE;                     \
  STDMETHOD(GetContainingOutput)(THIS_ IDXGIOutput * *ppOutput) PURE;                                 \
  STDMETHOD(GetFrameStatistics)(THIS_ DXGI_FRAME_STATISTICS * pStats) PURE;                           \
  STDMETHOD(GetLastPresentCount)(THIS_ UINT * pLastPresentCount) PURE;
#undef INTERFACE
#define INTERFACE IDXGISwapChain
DECLARE_INTERFACE_(IDXGISwapChain, IDXGIDeviceSubObject){
    FENCELINE_INHERITED(FENCELINE_IUNKNOWN_METHODS) FENCELINE_INHERITED(FENCELINE_IDXGIOBJECT_METHODS)
        FENCELINE_INHERITED(FENCELINE_IDXGIDEVICESUBOBJECT_METHODS) FENCELINE_IDXGISWAPCHAIN_METHODS};
FENCELINE_IID(IDXGISwapChain, 0x310d36a0, 0xd2e7, 0x4c0a, 0xaa, 0x04, 0x6a, 0x9d, 0x23, 0xb8, 0x88, 0x6a)

#define FENCELINE_IDXGIFACTORY_METHODS                                                          \
  STDMETHOD(EnumAdapters)(THIS_ UINT Adapter, IDXGIAdapter * *ppAdapter) PURE;                  \
  STDMETHOD(MakeWindowAssociation)(THIS_ HWND WindowHandle, UINT Flags) PURE;                   \
  STDMETHOD(GetWindowAssociation)(THIS_ HWND * pWindowHandle) PURE;                             \
  STDMETHOD(CreateSwapChain)                                                                    \
  (THIS_ IUnknown * pDevice, DXGI_SWAP_CHAIN_DESC * pDesc, IDXGISwapChain * *ppSwapChain) PURE; \
  STDMETHOD(CreateSoftwareAdapter)(THIS_ HMODULE Module, IDXGIAdapter * *ppAdapter) PURE;
#undef INTERFACE
#define INTERFACE IDXGIFactory
DECLARE_INTERFACE_(IDXGIFactory, IDXGIObject){FENCELINE_INHERITED(FENCELINE_IUNKNOWN_METHODS)
                                                  FENCELINE_INHERITED(FENCELINE_IDXGIOBJECT_METHODS)
                                                      FENCELINE_IDXGIFACTORY_METHODS};
FENCELINE_IID(IDXGIFactory, 0x7b7166ec, 0x21c7, 0x44ae, 0xb2, 0x1a, 0xc9, 0xae, 0x32, 0x1a, 0xe3, 0x69)

#define FENCELINE_IDXGIADAPTER1_METHODS STDMETHOD(GetDesc1)(THIS_ DXGI_ADAPTER_DESC1 * pDesc) PURE;
#undef INTERFACE
#define INTERFACE IDXGIAdapter1
DECLARE_INTERFACE_(IDXGIAdapter1, IDXGIAdapter){
    FENCELINE_INHERITED(FENCELINE_IUNKNOWN_METHODS) FENCELINE_INHERITED(FENCELINE_IDXGIOBJECT_METHODS)
        FENCELINE_INHERITED(FENCELINE_IDXGIADAPTER_METHODS) FENCELINE_IDXGIADAPTER1_METHODS};
FENCELINE_IID(IDXGIAdapter1, 0x29038f61, 0x3839, 0x4626, 0x91, 0xfd, 0x08, 0x68, 0x79, 0x01, 0x1a, 0x05)

#define FENCELINE_IDXGIFACTORY1_METHODS                                          \
  STDMETHOD(EnumAdapters1)(THIS_ UINT Adapter, IDXGIAdapter1 * *ppAdapter) PURE; \
  STDMETHOD_(BOOL, IsCurrent)(THIS) PURE;
#undef INTERFACE
#define INTERFACE IDXGIFactory1
DECLARE_INTERFACE_(IDXGIFactory1, IDXGIFactory){
    FENCELINE_INHERITED(FENCELINE_IUNKNOWN_METHODS) FENCELINE_INHERITED(FENCELINE_IDXGIOBJECT_METHODS)
        FENCELINE_INHERITED(FENCELINE_IDXGIFACTORY_METHODS) FENCELINE_IDXGIFACTORY1_METHODS};
FENCELINE_IID(IDXGIFactory1, 0x770aae78, 0xf26f, 0x4dba, 0xa8, 0x29, 0x25, 0x3c, 0x83, 0xd1, 0xb3, 0x87)

#endif

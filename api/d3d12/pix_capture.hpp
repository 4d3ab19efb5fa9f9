/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* PIX's programmatic captures (WinPixEventRuntime's pix3.h): a GPU capture is a capture of Fenceline's, of what every
 * device of the process does from its beginning to its end (api/capture/README.md). Other kinds are not modelled. */
#include "api/d3d12/event.hpp"

#ifndef E_PENDING
#define E_PENDING ((HRESULT)0x8000000AL)
#endif

#define PIX_CAPTURE_TIMING (1 << 0)
#define PIX_CAPTURE_GPU (1 << 1)
#define PIX_CAPTURE_FUNCTION_SUMMARY (1 << 2)
#define PIX_CAPTURE_FUNCTION_DETAILS (1 << 3)
#define PIX_CAPTURE_CALLGRAPH (1 << 4)
#define PIX_CAPTURE_INSTRUCTION_TRACE (1 << 5)
#define PIX_CAPTURE_SYSTEM_MONITOR_COUNTERS (1 << 6)
#define PIX_CAPTURE_VIDEO (1 << 7)
#define PIX_CAPTURE_AUDIO (1 << 8)
#define PIX_CAPTURE_GPU_TRACE (1 << 9)
#define PIX_CAPTURE_RESERVED (1 << 15)

/* NOLINTBEGIN(readability-identifier-naming): PIX's own names */
/** Where timing captures are kept. */
typedef enum PIX_CAPTURE_STORAGE {
  PIX_CAPTURE_STORAGE_MEMORY = 0,
  PIX_CAPTURE_STORAGE_MEMORY_CIRCULAR = 1,
  PIX_CAPTURE_STORAGE_FILE_CIRCULAR = 2
} PIX_CAPTURE_STORAGE;

/** What PIXBeginCapture2 is told: of GPU captures the file. */
typedef union PIXCaptureParameters {
  struct {
    PCWSTR FileName;      /**< of the capture; null: the program's name and .capture */
  } GpuCaptureParameters; /**< of PIX_CAPTURE_GPU */
  struct {
    PCWSTR FileName;
    UINT32 MaximumToolingMemorySizeMb;
    PIX_CAPTURE_STORAGE CaptureStorage;
    BOOL CaptureGpuTiming;
    BOOL CaptureCallstacks;
    BOOL CaptureCpuSamples;
    UINT32 CpuSamplesPerSecond;
    BOOL CaptureFileIO;
    BOOL CaptureVirtualAllocEvents;
    BOOL CaptureHeapAllocEvents;
    BOOL CapturePageFaultEvents;
    BOOL CaptureVideoFrames;
  } TimingCaptureParameters; /**< of PIX_CAPTURE_TIMING, which is not made here */
} PIXCaptureParameters, *PPIXCaptureParameters;
/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
extern "C" {
#endif

/** A GPU capture begins now. E_PENDING: one is under way; E_NOTIMPL: of another kind. */
HRESULT WINAPI PIXBeginCapture2(DWORD flags, const PIXCaptureParameters* parameters);
/** It ends, and its files are whole. `discard` is ignored, as on Windows. */
HRESULT WINAPI PIXEndCapture(BOOL discard);
/** PIX_CAPTURE_GPU while a capture is under way, else 0. */
DWORD WINAPI PIXGetCaptureState(void);
/** The frames from the next Present on, so many. E_PENDING: a capture is under way, or awaited. */
HRESULT WINAPI PIXGpuCaptureNextFrames(PCWSTR file, UINT32 frames);
/** There are no windows to choose from: S_OK. */
HRESULT WINAPI PIXSetTargetWindow(HWND window);
/** TRUE: captures can be made. */
BOOL WINAPI PIXIsAttachedForGpuCapture(void);
/** There is no such library, nor a need for one: null. */
void* WINAPI PIXLoadLatestWinPixGpuCapturerLibrary(void);
/** The same. */
void* WINAPI PIXLoadLatestWinPixTimingCapturerLibrary(void);
/** Nobody shows counters. */
void WINAPI PIXReportCounter(PCWSTR name, float value);
/** A thread goes on: captures know it from the event. */
void WINAPI PIXNotifyWakeFromFenceSignal(HANDLE event);

#ifdef __cplusplus
}
#endif

/** PIXBeginCapture2's older name. */
#define PIXBeginCapture(flags, parameters) PIXBeginCapture2(flags, parameters)

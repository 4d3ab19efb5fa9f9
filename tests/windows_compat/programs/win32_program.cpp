// SPDX-License-Identifier: Apache-2.0
// A program as it is written for Windows: WinMain, a window that paints itself, two threads that record for each frame,
// files beside the program, a clock.
#include <process.h>
#include <shellapi.h>
#include <windows.h>
#include <wrl.h>

#include <d3d12.h>
#include <dxgi1_6.h>
#include <pix3.h>
#include <stdexcept>
#include <string>
#include <vector>

using Microsoft::WRL::ComPtr;
using namespace Microsoft::WRL::Wrappers;

extern "C" {
_declspec(dllexport) extern const UINT D3D12SDKVersion = 606;
}

#define NAME_OBJECT(x) (x)->SetName(L#x)

void Check(HRESULT result) {
  if (FAILED(result)) {
    char text[64];
    sprintf_s(text, "HRESULT of 0x%08X", static_cast<UINT>(result));
    throw std::runtime_error(text);
  }
}

struct Worker {
  UINT number;
  class Program* program;
};

class Program {
 public:
  void Init(HWND window) {
    ComPtr<IDXGIFactory6> factory;
    Check(CreateDXGIFactory2(0, IID_PPV_ARGS(&factory)));
    ComPtr<IDXGIAdapter1> adapter;
    Check(factory->EnumAdapterByGpuPreference(0, DXGI_GPU_PREFERENCE_HIGH_PERFORMANCE, IID_PPV_ARGS(&adapter)));
    if (FAILED(D3D12CreateDevice(adapter.Get(), D3D_FEATURE_LEVEL_12_0, _uuidof(ID3D12Device), nullptr))) return;
    Check(D3D12CreateDevice(adapter.Get(), D3D_FEATURE_LEVEL_12_0, IID_PPV_ARGS(&m_device)));
    D3D12_COMMAND_QUEUE_DESC queueDesc = {};
    Check(m_device->CreateCommandQueue(&queueDesc, IID_PPV_ARGS(&m_queue)));
    NAME_OBJECT(m_queue);
    DXGI_SWAP_CHAIN_DESC1 desc = {};
    desc.BufferCount = 2;
    desc.Width = 320;
    desc.Height = 240;
    desc.Format = DXGI_FORMAT_R8G8B8A8_UNORM;
    desc.BufferUsage = DXGI_USAGE_RENDER_TARGET_OUTPUT;
    desc.SwapEffect = DXGI_SWAP_EFFECT_FLIP_DISCARD;
    desc.SampleDesc.Count = 1;
    ComPtr<IDXGISwapChain1> chain;
    Check(factory->CreateSwapChainForHwnd(m_queue.Get(), window, &desc, nullptr, nullptr, &chain));
    Check(chain.As(&m_chain));
    HWND own = nullptr;
    Check(m_chain->GetHwnd(&own));
    if (own != window) throw std::runtime_error("another window");
    Check(m_device->CreateFence(0, D3D12_FENCE_FLAG_NONE, IID_PPV_ARGS(&m_fence)));
    m_fenceEvent.Attach(CreateEvent(nullptr, FALSE, FALSE, nullptr));
    for (UINT i = 0; i < 2; ++i) {
      m_begin[i].Attach(CreateEvent(nullptr, FALSE, FALSE, nullptr));
      m_end[i].Attach(CreateEvent(nullptr, FALSE, FALSE, nullptr));
      Check(m_device->CreateCommandAllocator(D3D12_COMMAND_LIST_TYPE_DIRECT, IID_PPV_ARGS(&m_allocators[i])));
      Check(m_device->CreateCommandList(0, D3D12_COMMAND_LIST_TYPE_DIRECT, m_allocators[i].Get(), nullptr,
                                        IID_PPV_ARGS(&m_lists[i])));
      Check(m_lists[i]->Close());
      m_workers[i] = {i, this};
      m_threads[i] =
          reinterpret_cast<HANDLE>(_beginthreadex(nullptr, 0, Work, &m_workers[i], CREATE_SUSPENDED, nullptr));
      ResumeThread(m_threads[i]);
    }
    WCHAR path[MAX_PATH];
    GetModuleFileName(nullptr, path, _countof(path));
    m_file.Attach(CreateFile2(L".\\Data\\..\\WORK.txt", GENERIC_WRITE, 0, CREATE_ALWAYS, nullptr));
    if (!m_file.IsValid() || wcsrchr(path, L'\\') == nullptr) throw std::runtime_error("no file");
  }

  void Render() {
    for (UINT i = 0; i < 2; ++i) SetEvent(m_begin[i].Get());
    HANDLE ends[] = {m_end[0].Get(), m_end[1].Get()};
    WaitForMultipleObjects(2, ends, TRUE, INFINITE);
    PIXBeginEvent(m_queue.Get(), 0, L"Frame %u", m_frame);
    ID3D12CommandList* lists[] = {m_lists[0].Get(), m_lists[1].Get()};
    m_queue->ExecuteCommandLists(_countof(lists), lists);
    PIXEndEvent(m_queue.Get());
    Check(m_chain->Present(1, 0));
    Check(m_queue->Signal(m_fence.Get(), ++m_frame));
    Check(m_fence->SetEventOnCompletion(m_frame, m_fenceEvent.Get()));
    WaitForSingleObjectEx(m_fenceEvent.Get(), INFINITE, FALSE);
    LARGE_INTEGER count;
    QueryPerformanceCounter(&count);
    printf("frame %u of %s at %lld\n", m_frame, m_order.c_str(), static_cast<long long>(count.QuadPart));
    m_order.clear();
  }

  void Destroy() {
    m_stop = true;
    for (UINT i = 0; i < 2; ++i) SetEvent(m_begin[i].Get());
    WaitForMultipleObjects(2, m_threads, TRUE, INFINITE);
    DWORD codes[2] = {};
    for (UINT i = 0; i < 2; ++i) {
      GetExitCodeThread(m_threads[i], &codes[i]);
      CloseHandle(m_threads[i]);
    }
    printf("workers ended with %u and %u\n", codes[0], codes[1]);
    m_file.Close();
    FileHandle file(CreateFile2(L"work.txt", GENERIC_READ, FILE_SHARE_READ, OPEN_EXISTING, nullptr));
    FILE_STANDARD_INFO info = {};
    GetFileInformationByHandleEx(file.Get(), FileStandardInfo, &info, sizeof(info));
    std::vector<char> text(info.EndOfFile.LowPart);
    ReadFile(file.Get(), text.data(), info.EndOfFile.LowPart, nullptr, nullptr);
    UINT lines = 0;
    for (const char letter : text) lines += letter == '\n' ? 1 : 0;
    printf("work.txt has %u numbers per frame: %u lines\n", lines / m_frame, lines);
  }

 private:
  static unsigned WINAPI Work(void* argument) {
    const Worker& worker = *static_cast<Worker*>(argument);
    worker.program->Run(worker.number);
    return 70 + worker.number;
  }

  void Run(UINT number) {
    while (WaitForSingleObject(m_begin[number].Get(), INFINITE) == WAIT_OBJECT_0 && !m_stop) {
      m_allocators[number]->Reset();
      m_lists[number]->Reset(m_allocators[number].Get(), nullptr);
      PIXBeginEvent(m_lists[number].Get(), PIX_COLOR(255, 0, 0), "worker %u", number);
      PIXEndEvent(m_lists[number].Get());
      m_lists[number]->Close();
      for (UINT i = 0; i < 2; ++i) {
        const auto lock = m_mutex.Lock();
        m_order += static_cast<char>('0' + number);
        char text[16];
        const int letters = sprintf_s(text, "%u %u\n", number, i);
        WriteFile(m_file.Get(), text, static_cast<DWORD>(letters), nullptr, nullptr);
        Sleep(number);
      }
      InterlockedIncrement(&m_ended);
      SetEvent(m_end[number].Get());
    }
  }

  ComPtr<ID3D12Device> m_device;
  ComPtr<ID3D12CommandQueue> m_queue;
  ComPtr<IDXGISwapChain3> m_chain;
  ComPtr<ID3D12Fence> m_fence;
  ComPtr<ID3D12CommandAllocator> m_allocators[2];
  ComPtr<ID3D12GraphicsCommandList> m_lists[2];
  Event m_fenceEvent, m_begin[2], m_end[2];
  Mutex m_mutex{CreateMutex(nullptr, FALSE, nullptr)};
  FileHandle m_file;
  HANDLE m_threads[2] = {};
  Worker m_workers[2] = {};
  std::string m_order;
  LONG m_ended = 0;
  UINT m_frame = 0;
  bool m_stop = false;
};

LRESULT CALLBACK WindowProc(HWND hWnd, UINT message, WPARAM wParam, LPARAM lParam) {
  Program* program = reinterpret_cast<Program*>(GetWindowLongPtr(hWnd, GWLP_USERDATA));
  switch (message) {
    case WM_CREATE: {
      LPCREATESTRUCT created = reinterpret_cast<LPCREATESTRUCT>(lParam);
      SetWindowLongPtr(hWnd, GWLP_USERDATA, reinterpret_cast<LONG_PTR>(created->lpCreateParams));
      return 0;
    }
    case WM_PAINT: program->Render(); return 0;
    case WM_CLOSE: puts("closed"); break;
    case WM_DESTROY:
      puts("destroyed");
      PostQuitMessage(3);
      return 0;
  }
  return DefWindowProc(hWnd, message, wParam, lParam);
}

_Use_decl_annotations_ int WINAPI WinMain(HINSTANCE hInstance, HINSTANCE, LPSTR, int nCmdShow) {
  int argc;
  LPWSTR* argv = CommandLineToArgvW(GetCommandLineW(), &argc);
  printf("arguments: %ls|%ls\n", argv[1], argv[2]);
  LocalFree(argv);
  Program program;
  WNDCLASSEX windowClass = {0};
  windowClass.cbSize = sizeof(WNDCLASSEX);
  windowClass.style = CS_HREDRAW | CS_VREDRAW;
  windowClass.lpfnWndProc = WindowProc;
  windowClass.hInstance = hInstance;
  windowClass.hCursor = LoadCursor(NULL, IDC_ARROW);
  windowClass.lpszClassName = L"Program";
  RegisterClassEx(&windowClass);
  RECT rect = {0, 0, 320, 240};
  AdjustWindowRect(&rect, WS_OVERLAPPEDWINDOW, FALSE);
  HWND window = CreateWindow(windowClass.lpszClassName, L"Program", WS_OVERLAPPEDWINDOW, CW_USEDEFAULT, CW_USEDEFAULT,
                             rect.right - rect.left, rect.bottom - rect.top, nullptr, nullptr, hInstance, &program);
  program.Init(window);
  ShowWindow(window, nCmdShow);
  MSG msg = {};
  while (msg.message != WM_QUIT) {
    if (PeekMessage(&msg, NULL, 0, 0, PM_REMOVE)) {
      TranslateMessage(&msg);
      DispatchMessage(&msg);
    }
  }
  program.Destroy();
  return static_cast<char>(msg.wParam);
}

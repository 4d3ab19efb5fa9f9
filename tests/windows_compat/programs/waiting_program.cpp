// SPDX-License-Identifier: Apache-2.0
// A program whose window paints nothing: its loop waits for messages, a thread posts two, and it refuses to be closed.
#include <Windows.h>
#include <stdio.h>

static UINT received = 0;

LRESULT CALLBACK Procedure(HWND window, UINT message, WPARAM w, LPARAM l) {
  if (message == WM_APP) {
    ++received;
    printf("worker: %u\n", static_cast<UINT>(w));
    return 0;
  }
  if (message == WM_CLOSE) {
    puts("close refused");
    return 0;
  }
  return DefWindowProc(window, message, w, l);
}

DWORD WINAPI Post(LPVOID argument) {
  const HWND window = *static_cast<HWND*>(argument);
  for (UINT i = 1; i <= 2; ++i) {
    Sleep(i == 1 ? 10 : 1);
    PostMessage(window, WM_APP, i, 0);
  }
  return 0;
}

int WINAPI wWinMain(HINSTANCE instance, HINSTANCE, LPWSTR, int) {
  WNDCLASSW made = {};
  made.lpfnWndProc = Procedure;
  made.hInstance = instance;
  made.lpszClassName = L"Waiting";
  RegisterClass(&made);
  HWND window =
      CreateWindowW(L"Waiting", L"Waiting", WS_OVERLAPPEDWINDOW, 0, 0, 100, 100, nullptr, nullptr, instance, nullptr);
  const ULONGLONG begin = GetTickCount64();
  CloseHandle(CreateThread(nullptr, 0, Post, &window, 0, nullptr));
  MSG message;
  while (GetMessage(&message, nullptr, 0, 0)) DispatchMessage(&message);
  printf("quit after %llu ms and %u messages\n", static_cast<unsigned long long>(GetTickCount64() - begin), received);
  return static_cast<int>(message.wParam);
}

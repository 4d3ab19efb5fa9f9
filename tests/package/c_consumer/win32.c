/* SPDX-License-Identifier: Apache-2.0 */
/* A stranger's Win32 program in C. */
#include <windows.h>

#include <dxgi1_6.h>

static volatile LONG done = 0;

static DWORD WINAPI work(LPVOID event) {
  InterlockedIncrement(&done);
  return SetEvent(event) ? 5 : 0;
}

int WINAPI WinMain(HINSTANCE instance, HINSTANCE previous, LPSTR command_line, int show) {
  const HANDLE event = CreateEvent(NULL, FALSE, FALSE, NULL);
  const HANDLE thread = CreateThread(NULL, 0, work, event, 0, NULL);
  DWORD code = 0;
  MSG message;
  int turns = 0;
  (void)instance, (void)previous, (void)command_line, (void)show;
  if (WaitForSingleObject(event, INFINITE) != WAIT_OBJECT_0) return 1;
  if (WaitForSingleObject(thread, INFINITE) != WAIT_OBJECT_0) return 1;
  GetExitCodeThread(thread, &code);
  ZeroMemory(&message, sizeof message);
  while (message.message != WM_QUIT) turns += PeekMessage(&message, 0, 0, 0, PM_REMOVE) ? 0 : 1;
  printf("win32: %d thread with code %u, %d turns\n", (int)done, (unsigned)code, turns);
  return 0;
}

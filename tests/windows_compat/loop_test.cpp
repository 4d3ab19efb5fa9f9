// SPDX-License-Identifier: Apache-2.0
// Windows and the message loop.
#include "api/windows_compat/include/windows.h"
#include "api/windows_compat/windows/loop_turns.hpp"
#include "tests/support/shell.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace fenceline::testing;
using fenceline::windows_compat::LoopTurns;

TEST_CASE("loop turns: as many frames as there are, then close, then quit for ever", "[windows_compat]") {
  for (const std::uint64_t frames : {1, 2, 60}) {
    LoopTurns turns(frames);
    for (std::uint64_t i = 0; i < frames; ++i) {
      CHECK_FALSE(turns.over());
      CHECK(turns.next() == LoopTurns::Turn::frame);
    }
    CHECK(turns.over());
    CHECK(turns.next() == LoopTurns::Turn::close);
    CHECK(turns.next() == LoopTurns::Turn::quit);
    CHECK(turns.next() == LoopTurns::Turn::quit);
  }
}

namespace {

std::vector<UINT> seen;

LRESULT CALLBACK note(HWND window, UINT message, WPARAM w, LPARAM l) {
  seen.push_back(message);
  if (message == WM_CREATE) {
    const auto* const told = reinterpret_cast<const CREATESTRUCTW*>(l);
    if (told->lpCreateParams == nullptr) return -1;
    SetWindowLongPtr(window, GWLP_USERDATA, reinterpret_cast<LONG_PTR>(told->lpCreateParams));
  }
  return DefWindowProc(window, message, w, l);
}

HWND create(LPCWSTR class_name, void* parameter) {
  return CreateWindowExW(0, class_name, L"title", WS_OVERLAPPEDWINDOW, CW_USEDEFAULT, CW_USEDEFAULT, 800, 600, nullptr,
                         nullptr, nullptr, parameter);
}

}  // namespace

TEST_CASE("windows: what they are told from creation to destruction", "[windows_compat]") {
  WNDCLASSEXW made{};
  made.cbSize = sizeof made;
  made.lpfnWndProc = note;
  made.lpszClassName = L"Noting";
  const ATOM atom = RegisterClassExW(&made);
  REQUIRE(atom != 0);
  CHECK(RegisterClassExW(&made) == 0);
  CHECK(GetLastError() == ERROR_CLASS_ALREADY_EXISTS);
  CHECK(create(L"Nobody", &made) == nullptr);
  CHECK(GetLastError() == ERROR_CANNOT_FIND_WND_CLASS);

  seen.clear();
  CHECK(create(L"Noting", nullptr) == nullptr);  // its WM_CREATE refuses
  CHECK(seen == std::vector<UINT>{WM_NCCREATE, WM_CREATE, WM_DESTROY, WM_NCDESTROY});

  seen.clear();
  const HWND window = create(reinterpret_cast<LPCWSTR>(static_cast<ULONG_PTR>(atom)), &made);
  REQUIRE(window != nullptr);
  CHECK(seen == std::vector<UINT>{WM_NCCREATE, WM_CREATE});
  CHECK(GetWindowLongPtr(window, GWLP_USERDATA) == reinterpret_cast<LONG_PTR>(&made));
  RECT client{};
  CHECK(GetClientRect(window, &client));
  CHECK(client.right == 800);
  CHECK(client.bottom == 600);

  seen.clear();
  ShowWindow(window, SW_SHOW);
  CHECK(seen == std::vector<UINT>{WM_SHOWWINDOW, WM_SIZE, WM_MOVE});
  seen.clear();
  CHECK(SetWindowPos(window, HWND_TOPMOST, 10, 20, 1920, 1080, SWP_NOACTIVATE));
  CHECK(seen == std::vector<UINT>{WM_MOVE, WM_SIZE});
  CHECK(GetWindowRect(window, &client));
  CHECK(client.left == 10);
  CHECK(client.bottom == 1100);
  WCHAR title[8];
  CHECK(SetWindowTextW(window, L"0123456789"));
  CHECK(GetWindowTextW(window, title, 8) == 7);
  CHECK(std::wstring(title) == L"0123456");

  seen.clear();
  CHECK(DestroyWindow(window));
  CHECK(seen == std::vector<UINT>{WM_DESTROY, WM_NCDESTROY});
  CHECK_FALSE(IsWindow(window));
  CHECK_FALSE(DestroyWindow(window));
  CHECK(GetLastError() == ERROR_INVALID_WINDOW_HANDLE);
  CHECK(UnregisterClassW(L"Noting", nullptr));
}

TEST_CASE("a Win32 program: workers, files, clock and frames are the same at every run", "[windows_compat]") {
  const Shell shell;
  const auto run = [&](const std::string& environment) {
    return shell.run(environment + " FENCELINE_MACHINE=tiny FENCELINE_OUT=out " +
                     Shell::quoted(FENCELINE_WIN32_PROGRAM) + " -name \"a b\"");
  };
  const Output first = run("FENCELINE_FRAMES=7");
  CAPTURE(first.err);
  REQUIRE(first.code == 3);  // what it gives to PostQuitMessage
  const auto files = files_in(shell.work());
  CHECK(files.at("out/report.json").find("queue0_m_queue") != std::string::npos);  // L#name, as it stands there
  CHECK(first.out.find("arguments: -name|a b\n") == 0);
  CHECK(first.out.find("frame 7 of ") != std::string::npos);
  CHECK(first.out.find("frame 8 of ") == std::string::npos);
  CHECK(first.out.find("closed\ndestroyed\nworkers ended with 70 and 71\n") != std::string::npos);
  CHECK(first.out.find("work.txt has 4 numbers per frame: 28 lines\n") != std::string::npos);
  for (int again = 0; again < 3; ++again) {
    std::filesystem::remove_all(shell.work() / "out");
    const Output other = run("FENCELINE_FRAMES=7");
    CHECK(other.out == first.out);
    CHECK(files_in(shell.work()) == files);
  }

  SECTION("without FENCELINE_FRAMES there are 60, and what is no number is told") {
    const Output usual = run("");
    CHECK(usual.code == 3);
    CHECK(usual.out.find("frame 60 of ") != std::string::npos);
    CHECK(usual.out.find("frame 61 of ") == std::string::npos);
    for (const char* wrong : {"0", "-1", "ten", "7x"}) {
      const Output told = run(std::string("FENCELINE_FRAMES=") + wrong);
      CHECK(told.code == 3);
      CHECK(told.err.find(std::string("FENCELINE_FRAMES: expected a whole number from 1, found \"") + wrong + "\"") !=
            std::string::npos);
      CHECK(told.out == usual.out);
    }
  }
}

TEST_CASE("a Win32 program whose loop waits in GetMessage ends, too", "[windows_compat]") {
  const Shell shell;
  const Output output = shell.run("FENCELINE_FRAMES=30 " + Shell::quoted(FENCELINE_WAITING_PROGRAM));
  CAPTURE(output.err);
  CHECK(output.code == 0);
  // 30 turns, two of which messages end at 10 and 11 ms: 11 ms and 28 sixtieths of a second, 477.7 ms.
  CHECK(output.out == "worker: 1\nworker: 2\nclose refused\nquit after 477 ms and 2 messages\n");
}

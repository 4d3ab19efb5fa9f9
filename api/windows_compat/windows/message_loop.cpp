// SPDX-License-Identifier: Apache-2.0
// Messages of the process's windows, and the turns of the loop that reads them.
#include "api/windows_compat/call.hpp"
#include "api/windows_compat/system_error.hpp"
#include "api/windows_compat/windows/loop_turns.hpp"
#include "api/windows_compat/windows/window.hpp"
#include "api/windows_compat/windows/window_table.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

using fenceline::d3d12::Host;
using fenceline::windows_compat::enter_call;
using fenceline::windows_compat::fail_with;
using fenceline::windows_compat::LoopTurns;
using fenceline::windows_compat::Window;
using fenceline::windows_compat::WindowTable;

namespace {

constexpr std::uint64_t ps_per_ms = 1'000'000'000;

MSG message_of(int window, UINT message, WPARAM w = 0, LPARAM l = 0) {
  MSG made{};
  made.hwnd = window;
  made.message = message;
  made.wParam = w;
  made.lParam = l;
  made.time = static_cast<DWORD>(Host::clock_ps() / ps_per_ms);
  return made;
}

/// Which messages a program asks for: 0 for both ends of the range is all.
struct Filter {
  int window;
  UINT first;
  UINT last;

  bool takes(const MSG& message) const {
    if (message.message == WM_QUIT) return true;
    if (window != 0 && message.hwnd != window) return false;
    return (first == 0 && last == 0) || (message.message >= first && message.message <= last);
  }
};

/// With the host's lock.
class MessageQueue {
 public:
  static MessageQueue& instance() {
    static auto* const queue = new MessageQueue;  // threads may outlive static objects
    return *queue;
  }

  void post(const MSG& message) { posted_.push_back(message); }
  void post_quit(int exit_code) { quit_ = exit_code; }
  bool empty() const { return posted_.empty() && !quit_.has_value(); }

  /// What waits for the program, before anything is painted.
  std::optional<MSG> next_posted(const Filter& filter, bool remove) {
    const auto found = std::find_if(posted_.begin(), posted_.end(), [&](const MSG& one) { return filter.takes(one); });
    if (found != posted_.end()) {
      const MSG message = *found;
      if (remove) posted_.erase(found);
      return message;
    }
    if (!quit_.has_value()) return std::nullopt;
    const MSG message = message_of(0, WM_QUIT, static_cast<WPARAM>(*quit_));
    if (remove) {
      quit_.reset();
      quit_taken_ = true;
    }
    return message;
  }

  /// Nothing waits: a turn of the loop, which paints or finds no message, or the end of it.
  std::optional<MSG> next_turn(const Filter& filter, bool remove) {
    if (std::exchange(quit_taken_, false)) return std::nullopt;  // a loop over all messages ends
    const std::optional<MSG> paint = paint_message(filter);
    if (paint && !remove && !turns_.over()) return paint;  // the turn counts when the message is taken
    switch (turns_.next()) {
      case LoopTurns::Turn::frame: return paint;
      case LoopTurns::Turn::close:
        for (const auto& [handle, window] : WindowTable::instance().windows()) post(message_of(handle, WM_CLOSE));
        if (posted_.empty()) post_quit(0);
        break;
      case LoopTurns::Turn::quit: post_quit(0); break;
    }
    return next_posted(filter, remove);
  }

 private:
  static std::optional<MSG> paint_message(const Filter& filter) {
    const int window = WindowTable::instance().window_to_paint();
    if (window == 0) return std::nullopt;
    const MSG paint = message_of(window, WM_PAINT);
    return filter.takes(paint) ? std::optional<MSG>(paint) : std::nullopt;
  }

  std::deque<MSG> posted_;
  std::optional<int> quit_;
  bool quit_taken_ = false;  // and nobody has asked since
  LoopTurns turns_ = LoopTurns::of_environment();
};

}  // namespace

BOOL PeekMessageW(LPMSG message, HWND window, UINT first, UINT last, UINT remove) {
  const Host::Lock lock = enter_call();
  const Filter filter{window, first, last};
  MessageQueue& queue = MessageQueue::instance();
  const bool takes = (remove & PM_REMOVE) != 0;
  std::optional<MSG> found = queue.next_posted(filter, takes);
  if (!found) found = queue.next_turn(filter, takes);
  if (!found) return FALSE;
  *message = *found;
  return TRUE;
}

BOOL GetMessageW(LPMSG message, HWND window, UINT first, UINT last) {
  constexpr std::uint64_t frame_ps = 1'000'000'000'000 / 60;
  const Filter filter{window, first, last};
  Host& host = Host::instance();
  MessageQueue& queue = MessageQueue::instance();
  Host::Lock lock = enter_call();
  std::optional<MSG> found;
  while (!(found = queue.next_posted(filter, true)) && !(found = queue.next_turn(filter, true))) {
    host.wait(
        lock, [&] { return !queue.empty(); }, Host::clock_ps() + frame_ps, host.wake_ps(), [] { return "a message"; });
  }
  *message = *found;
  return found->message != WM_QUIT;
}

BOOL TranslateMessage(const MSG*) { return FALSE; }

LRESULT DispatchMessageW(const MSG* message) {
  return SendMessageW(message->hwnd, message->message, message->wParam, message->lParam);
}

LRESULT SendMessageW(HWND handle, UINT message, WPARAM w, LPARAM l) {
  WNDPROC procedure = nullptr;
  {
    const Host::Lock lock = enter_call();
    const Window* const window = WindowTable::instance().find(handle);
    if (window != nullptr) procedure = window->procedure;
  }
  if (procedure != nullptr) return procedure(handle, message, w, l);
  fail_with(ERROR_INVALID_WINDOW_HANDLE);
  return 0;
}

BOOL PostMessageW(HWND handle, UINT message, WPARAM w, LPARAM l) {
  const Host::Lock lock = enter_call();
  if (WindowTable::instance().find(handle) == nullptr) return fail_with(ERROR_INVALID_WINDOW_HANDLE);
  MessageQueue::instance().post(message_of(handle, message, w, l));
  Host::instance().notify();
  return TRUE;
}

void PostQuitMessage(int exit_code) {
  const Host::Lock lock = enter_call();
  MessageQueue::instance().post_quit(exit_code);
}

LRESULT DefWindowProcW(HWND handle, UINT message, WPARAM, LPARAM) {
  switch (message) {
    case WM_NCCREATE:
    case WM_ERASEBKGND: return TRUE;
    case WM_PAINT: ValidateRect(handle, nullptr); return 0;
    case WM_CLOSE: DestroyWindow(handle); return 0;
    default: return 0;
  }
}

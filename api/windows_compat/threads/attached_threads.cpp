// SPDX-License-Identifier: Apache-2.0
// Threads that a program does not start by CreateThread: with FENCELINE_ATTACH_THREADS=1 those of std::thread,
// std::async and pthread_create take turns, too. The program's references to pthread_create, and those of the C++
// library, come here before they come to the C library.
#include "api/windows_compat/threads/attached_threads.hpp"

#include "api/d3d12/host/host_clock.hpp"
#include "api/d3d12/host_thread.hpp"
#include "api/windows_compat/call.hpp"
#include "api/windows_compat/threads/thread_id.hpp"
#include "sim/files/console.hpp"
#include "sim/plain_threads.hpp"
#include "sim/sanitizers.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <string_view>

using fenceline::d3d12::Host;
using namespace fenceline::windows_compat;
namespace d3d12 = fenceline::d3d12;

namespace fenceline::windows_compat {

void attach_caller() {
  if (d3d12::thread_number != 0) return;
  static auto* const of_first = new std::unique_ptr<HostThread>;
  thread_local std::unique_ptr<HostThread> of_another;
  std::unique_ptr<HostThread>& here = gettid() == getpid() ? *of_first : of_another;
  here = std::make_unique<HostThread>();
  here->attach();
}

}  // namespace fenceline::windows_compat

// A sanitizer has these names for itself.
#if !defined(FENCELINE_ADDRESS_SANITIZER) && !defined(FENCELINE_THREAD_SANITIZER)

namespace {

bool attaches() {
  static const bool wanted = [] {
    constexpr const char* variable = "FENCELINE_ATTACH_THREADS";
    const char* const set = std::getenv(variable);
    const std::string_view text = set != nullptr ? set : "";
    if (!text.empty() && text != "0" && text != "1") {
      fenceline::console::tell("fenceline: {}: expected 0 or 1, found \"{}\"; it is 0\n", variable, text);
    }
    return text == "1";
  }();
  return wanted;
}

/// A thread that takes turns.
struct Attached {
  void* (*start)(void*);
  void* argument;
  DWORD id;
  std::unique_ptr<fenceline::HostThread> host;
  bool done = false;  // with the host's lock
};

/// The threads that may be joined, by their pthread_t. With the host's lock.
std::map<pthread_t, std::shared_ptr<Attached>>& joinable() {
  static auto* const all = new std::map<pthread_t, std::shared_ptr<Attached>>;  // threads may outlive static objects
  return *all;
}

/// The last thing that a thread does, also where pthread_exit ends it.
class Ending {
 public:
  explicit Ending(Attached& thread) : thread_(thread) {}
  ~Ending() {
    {
      const Host::Lock lock = enter_call();
      thread_.done = true;
      Host::instance().notify();
    }
    thread_.host->detach();
  }
  Ending(const Ending&) = delete;
  Ending& operator=(const Ending&) = delete;

 private:
  Attached& thread_;
};

void* run(void* given) {
  const std::unique_ptr<std::shared_ptr<Attached>> keeps(static_cast<std::shared_ptr<Attached>*>(given));
  Attached& thread = **keeps;
  thread.host->attach();
  set_thread_id(thread.id);
  const Ending ending(thread);
  enter_call().unlock();  // what comes before its first call has its turn, too
  return thread.start(thread.argument);
}

/// The C library's function of that name.
template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming)

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                              void* argument) noexcept {
  static const auto create = next<decltype(&pthread_create)>("pthread_create");
  if (fenceline::PlainThreads::any() || !attaches()) return create(thread, attributes, start, argument);
  attach_caller();
  enter_call().unlock();  // threads are numbered in the order of their makers' clocks
  auto made = std::make_shared<Attached>();
  made->start = start;
  made->argument = argument;
  thread_id();  // the maker's number is the smaller one
  made->id = new_thread_id();
  made->host = std::make_unique<fenceline::HostThread>();
  auto given = std::make_unique<std::shared_ptr<Attached>>(made);
  const int error = create(thread, attributes, run, given.get());
  if (error != 0) return error;
  static_cast<void>(given.release());  // `run` has it
  int state = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr) pthread_attr_getdetachstate(attributes, &state);
  const Host::Lock lock = Host::instance().lock();
  if (state == PTHREAD_CREATE_JOINABLE) joinable()[*thread] = std::move(made);
  return 0;
}

extern "C" int pthread_join(pthread_t thread, void** result) {
  static const auto join = next<decltype(&pthread_join)>("pthread_join");
  if (!fenceline::PlainThreads::any() && attaches()) {
    Host::Lock lock = enter_call();
    if (const auto found = joinable().find(thread); found != joinable().end()) {
      const std::shared_ptr<Attached> attached = found->second;
      const auto done = [&] { return attached->done; };
      Host& host = Host::instance();
      // The program stands still here for ever; it has been said who waits for what.
      if (host.wait(lock, done, Host::never, host.wake_ps(), [] { return "a thread to end"; }) ==
          Host::Outcome::deadlock) {
        std::abort();
      }
      joinable().erase(thread);
    }
  }
  return join(thread, result);
}

extern "C" int pthread_detach(pthread_t thread) noexcept {
  static const auto detach = next<decltype(&pthread_detach)>("pthread_detach");
  if (attaches()) {
    const Host::Lock lock = Host::instance().lock();
    joinable().erase(thread);
  }
  return detach(thread);
}

// NOLINTEND(readability-identifier-naming)

#endif

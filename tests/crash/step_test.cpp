// SPDX-License-Identifier: Apache-2.0
// A process killed before and after each of its system calls, one after the other: nothing between two of them is
// missed.
#include "tests/crash/crash_figures.hpp"
#include "tests/crash/kill_victim.hpp"
#include "tests/crash/quick_directory.hpp"
#include "tests/shadercache/cache_bench.hpp"
#include "tests/support/child_process.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

using namespace fenceline;
using namespace fenceline::testing;
namespace fs = std::filesystem;

namespace {

const CacheDescription description = default_cache(CacheMode::disk);

enum class Step { store, grow, catch_up, mend, sync, clear, other_version, delete_on_destroy };

/// What a process that is killed has reported, in memory that is shared with it.
struct Reports {
  std::atomic<std::uint32_t> stored{0};  ///< of these the first
  std::atomic<bool> may_be_cleared{false};
};

std::string key_of(std::uint32_t number) { return std::to_string(number); }
std::string value_of(std::uint32_t number) { return pattern(number % 100 == 99 ? 20000 : 1 + number % 9, number); }

/// Does it to a copy of the same cache again and again, and gets one system call further each time.
class Steps {
 public:
  explicit Steps(Step step) : step_(step) {
    void* const memory = ::mmap(nullptr, sizeof(Reports), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("no shared memory");
    reports_ = new (memory) Reports;
    bench_.config.directory = directory_ / "caches";
    bench_.restart();
    prepare();
  }
  ~Steps() { ::munmap(reports_, sizeof(Reports)); }
  Steps(const Steps&) = delete;
  Steps& operator=(const Steps&) = delete;

  /// False: the system lets nobody trace another.
  bool all() {
    for (int calls = 0;; ++calls) {
      restore();
      ChildProcess child([this] {
        end_with_parent();
        if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) return no_trace;
        ::raise(SIGSTOP);
        return work();
      });
      const int end = run(child.id(), calls);
      if (end == no_trace) {
        child.wait();
        return false;
      }
      if (end == stopped) {
        child.kill();
        child.wait();
        figures().count(CrashFigures::stops);
      }
      check(calls);
      if (end != stopped) return true;
    }
  }

 private:
  static constexpr int stopped = -1;
  static constexpr int no_trace = 77;

  void prepare() {
    const std::uint32_t count = step_ == Step::grow ? 511 : 40;
    auto session = bench_.open(description);
    for (std::uint32_t number = 0; number < count; ++number) store_in(*session, key_of(number), value_of(number));
    prepared_ = count;
    if (step_ != Step::catch_up) session.reset();  // else as a killed process leaves it
    for (const std::string& name : names_in(bench_.config.directory)) {
      if (step_ == Step::mend && fs::path(name).extension() == ".idx") continue;
      files_[name] = contents_of(bench_.config.directory / name);
    }
    session.reset();
    bench_.restart();
  }

  void restore() {
    fs::remove_all(bench_.config.directory);
    for (const auto& [name, bytes] : files_) write_file(bench_.config.directory / name, bytes);
    reports_->stored = prepared_;
    reports_->may_be_cleared = false;
  }

  void store(ShaderCacheSession& session) {
    for (int count = 0; count < 4; ++count) {
      const std::uint32_t number = reports_->stored;
      if (store_in(session, key_of(number), value_of(number)) != CacheStatus::ok)
        throw std::runtime_error("not stored");
      reports_->stored = number + 1;
    }
  }

  int work() {
    ShaderCachesConfig config = bench_.config;
    if (step_ == Step::sync) config.durability = CacheDurability::system;
    ShaderCaches caches(config);
    reports_->may_be_cleared = step_ == Step::other_version;
    auto session = CacheBench::open_in(caches, with_version(description, step_ == Step::other_version ? 1 : 0));
    if (step_ == Step::other_version) return 0;
    store(*session);
    if (step_ == Step::sync && !session->sync()) return 1;
    reports_->may_be_cleared = step_ == Step::clear || step_ == Step::delete_on_destroy;
    if (step_ == Step::clear) {
      caches.clear();
      session.reset();
      caches.clear();  // removes the files
    }
    if (step_ == Step::delete_on_destroy) session->set_delete_on_destroy();
    session.reset();
    return 0;
  }

  /// `stopped` in front of or behind a system call, or what it ended with before.
  static int run(::pid_t process, int calls) {
    int status = 0;
    if (::waitpid(process, &status, WUNTRACED) != process) throw std::runtime_error("no process to trace");
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    if (!WIFSTOPPED(status)) return report_crash(status);
    ::ptrace(PTRACE_SETOPTIONS, process, nullptr, PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD);
    for (int call = 0; call < calls;) {
      if (::ptrace(PTRACE_SYSCALL, process, nullptr, nullptr) != 0) throw std::runtime_error("cannot trace");
      if (::waitpid(process, &status, 0) != process) throw std::runtime_error("no process to trace");
      if (WIFEXITED(status)) {
        if (WEXITSTATUS(status) != 0) report_crash(status);
        return WEXITSTATUS(status);
      }
      if (WIFSIGNALED(status)) return report_crash(status);
      if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
        ++call;
      } else if (WSTOPSIG(status) != SIGTRAP && WSTOPSIG(status) != SIGSTOP) {
        return report_crash(status);
      }
    }
    return stopped;
  }

  static int report_crash(int status) {
    figures().fail(CrashFigures::crashes, fmt::format("a traced process ended or stopped with status {:x}", status));
    return 1;
  }

  void check(int calls) {
    const std::uint32_t stored = reports_->stored;
    const bool other = step_ == Step::other_version && calls % 2 == 0;  // by turns as either
    const bool may_be_gone = other || reports_->may_be_cleared;
    const auto fail = [&](CrashFigures::Row row, std::uint32_t number, const std::string& what) {
      figures().fail(row, fmt::format("step {}, killed at call {}: entry {} of {}: {}", static_cast<int>(step_), calls,
                                      number, stored, what));
    };
    for (int again = 0; again < 2; ++again) {
      const auto caches = bench_.another_process();
      const auto session = CacheBench::open_in(*caches, with_version(description, other ? 1 : 0));
      for (std::uint32_t number = 0; number <= stored; ++number) {
        const Found found = find_in(*session, key_of(number));
        const bool missing = found == CacheStatus::not_found;
        if (!missing && !(found == value_of(number))) fail(CrashFigures::wrong, number, name_of(found.status));
        if (!missing || (number == stored && again == 0)) continue;  // that was perhaps being stored
        if (!may_be_gone || again == 1) fail(CrashFigures::lost, number, "not found");
        if (again == 0 && store_in(*session, key_of(number), value_of(number)) != CacheStatus::ok) {
          fail(CrashFigures::wrong, number, "it is not stored again");
        }
      }
      if (again == 0) store_in(*session, key_of(stored), value_of(stored));
    }
  }

  Step step_;
  TemporaryDirectory directory_{quick_directory()};
  CacheBench bench_;
  Reports* reports_ = nullptr;
  std::uint32_t prepared_ = 0;
  std::map<std::string, std::string> files_;
};

}  // namespace

TEST_CASE("shader cache crash: killed between any two system calls it keeps what it reported", "[crash]") {
  const Step step = GENERATE(Step::store, Step::grow, Step::catch_up, Step::mend, Step::sync, Step::clear,
                             Step::other_version, Step::delete_on_destroy);
  CAPTURE(static_cast<int>(step));
  if (!Steps(step).all()) {
    WARN("the system lets nobody trace another process: nothing was tried");
    return;
  }
  INFO(figures().failures());
  CHECK(figures()[CrashFigures::lost] == 0);
  CHECK(figures()[CrashFigures::wrong] == 0);
  CHECK(figures()[CrashFigures::crashes] == 0);
}

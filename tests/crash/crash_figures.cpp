// SPDX-License-Identifier: Apache-2.0
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include "tests/crash/crash_figures.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>

namespace fenceline::testing {
namespace {

constexpr std::array<const char*, CrashFigures::rows> names{
    "kills at random times",
    "reported values looked for",
    "  found, and right",
    "  cleared on purpose",
    "finds of the processes beside them",
    "stores of the processes beside them",
    "kills at each system call",
    "torn writes tried",
    "bit flips tried",
    "  entries lost to both",
    "full disks met",
    "refused files and directories",
    "entries lost",
    "wrong values and answers",
    "crashes",
};

CrashFigures& shared_figures() {
  void* const memory = ::mmap(nullptr, sizeof(CrashFigures), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("no shared memory");
  return *new (memory) CrashFigures{};
}

// Before any process is started.
CrashFigures& all = shared_figures();

/// The table stands at the end, whichever tests ran.
class PrintsFigures final : public Catch::TestEventListenerBase {
 public:
  using TestEventListenerBase::TestEventListenerBase;
  void testRunEnded(const Catch::TestRunStats&) override { std::fputs(figures().table().c_str(), stdout); }
};
CATCH_REGISTER_LISTENER(PrintsFigures)

}  // namespace

CrashFigures& CrashFigures::of_all() { return all; }

void CrashFigures::fail(Row row, const std::string& text) {
  count(row);
  const std::size_t number = failures_.fetch_add(1);
  if (number >= texts_.size()) return;
  auto& bytes = texts_[number].bytes;
  std::memcpy(bytes.data(), text.data(), std::min(text.size(), bytes.size() - 1));
}

std::string CrashFigures::failures() const {
  std::string said;
  const std::size_t count = failures_.load();
  for (std::size_t i = 0; i < std::min(count, texts_.size()); ++i) said += std::string(texts_[i].bytes.data()) + '\n';
  if (count > texts_.size()) said += fmt::format("and {} more\n", count - texts_.size());
  return said;
}

std::string CrashFigures::table() const {
  std::string text = fmt::format("\ncrash test of the shader cache, seed {}\n", crash_seed());
  for (std::size_t row = 0; row < rows; ++row) {
    const std::uint64_t number = numbers_[row].load();
    if (number == 0 && row < lost) continue;
    text += fmt::format("  {:<38}{:>12}\n", names[row], number);
  }
  return text;
}

std::uint64_t crash_size(const char* variable, std::uint64_t without) {
  const char* const text = std::getenv(variable);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : without;
}

std::uint32_t crash_seed() { return static_cast<std::uint32_t>(crash_size("FENCELINE_CRASH_SEED", 1)); }

void tell_progress(const std::string& what, std::uint64_t done, std::uint64_t of) {
  static const bool read = ::isatty(STDERR_FILENO) == 1;
  if (!read) return;
  std::fprintf(stderr, "\r%s: %llu of %llu%s", what.c_str(), static_cast<unsigned long long>(done),
               static_cast<unsigned long long>(of), done == of ? "\n" : "");
}

}  // namespace fenceline::testing

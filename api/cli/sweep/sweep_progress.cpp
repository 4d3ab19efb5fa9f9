// SPDX-License-Identifier: Apache-2.0
#include "api/cli/sweep/sweep_progress.hpp"

#include "sim/files/console.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <string>

namespace fenceline::cli {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds first_bar{300};
constexpr milliseconds each_bar{100};
constexpr milliseconds each_line{10'000};
constexpr std::size_t bar_width = 30;

std::string clock_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::min(seconds, 1e9));
  if (whole >= 3600) return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace

SweepProgress::SweepProgress(std::uint64_t total, std::uint64_t before, bool quiet, bool whole)
    : total_(total),
      before_(before),
      quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) == 1),
      start_(std::chrono::steady_clock::now()),
      next_(start_ + (terminal_ ? first_bar : each_line)) {
  if (!quiet_ && whole && before_ > 0) console::tell("{} of {} runs are done already\n", before_, total_);
}

SweepProgress::~SweepProgress() {
  if (shown_ && terminal_) console::tell("\r\x1b[K");  // the bar goes when the work is done
}

void SweepProgress::show(std::uint64_t done, std::uint64_t failed) {
  if (quiet_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + (terminal_ ? each_bar : each_line);
  shown_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double rate = static_cast<double>(done - before_) / std::max(seconds, 1e-9);
  const std::string left = rate > 0 ? clock_text(static_cast<double>(total_ - done) / rate) : "?";
  const std::string numbers =
      fmt::format("{} of {} runs, {:.1f} runs/s, {} left, {} failed", done, total_, rate, left, failed);
  if (!terminal_) {
    console::tell("{}\n", numbers);
    return;
  }
  const auto filled = static_cast<std::size_t>(static_cast<double>(done) / static_cast<double>(total_) * bar_width);
  console::tell("\r[{:#<{}}{:.<{}}] {}\x1b[K", "", filled, "", bar_width - filled, numbers);
}

}  // namespace fenceline::cli

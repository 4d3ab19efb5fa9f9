// SPDX-License-Identifier: Apache-2.0
#include "api/cli/progress.hpp"

#include "sim/files/console.hpp"

#include <unistd.h>

#include <algorithm>
#include <utility>

namespace fenceline::cli {
namespace {
constexpr std::chrono::milliseconds first_after{500};
constexpr std::chrono::milliseconds then_every{100};
constexpr std::size_t bar_width = 40;
}  // namespace

ProgressBar::ProgressBar(std::string what)
    : what_(std::move(what)),
      terminal_(isatty(STDERR_FILENO) == 1),
      next_(std::chrono::steady_clock::now() + first_after) {}

ProgressBar::~ProgressBar() {
  if (shown_) console::tell("\r\x1b[K");  // the bar goes when the work is done
}

void ProgressBar::show(std::uint64_t done, std::uint64_t total) {
  if (!terminal_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + then_every;
  shown_ = true;
  const double share = total == 0 ? 1 : std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const auto filled = static_cast<std::size_t>(share * static_cast<double>(bar_width));
  console::tell("\r[{:#<{}}{:.<{}}] {:3.0f} % of {} {}", "", filled, "", bar_width - filled, share * 100, total, what_);
}

}  // namespace fenceline::cli

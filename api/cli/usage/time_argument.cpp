// SPDX-License-Identifier: Apache-2.0
#include "api/cli/usage/time_argument.hpp"

#include "sim/config_error.hpp"
#include "sim/duration.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <utility>

namespace fenceline::cli {
namespace {

constexpr double most_us = 9e12;
constexpr std::pair<const char*, double> units_us[] = {{"ns", 1e-3}, {"us", 1}, {"ms", 1e3}, {"s", 1e6}};

std::optional<double> number_in(const std::string& text) {
  double number = 0;
  const bool plain = !text.empty() && text.find_first_not_of("0123456789.eE+-") == std::string::npos;
  if (!plain || !CLI::detail::lexical_cast(text, number)) return std::nullopt;
  return number;
}

}  // namespace

std::string refuse_time_us(const std::string& text, double least_us) {
  const std::optional<double> us = number_in(text);
  if (us && *us >= least_us && *us <= most_us) return "";
  return fmt::format("expected microseconds from {:g} to 9e12, found {}", least_us, in_quotes(text));
}

std::optional<std::uint64_t> time_in(const std::string& text) {
  const std::size_t unit = text.find_last_of("0123456789.") + 1;  // 0: there is no digit
  const std::optional<double> number = number_in(text.substr(0, unit));
  if (!number) return std::nullopt;
  for (const auto& [name, us] : units_us) {
    if (text.compare(unit, std::string::npos, name) != 0) continue;
    if (*number * us < 1e-6 || *number * us > most_us) return std::nullopt;
    return ps_of_us(*number * us);
  }
  return std::nullopt;
}

}  // namespace fenceline::cli

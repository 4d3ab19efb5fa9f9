// SPDX-License-Identifier: Apache-2.0
#include "api/cli/validation_table.hpp"

#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <vector>

namespace fenceline::cli {
namespace {

using Table = fmt::memory_buffer;

template <class... Arguments>
void add(Table& text, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Arguments>(arguments)...);
}

/// The file's own name, up to its first dot.
std::string short_name(const std::string& file) {
  const std::string name = std::filesystem::path(file).filename().string();
  return one_line(name.substr(0, name.find('.', 1)));
}

std::string words_of(const KindLimits& limits) {
  std::vector<std::string> words;
  if (limits.each != nullptr) words.emplace_back(limits.each);
  if (limits.mean_pct) words.push_back(fmt::format("mean {} %", *limits.mean_pct));
  if (limits.p90_pct) words.push_back(fmt::format("p90 {} %", *limits.p90_pct));
  if (limits.mean_op_pct) words.push_back(fmt::format("ends {} %", *limits.mean_op_pct));
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ", "));
}

const char* mark_of(const ValidatedKind& kind) {
  if (kind.kind->informative) return "info";
  return kind.pass() ? "pass" : "MISS";
}

/// Figures of others in their own units, each with its source.
void add_published(Table& text, const ValidatedKind& kind) {
  std::size_t width = 6;
  for (const ValidationCase& one : kind.cases) width = std::max(width, one.name.size());
  add(text, "{}, {}\n  {:<{}}  {:>12}  {:>12}  {:>9}  {}\n", short_name(kind.file), kind.kind->name(), "figure", width,
      "published", "simulated", "error %", "source");
  for (const ValidationCase& one : kind.cases) {
    add(text, "  {:<{}}  {:>12.2f}  {:>12.2f}  {:>+9.2f}  {}\n", one.name, width, one.units->measured,
        one.units->simulated, one.error_pct(), one_line(one.units->source));
  }
  add(text, "\n");
}

void add_rows(Table& text, const ValidatedKind& kind, bool ops) {
  if (!kind.cases.empty() && kind.cases.front().units) return add_published(text, kind);
  std::size_t width = 4;
  for (const ValidationCase& one : kind.cases) width = std::max(width, one_line(one.name).size());
  add(text, "{}, {}\n", short_name(kind.file), kind.kind->name());
  add(text, "  {:<{}}  {:>14}  {:>14}  {:>9}  {:>13}\n", "case", width, "measured us", "simulated us", "error %",
      "op error % *");
  for (const ValidationCase& one : kind.cases) {
    const char* mark = one.within_limit() || kind.kind->informative ? "" : " MISS";
    std::string limit;
    if (one.limit_pct) limit += fmt::format("  <= {} %", *one.limit_pct);
    if (one.shares) {
      limit += fmt::format("; share {:.0f} %, simulated {:.0f} %, <= {} points", one.shares->measured_pct,
                           one.shares->simulated_pct, OutcomeShares::limit_points);
    }
    limit += mark;
    add(text, "  {:<{}}  {:>14.3f}  {:>14.3f}  {:>+9.2f}  {:>13.2f}{}\n", one_line(one.name), width, one.measured_us,
        one.simulated_us, one.error_pct(), one.mean_op_error_pct(), limit);
    for (std::size_t i = 0; ops && i < one.ops.size(); ++i) {
      const ValidationOp& op = one.ops[i];
      add(text, "    op {:<5} measured end {:>12.2f}   simulated {:>12.2f} .. {:>12.2f}   error {:>8.2f} %\n", i,
          op.measured_end_us, op.simulated_start_us, op.simulated_end_us, op.abs_error_pct());
    }
  }
  add(text, "\n");
}

/// Kinds with limits, and those of them that keep them.
struct Verdicts {
  std::size_t judged = 0;
  std::size_t passed = 0;
  std::size_t cases = 0;

  void add(const Validation& validation) {
    cases += validation.cases().size();
    for (const ValidatedKind& kind : validation.kinds) {
      if (kind.kind->informative) continue;
      ++judged;
      if (kind.pass()) ++passed;
    }
  }
};

constexpr const char* footnote =
    "* mean over the operations inside the cases: |simulated end - measured end| / measured end\n";

void add_table(Table& text, const Validation& validation, const std::string& machine, bool rows, bool ops) {
  if (rows) {
    for (const ValidatedKind& kind : validation.kinds) add_rows(text, kind, ops);
  }
  std::size_t width = 4;
  for (const ValidatedKind& kind : validation.kinds) width = std::max(width, short_name(kind.file).size());
  for (const SkippedRows& one : validation.skipped) width = std::max(width, short_name(one.file).size());
  add(text, "{:<{}}  {:<25}  {:>5}  {:>6}  {:>6}  {:>6}  {:>7}  {:<4}  {}\n", "file", width, "kind", "cases", "mean %",
      "p90 %", "max %", "ends %*", "", "at most");
  for (const ValidatedKind& kind : validation.kinds) {
    const bool has_ops =
        std::any_of(kind.cases.begin(), kind.cases.end(), [](const ValidationCase& one) { return !one.ops.empty(); });
    const std::string ends = has_ops ? fmt::format("{:.2f}", kind.operations().mean) : "-";
    const ErrorSummary errors = kind.errors();
    add(text, "{:<{}}  {:<25}  {:>5}  {:>6.2f}  {:>6.2f}  {:>6.2f}  {:>7}  {:<4}  {}\n", short_name(kind.file), width,
        kind.kind->name(), kind.cases.size(), errors.mean, errors.p90, errors.max, ends, mark_of(kind),
        words_of(kind.kind->limits));
  }
  for (const SkippedRows& one : validation.skipped) {
    add(text, "{:<{}}  {:<25}  {:>5}  {}\n", short_name(one.file), width, one.skipped.key, one.skipped.rows,
        one.skipped.reason);
  }
  Verdicts verdicts;
  verdicts.add(validation);
  add(text, "{} cases on {}; {} of {} kinds keep their limits\n", verdicts.cases, one_line(machine), verdicts.passed,
      verdicts.judged);
}

}  // namespace

std::string validation_table(const Validation& validation, const std::string& machine, bool rows, bool ops) {
  Table text;
  add_table(text, validation, machine, rows, ops);
  add(text, "{}", footnote);
  return fmt::to_string(text);
}

std::string validation_tables(const std::vector<MachineValidation>& validations, bool rows, bool ops) {
  Table text;
  Verdicts verdicts;
  for (const MachineValidation& one : validations) {
    add(text, "{} on {}\n", one_line(one.directory), one_line(one.machine));
    add_table(text, one.validation, one.machine, rows, ops);
    add(text, "\n");
    verdicts.add(one.validation);
  }
  add(text, "{} cases of {} tables; {} of {} kinds keep their limits\n{}", verdicts.cases, validations.size(),
      verdicts.passed, verdicts.judged, footnote);
  return fmt::to_string(text);
}

}  // namespace fenceline::cli

// SPDX-License-Identifier: Apache-2.0
#include "api/compare/verdict.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace fenceline {
namespace {

using nlohmann::json;

constexpr double least_part = 0.01;  // of a latency: what is less is not worth a word

double number_at(const json& document, const char* pointer) {
  const json::json_pointer at(pointer);
  return document.contains(at) && document[at].is_number() ? document[at].get<double>() : 0;
}

/// Of all elements of an array of the report.
double sum_in(const json& document, const char* array, const char* key) {
  double sum = 0;
  const json::json_pointer at(array);
  if (!document.contains(at) || !document[at].is_array()) return 0;
  for (const json& element : document[at]) sum += number_at(element, key);
  return sum;
}

std::string completed_in(const json& document) {
  const json::json_pointer at("/statistics/completed");
  return document.contains(at) && document[at] == true ? "completes" : "does not complete";
}

std::string misses_text(const char* what, double before, double after) {
  return before == after ? "" : fmt::format("; it misses {} {} in place of {}", after, what, before);
}

/// Before and after, picoseconds.
struct Latency {
  double before = 0;
  double after = 0;
  double part() const { return std::fabs(after - before) / std::max({before, after, 1.0}); }
  bool moved() const { return part() >= least_part; }
  /// A long time that moved little weighs as much as a short one that moved much.
  double weight() const { return std::fabs(after - before) * part(); }
};

std::string text_of(const std::string& what, const Latency& latency) {
  const std::string part = percent_of(latency.after - latency.before, latency.before);
  return fmt::format("; {}, p99: {:.3f} -> {:.3f} us{}", what, latency.before / 1e6, latency.after / 1e6,
                     part.empty() ? "" : " (" + part + ")");
}

std::string preemption_text(const json& one, const json& other) {
  const char* const requests = "/statistics/preemption/requests";
  if (number_at(one, requests) == 0 || number_at(other, requests) == 0) return "";  // there is nothing to compare
  const char* const p99 = "/statistics/preemption/latency_ps/p99";
  const Latency latency{number_at(one, p99), number_at(other, p99)};
  return latency.moved() ? text_of("preemption latency", latency) : "";
}

/// By name, of the queues that had packets.
std::map<std::string, double> queues_in(const json& document) {
  std::map<std::string, double> queues;
  const json::json_pointer at("/statistics/queues");
  if (!document.contains(at) || !document[at].is_array()) return queues;
  for (const json& queue : document[at]) {
    if (!queue.is_object() || number_at(queue, "/render_packets") == 0) continue;
    if (const auto name = queue.find("queue"); name != queue.end() && name->is_string()) {
      queues[name->get<std::string>()] = number_at(queue, "/time_in_queue_ps/p99");
    }
  }
  return queues;
}

std::string queue_text(const json& one, const json& other) {
  const std::map<std::string, double> before = queues_in(one);
  std::string most;
  Latency latency;
  for (const auto& [name, after] : queues_in(other)) {
    const auto found = before.find(name);
    if (found == before.end()) continue;
    const Latency its{found->second, after};
    if (!its.moved() || its.weight() <= latency.weight()) continue;
    most = name;
    latency = its;
  }
  const std::string prefix = "adapter.scheduler.";
  if (most.rfind(prefix, 0) == 0) most.erase(0, prefix.size());
  return most.empty() ? "" : text_of("time in queue of " + most, latency);
}

}  // namespace

std::string percent_of(double change, double of) {
  if (of == 0) return "";
  const double percent = 100 * change / of;
  return fmt::format(std::fabs(percent) < 0.05 ? "{:+.1g} %" : "{:+.1f} %", percent);
}

std::string verdict_of(const json& one, const json& other, std::size_t inputs) {
  std::string text;
  if (completed_in(one) != completed_in(other))
    text += fmt::format("B {}, A {}; ", completed_in(other), completed_in(one));
  const double before = number_at(one, "/statistics/end_ps");
  const double change = number_at(other, "/statistics/end_ps") - before;
  if (change == 0) {
    text += "B takes as long as A";
  } else {
    text += fmt::format("B takes {:.3f} us {} than A ({})", std::fabs(change) / 1e6, change < 0 ? "less" : "more",
                        percent_of(change, before));
  }
  const auto sums = [&](const char* array, const char* key) {
    return std::pair(sum_in(one, array, key), sum_in(other, array, key));
  };
  const auto [late, later] = sums("/statistics/deadlines", "/missed");
  const auto [blanks, more_blanks] = sums("/statistics/swap_chains", "/missed_vblanks");
  text += misses_text("deadlines", late, later) + misses_text("vertical blanks", blanks, more_blanks);
  text += preemption_text(one, other) + queue_text(one, other);
  if (inputs == 0) text += "; no input differs: the reports are not of one version or one state of caches";
  return text;
}

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#include "api/compare/usual_rows.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace fenceline {
namespace {

constexpr std::array<const char*, 5> parts_of_distribution = {"mean", "p50", "p90", "p99", "max"};

const std::string preemption = "/preemption/";
const std::string preemption_of_engine = "/preemption/engines/";

bool begins_with(const std::string& text, const std::string& begin) { return text.rfind(begin, 0) == 0; }

/// The pointer before its last token, and that.
std::pair<std::string, std::string> split(const std::string& pointer) {
  const std::size_t slash = pointer.rfind('/');
  if (slash == std::string::npos) return {"", pointer};
  return {pointer.substr(0, slash), pointer.substr(slash + 1)};
}

/// The distribution of which this is a number; empty: of none.
std::string distribution_of(const std::string& pointer) {
  const auto [parent, key] = split(pointer);
  const bool is_part = std::any_of(parts_of_distribution.begin(), parts_of_distribution.end(),
                                   [key = key](const char* part) { return key == part; });
  const std::string unit = "_ps";
  const bool is_times = parent.size() > unit.size() && parent.compare(parent.size() - 3, 3, unit) == 0;
  return is_part && is_times ? parent : "";
}

bool is_shown_part(const std::string& pointer) {
  const std::string key = split(pointer).second;
  return key == "p50" || key == "p99";
}

bool is_attempt(const std::string& pointer) {
  return begins_with(pointer, preemption) && pointer.find("/attempts/") != std::string::npos;
}

class Usual {
 public:
  explicit Usual(const std::vector<ValueDifference>& all) {
    for (const ValueDifference& one : all) {
      by_pointer_.emplace(one.pointer, &one);
      const std::string distribution = distribution_of(one.pointer);
      if (distribution.empty()) continue;
      first_.try_emplace(distribution, one.pointer);
      if (is_shown_part(one.pointer)) shown_.insert(distribution);
    }
  }

  bool is(const ValueDifference& one) const {
    if (begins_with(one.pointer, preemption) && split(one.pointer).second == "engine_ps") return false;
    if (is_of_only_engine(one) || is_told(one)) return false;
    const std::string distribution = distribution_of(one.pointer);
    if (distribution.empty()) return true;
    return shown_.count(distribution) > 0 ? is_shown_part(one.pointer) : first_.at(distribution) == one.pointer;
  }

 private:
  /// All engines together have it with the same numbers.
  bool is_of_only_engine(const ValueDifference& one) const {
    if (!begins_with(one.pointer, preemption_of_engine)) return false;
    const std::size_t end = one.pointer.find('/', preemption_of_engine.size());
    if (end == std::string::npos) return one.one.is_null() || one.other.is_null();  // it is there in one run alone
    return has_same(one, preemption + one.pointer.substr(end + 1));
  }

  /// A part that is the whole: bytes of one kind, latencies from requests on where nothing was waited for before.
  bool is_told(const ValueDifference& one) const {
    const std::string bytes = preemption + "saved_bytes";
    const std::string from_request = preemption + "latency_from_request_ps/";
    if (begins_with(one.pointer, bytes + "_by_kind/")) return has_same(one, bytes);
    return begins_with(one.pointer, from_request) &&
           has_same(one, preemption + "latency_ps/" + one.pointer.substr(from_request.size()));
  }

  bool has_same(const ValueDifference& one, const std::string& pointer) const {
    const auto found = by_pointer_.find(pointer);
    return found != by_pointer_.end() && found->second->one == one.one && found->second->other == one.other;
  }

  std::map<std::string, const ValueDifference*> by_pointer_;
  std::map<std::string, std::string> first_;  // of a distribution, in the order
  std::set<std::string> shown_;               // distributions of which p50 or p99 changed
};

}  // namespace

std::vector<ValueDifference> usual_rows(const std::vector<ValueDifference>& all) {
  const Usual usual(all);
  std::vector<ValueDifference> rows;
  std::copy_if(all.begin(), all.end(), std::back_inserter(rows),
               [&](const ValueDifference& one) { return usual.is(one); });
  std::stable_partition(rows.begin(), rows.end(), [](const ValueDifference& one) { return !is_attempt(one.pointer); });
  return rows;
}

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#include "tests/api/scenarios/expectations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

namespace fenceline::testing {

using nlohmann::json;

void malformed(const std::string& what) { throw std::logic_error("malformed scenario: " + what); }

bool holds(const json& expected, double found, double tolerance) {
  if (expected.is_number()) return std::abs(found - expected.get<double>()) <= tolerance;
  if (!expected.is_array() || expected.size() != 2) malformed("expected a number or [least, most]: " + expected.dump());
  return found >= expected[0].get<double>() - tolerance && found <= expected[1].get<double>() + tolerance;
}
bool time_holds(const json& expected_us, std::uint64_t found_ps, double tolerance_us) {
  constexpr double rounding_us = 1e-6;  // a time in a file need not be a whole number of picoseconds
  return holds(expected_us, static_cast<double>(found_ps) / 1e6, tolerance_us + rounding_us);
}
namespace {

using Piece = PacketTime::Piece;

std::int64_t ps_of(const json& us) { return std::llround(us.get<double>() * 1e6); }
std::string us_text(std::uint64_t ps) { return fmt::format("{:.6f}", static_cast<double>(ps) / 1e6); }
std::string pieces_text(const std::vector<Piece>& pieces) {
  std::string text;
  for (const auto& [from, to] : pieces) text += fmt::format("[{}, {}]", us_text(from), us_text(to));
  return text.empty() ? "none" : text;
}

bool pieces_hold(const json& expected, const std::vector<Piece>& found, double tolerance_us) {
  if (expected.size() != found.size()) return false;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!time_holds(expected[i].at(0), found[i].first, tolerance_us)) return false;
    if (!time_holds(expected[i].at(1), found[i].second, tolerance_us)) return false;
  }
  return true;
}

void check_packets(const json& expected, const PlayedFile& played, Broken& broken) {
  for (const json& one : expected) {
    const std::string queue = one.at("queue");
    const std::size_t index = one.value("packet", 0);
    const double tolerance_us = one.value("tolerance_us", 0.0);
    const std::string name = fmt::format("packet {} of queue {}", index, queue);
    const std::vector<PacketTime> packets = played.log.packets.of_queue(queue);
    if (index >= packets.size()) {
      broken.push_back(fmt::format("{}: only {} were submitted", name, packets.size()));
      continue;
    }
    const PacketTime& packet = packets[index];
    const auto compare = [&](bool good, const std::string& what, const json& value, const std::string& found) {
      if (!good) broken.push_back(fmt::format("{}: {}: expected {}, found {}", name, what, value.dump(), found));
    };
    for (const auto& [key, value] : one.items()) {
      if (key == "queue" || key == "packet" || key == "tolerance_us") continue;
      if (key == "pieces_us") {
        compare(pieces_hold(value, packet.pieces, tolerance_us), key, value, pieces_text(packet.pieces));
      } else if (key == "start_us") {
        // A piece that took no time is none.
        const bool began = packet.pieces.empty() && packet.ended && time_holds(value, packet.started_ps, tolerance_us);
        compare(began || (!packet.pieces.empty() && time_holds(value, packet.pieces.front().first, tolerance_us)), key,
                value, pieces_text(packet.pieces));
      } else if (key == "finish_us") {
        compare(packet.ended && time_holds(value, packet.finished_ps, tolerance_us), key, value,
                packet.ended ? us_text(packet.finished_ps) : "not complete");
      } else if (key == "preemptions") {
        compare(holds(value, static_cast<double>(packet.preemptions), 0), key, value,
                std::to_string(packet.preemptions));
      } else if (key == "status") {
        const std::string found = packet.ended ? name_of(packet.status) : "not ended";
        compare(value == found, key, value, found);
      } else if (key == "dma_pieces") {
        compare(holds(value, static_cast<double>(packet.dma_pieces), 0), key, value, std::to_string(packet.dma_pieces));
      } else {
        malformed("packets: " + key);
      }
    }
  }
}

/// Names of queues: their packets began to run in this order, each packet once.
void check_starts(const json& expected, const PlayedFile& played, Broken& broken) {
  std::vector<std::pair<std::uint64_t, std::string>> starts;
  for (const PacketTime& packet : played.log.packets.all()) {
    if (!packet.pieces.empty()) starts.emplace_back(packet.pieces.front().first, packet.queue);
  }
  std::sort(starts.begin(), starts.end());
  json found = json::array();
  for (const auto& [at, queue] : starts) found.push_back(queue);
  if (found != expected) broken.push_back(fmt::format("starts: expected {}, found {}", expected.dump(), found.dump()));
}

std::uint64_t inside(const std::vector<Piece>& pieces, std::uint64_t from, std::uint64_t to) {
  std::uint64_t sum = 0;
  for (const auto& [start, end] : pieces) {
    const std::uint64_t first = std::max(start, from);
    const std::uint64_t last = std::min(end, to);
    if (last > first) sum += last - first;
  }
  return sum;
}

/// Part of each window of `window_us` between from_us and to_us in which packets of the queues ran. It changes its
/// slope only where a piece enters or leaves the window, so its extremes are there.
void check_shares(const json& expected, const PlayedFile& played, Broken& broken) {
  for (const json& one : expected) {
    static const std::set<std::string> keys = {"queues", "window_us", "from_us", "to_us", "at_least", "at_most"};
    for (const auto& item : one.items()) {
      if (keys.count(item.key()) == 0) malformed("shares: " + item.key());
    }
    std::vector<Piece> pieces;
    for (const std::string queue : one.at("queues")) {
      for (const PacketTime& packet : played.log.packets.of_queue(queue)) {
        pieces.insert(pieces.end(), packet.pieces.begin(), packet.pieces.end());
      }
    }
    const std::int64_t from = ps_of(one.at("from_us"));
    const std::int64_t window = ps_of(one.at("window_us"));
    const std::int64_t last = ps_of(one.at("to_us")) - window;
    if (last < from) malformed("shares: the window does not fit");
    std::set<std::int64_t> begins = {from, last};
    for (const auto& [start, end] : pieces) {
      for (const std::uint64_t edge : {start, end}) {
        const auto at = static_cast<std::int64_t>(edge);
        for (const std::int64_t begin : {at, at - window}) {
          if (begin >= from && begin <= last) begins.insert(begin);
        }
      }
    }
    for (const std::int64_t begin : begins) {
      const auto start = static_cast<std::uint64_t>(begin);
      const auto width = static_cast<std::uint64_t>(window);
      const double share = static_cast<double>(inside(pieces, start, start + width)) / static_cast<double>(window);
      constexpr double rounding = 1e-9;
      if (share >= one.value("at_least", 0.0) - rounding && share <= one.value("at_most", 1.0) + rounding) continue;
      broken.push_back(fmt::format("shares: expected {}, found {:.6f} from {}", one.dump(), share, us_text(start)));
      break;
    }
  }
}

void check_fences(const json& expected, const PlayedFile& played, Broken& broken) {
  for (const json& one : expected) {
    const std::string fence = one.at("fence");
    for (const json& reached : one.at("reached")) {
      const std::uint64_t value = reached.at(0);
      const auto known = played.log.fences.find(fence);
      const auto changes = known == played.log.fences.end() ? std::vector<ScenarioLog::Change>() : known->second;
      const auto change = std::find_if(changes.begin(), changes.end(), [&](const auto& c) { return c.value == value; });
      const std::string found = change == changes.end() ? "never" : us_text(change->at_ps);
      if (change == changes.end() || !time_holds(reached.at(1), change->at_ps, one.value("tolerance_us", 0.0))) {
        broken.push_back(
            fmt::format("fence {}: {} expected at {}, found {}", fence, value, reached.at(1).dump(), found));
      }
    }
  }
}

void check_attempts(const json& expected, const PlayedFile& played, Broken& broken) {
  for (const auto& [name, count] : expected.items()) {
    if (!played.attempts.contains(name)) {
      broken.push_back(fmt::format("attempts: expected {} of {}, the report knows only {}", count.dump(), name,
                                   played.attempts.dump()));
    } else if (!holds(count, played.attempts[name], 0)) {
      broken.push_back(
          fmt::format("attempts: {}: expected {}, found {}", name, count.dump(), played.attempts[name].dump()));
    }
  }
}
/// Each a list of texts that one sentence has.
void check_deadlock(const json& expected, const PlayedFile& played, Broken& broken) {
  for (const json& texts : expected) {
    const auto says = [&](const std::string& sentence) {
      return std::all_of(texts.begin(), texts.end(),
                         [&](const json& text) { return sentence.find(text.get<std::string>()) != std::string::npos; });
    };
    if (std::any_of(played.result.deadlock.begin(), played.result.deadlock.end(), says)) continue;
    broken.push_back(fmt::format("deadlock: expected a sentence with {}, found {}", texts.dump(),
                                 json(played.result.deadlock).dump()));
  }
}

void check_requests(const json& expected, const PlayedFile& played, Broken& broken) {
  const auto found = static_cast<double>(played.log.requests.size());
  if (!holds(expected, found, 0)) {
    broken.push_back(fmt::format("requests: expected {}, found {}", expected.dump(), found));
  }
}

void check_exit_code(const json& expected, const PlayedFile& played, Broken& broken) {
  const int found = exit_code_of(played.result);
  if (expected != found) broken.push_back(fmt::format("exit code: expected {}, found {}", expected.dump(), found));
}

void check_passes(const json& expected, const PlayedFile& played, Broken& broken) {
  const std::vector<std::uint64_t>& found = played.result.passes_ps;
  bool good = expected.size() == found.size();
  for (std::size_t i = 0; good && i < found.size(); ++i) good = time_holds(expected[i], found[i], 0);
  if (good) return;
  std::string text;
  for (const std::uint64_t ps : found) text += " " + us_text(ps);
  broken.push_back(fmt::format("passes: expected {}, found{}", expected.dump(), text));
}

void check_resident_threads(const json& expected, const PlayedFile& played, Broken& broken) {
  const json& found = played.resident_threads;
  bool good = expected.size() == found.size();
  for (std::size_t i = 0; good && i < found.size(); ++i) {
    good = holds(expected[i].at(0), found[i].at(0), 1e-5) && expected[i].at(1) == found[i].at(1);
  }
  if (!good) broken.push_back(fmt::format("resident_threads: expected {}, found {}", expected.dump(), found.dump()));
}

const std::map<std::string, void (*)(const json&, const PlayedFile&, Broken&)> checks = {
    {"packets", check_packets},     {"starts", check_starts},           {"shares", check_shares},
    {"fences", check_fences},       {"attempts", check_attempts},       {"deadlock", check_deadlock},
    {"requests", check_requests},   {"swap_chains", check_swap_chains}, {"exit_code", check_exit_code},
    {"residency", check_residency}, {"passes_us", check_passes},        {"resident_threads", check_resident_threads},
};

}  // namespace

Broken broken_of(const json& expect, const PlayedFile& played) {
  Broken broken;
  if (expect.empty()) malformed("nothing is expected");
  if (expect.contains("refused")) {
    const std::string found = played.refused.value_or("nothing: it was accepted");
    for (const std::string text : expect["refused"]) {
      if (!played.refused || found.find(text) == std::string::npos) {
        broken.push_back(fmt::format("refusal: expected \"{}\", found {}", text, found));
      }
    }
    return broken;
  }
  if (played.refused) return {"refused: " + *played.refused};
  const bool completed = expect.value("completed", expect.value("exit_code", 0) == 0);
  if (played.result.completed != completed) {
    broken.push_back(fmt::format("completed: expected {}, found {}: {}", completed, played.result.completed,
                                 json(played.result.deadlock).dump()));
  }
  for (const auto& [key, value] : expect.items()) {
    if (key == "completed" || key == "recovery_tolerance_us" || key == "paging_tolerance_us") continue;
    if (key == "recovery") {
      check_recovery(value, expect.value("recovery_tolerance_us", 0.0), played, broken);
      continue;
    }
    if (key == "paging") {
      check_paging(value, expect.value("paging_tolerance_us", 0.0), played, broken);
      continue;
    }
    const auto check = checks.find(key);
    if (check == checks.end()) malformed("expect: " + key);
    check->second(value, played, broken);
  }
  return broken;
}

}  // namespace fenceline::testing

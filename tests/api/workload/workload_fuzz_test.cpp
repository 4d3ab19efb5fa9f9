// SPDX-License-Identifier: Apache-2.0
#include "api/validation/load_measured.hpp"
#include "api/validation/measured/measured_file.hpp"
#include "api/workload/checks/satisfiable.hpp"
#include "api/workload/load/workload_file.hpp"
#include "api/workload/play/player.hpp"
#include "sim/config/config.hpp"
#include "tests/support/places.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using nlohmann::json;

namespace {

/// Makes documents that differ from a good one in a few places. The same seed makes the same documents.
class DocumentMutator {
 public:
  explicit DocumentMutator(std::uint64_t seed) : random_(seed) {}
  std::size_t pick(std::size_t size) { return static_cast<std::size_t>(random_() % size); }

  json mutated(json document) {
    for (std::size_t times = 1 + pick(3); times > 0; --times) mutate(document);
    return document;
  }

 private:
  static void places(const json& document, const json::json_pointer& at, std::vector<json::json_pointer>& out) {
    out.push_back(at);
    if (document.is_object()) {
      for (const auto& [key, inner] : document.items()) places(inner, at / key, out);
    } else if (document.is_array()) {
      for (std::size_t i = 0; i < document.size(); ++i) places(document[i], at / i, out);
    }
  }

  json any_value() {
    static const json values = {nullptr,
                                true,
                                0,
                                1,
                                2,
                                -1,
                                0.5,
                                1e-300,
                                1e300,
                                -1e300,
                                1e15,
                                4294967295,
                                4294967296,
                                std::numeric_limits<std::int64_t>::min(),
                                std::numeric_limits<std::uint64_t>::max(),
                                1e18,
                                "",
                                "x",
                                "a",
                                "b",
                                "h200",
                                "../x.json",
                                std::string(3000, 'n'),
                                "\n\t\"\\",
                                json::array(),
                                json::object(),
                                {1},
                                {{"type", "execute"}},
                                {{"name", "x"}},
                                {{"type", "repeat"}, {"count", 2}, {"steps", json::array()}}};
    return values[pick(values.size())];
  }

  void mutate(json& document) {
    std::vector<json::json_pointer> all;
    places(document, json::json_pointer(), all);
    json& place = document[all[pick(all.size())]];
    switch (pick(7)) {
      case 0: place = any_value(); break;
      case 1: place = json(document[all[pick(all.size())]]); break;  // of another type or kind
      case 2:                                                        // dropped
        if (place.is_structured() && !place.empty()) {
          place.erase(std::next(place.begin(), static_cast<std::ptrdiff_t>(pick(place.size()))));
        }
        break;
      case 3:  // twice
        if (place.is_array() && !place.empty()) place.push_back(json(place[pick(place.size())]));
        break;
      case 4:  // renamed
        if (place.is_object() && !place.empty()) {
          const auto member = std::next(place.begin(), static_cast<std::ptrdiff_t>(pick(place.size())));
          const std::string key = member.key() + (pick(2) == 0 ? "s" : "");
          const json value = *member;
          place.erase(member);
          place[key.empty() || pick(3) == 0 ? "name" : key] = value;
        }
        break;
      case 5:  // a number nearby, tiny, huge or negative
        if (place.is_number()) {
          const double factors[] = {-1, 0, 0.5, 2, 10, 1e3, 1e6, 1e9, 1e15, 1e30};
          const double value = place.get<double>() * factors[pick(std::size(factors))];
          if (pick(2) == 0 && value >= 0 && value < 1e18) {
            place = static_cast<std::uint64_t>(value);
          } else {
            place = value;
          }
        }
        break;
      default:  // in another order
        if (place.is_array() && place.size() > 1) std::swap(place[0], place[pick(place.size())]);
    }
  }

  std::mt19937_64 random_;
};

/// Stops a run that has said enough.
struct Enough : std::exception {};
class Bound final : public LogSink {
 public:
  void span(const EventLog&, const Span&) override { count(); }
  void counter(const EventLog&, const Counter&) override { count(); }
  void packet(const EventLog&, const PacketRecord&) override { count(); }

 private:
  void count() {
    if (++events_ > 3000) throw Enough();
  }
  std::size_t events_ = 0;
};

/// What became of the documents.
struct Outcomes {
  std::size_t refused = 0;
  std::size_t played = 0;
  std::size_t deadlocked = 0;
  std::size_t cut_short = 0;
  std::size_t too_long = 0;  ///< simulated time beyond 2^63 ps
  std::size_t too_large = 0;
};

void play(const Program& program, const MachineConfig& config, Outcomes& outcomes) {
  if (packets_of(program) > 3000) {
    ++outcomes.too_large;
    return;
  }
  Bound bound;
  Machine machine(config);
  machine.log().attach(bound, EventLog::Detail::waves);
  Player player(machine, program);
  try {
    const bool completed = player.play();
    if (!completed && player.deadlock().empty()) FAIL("a run stopped and nobody says why");
    ++(completed ? outcomes.played : outcomes.deadlocked);
  } catch (const Enough&) {
    ++outcomes.cut_short;
  } catch (const std::overflow_error&) {
    ++outcomes.too_long;
  }
}

/// `file: /pointer: expected ..., found ...` on one line of printable text.
bool has_the_form(const std::string& message) {
  const std::size_t expected = message.find(": expected ");
  if (expected == std::string::npos || message.find(": /") > expected) return false;
  if (message.find(", found ", expected) == std::string::npos) return false;
  return std::none_of(message.begin(), message.end(),
                      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

/// Reads and plays so many mutations of the documents; `play_one` gets one of them.
template <class PlayOne>
Outcomes fuzz(std::uint64_t seed, std::size_t rounds, const std::vector<json>& documents, PlayOne&& play_one) {
  DocumentMutator mutator(seed);
  Outcomes outcomes;
  for (std::size_t round = 0; round < rounds; ++round) {
    const json document = mutator.mutated(documents[round % documents.size()]);
    try {
      play_one(document, outcomes);
    } catch (const ConfigError& error) {
      ++outcomes.refused;
      for (const ConfigError& one : error.each()) {
        if (!has_the_form(one.what())) FAIL("not one line of the form: " << one.what());
      }
    } catch (const std::exception& error) {
      FAIL("round " << round << ": " << error.what() << "\n" << document.dump());
    }
  }
  INFO(outcomes.refused << " refused, " << outcomes.played << " played, " << outcomes.deadlocked << " deadlocked, "
                        << outcomes.cut_short << " cut short, " << outcomes.too_long << " too long, "
                        << outcomes.too_large << " too large");
  // The mutations get past the reader, and the reader stops some.
  CHECK(outcomes.refused > rounds / 10);
  CHECK(outcomes.played + outcomes.cut_short > rounds / 10);
  return outcomes;
}

}  // namespace

TEST_CASE("workload fuzz: a mutated workload is played or refused in one line", "[api][fuzz]") {
  const TemporaryDirectory directory;
  std::vector<json> documents = {small_workload()};
  for (const char* name :
       {"multi_engine", "ring_buffer", "pipelined_compute_graphics", "commands", "high_priority_compute"}) {
    documents.push_back(load_json(shipped_workload(name)));
  }
  fuzz(11, 1200, documents, [&](const json& document, Outcomes& outcomes) {
    write_file(directory / "w.json", document.dump());
    const LoadedWorkload loaded = load_workload(directory / "w.json", "", {});
    play(loaded.program, loaded.machine, outcomes);
  });
}

TEST_CASE("workload fuzz: on a mutated machine a workload is played or refused in one line", "[api][fuzz]") {
  const TemporaryDirectory directory;
  write_file(directory / "w.json", small_workload_text);
  const std::vector<json> documents = {
      load_json(source_directory() / "configs/machines/h200.json"),
      parse_json(dump_json(dump_config(MachineConfig{})), "defaults.json"),
  };
  fuzz(12, 1000, documents, [&](const json& document, Outcomes& outcomes) {
    write_file(directory / "m.json", document.dump());
    const LoadedWorkload loaded = load_workload(directory / "w.json", (directory / "m.json").string(), {});
    play(loaded.program, loaded.machine, outcomes);
  });
}

TEST_CASE("workload fuzz: a mutated measured file is played or refused in one line", "[api][fuzz]") {
  json whole = load_json(measured_workloads_file);
  json& cases = whole["workloads"];
  cases.erase(cases.begin() + 2, cases.end());
  for (json& one : cases) one["ops"].erase(one["ops"].begin() + 6, one["ops"].end());
  for (json& one : cases) {
    for (json& op : one["ops"]) {
      json waits = json::array();
      for (const json& wait : op["waits"]) {
        if (wait < 6) waits.push_back(wait);
      }
      op["waits"] = waits;
    }
  }
  const MachineConfig machine = builtin_machine("h200");
  fuzz(13, 1000, {whole}, [&](const json& document, Outcomes& outcomes) {
    const auto measured = measured_file(document, "m.json");
    for (std::size_t i = 0; i < measured.workloads.size(); ++i) {
      const Workload workload =
          workload_of(measured.workloads[i], measured.device, "m.json", "/workloads/" + std::to_string(i));
      const Program program = make_program(workload, "m.json");
      check_waits(program, "m.json");
      check_machine(program, "m.json", machine);
      play(program, machine, outcomes);
    }
  });
}

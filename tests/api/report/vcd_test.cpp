// SPDX-License-Identifier: Apache-2.0
#include "api/report/vcd/vcd.hpp"

#include "tests/support/sink_output.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

constexpr std::uint64_t unknown = ~std::uint64_t{0} - 1;

/// A value change dump, read by the letter of IEEE 1364-2005, clause 18. Whatever it does not allow, and whatever a
/// tidy writer would not do (a value written twice, times that stand still), throws.
class Waves {
 public:
  explicit Waves(const std::string& text) : in_(text) {
    read_declarations();
    read_values();
  }

  /// "adapter.copy0.running" at a time.
  std::uint64_t at(const std::string& name, std::uint64_t time) const {
    const auto& changes = changes_.at(name);
    auto behind = std::upper_bound(changes.begin(), changes.end(), time,
                                   [](std::uint64_t a, const auto& change) { return a < change.first; });
    if (behind == changes.begin()) throw std::runtime_error(name + " has no value yet");
    return std::prev(behind)->second;
  }
  std::vector<std::string> names() const { return names_; }
  const std::vector<std::pair<std::uint64_t, std::uint64_t>>& changes(const std::string& name) const {
    return changes_.at(name);
  }
  std::uint64_t end() const { return now_; }

 private:
  struct Variable {
    std::string name;
    unsigned width;
  };

  static void require(bool condition, const std::string& what) {
    if (!condition) throw std::runtime_error("vcd: " + what);
  }
  std::string word() {
    std::string result;
    require(static_cast<bool>(in_ >> result), "ends too early");
    return result;
  }
  static void check_identifier(const std::string& name) {
    const auto legal = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    require(is_letter(name[0]) && std::all_of(name.begin(), name.end(), legal), "name " + name);
  }
  static bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }

  void read_declarations() {
    std::vector<std::string> scopes;
    std::set<std::string> taken;
    bool has_timescale = false;
    for (std::string keyword = word(); keyword != "$enddefinitions"; keyword = word()) {
      std::vector<std::string> words;
      for (std::string next = word(); next != "$end"; next = word()) words.push_back(next);
      std::string path;
      for (const std::string& scope : scopes) path += scope + ".";
      if (keyword == "$timescale") {
        has_timescale = words == std::vector<std::string>{"1", "ps"};
      } else if (keyword == "$scope") {
        require(words.size() == 2 && words[0] == "module", "scope");
        check_identifier(words[1]);
        require(taken.insert(path + words[1]).second, "scope twice: " + path + words[1]);
        scopes.push_back(words[1]);
      } else if (keyword == "$upscope") {
        require(words.empty() && !scopes.empty(), "upscope");
        scopes.pop_back();
      } else if (keyword == "$var") {
        require(words.size() == 4 && words[0] == "wire" && !scopes.empty(), "variable");
        const std::string& code = words[2];
        require(std::all_of(code.begin(), code.end(), [](char c) { return c >= '!' && c <= '~'; }), "code " + code);
        check_identifier(words[3]);
        require(taken.insert(path + words[3]).second, "name twice: " + path + words[3]);
        const Variable variable{path + words[3], static_cast<unsigned>(std::stoul(words[1]))};
        require(variables_.emplace(code, variable).second, "code twice: " + code);
        names_.push_back(variable.name);
      } else {
        require(keyword == "$version" || keyword == "$comment", "keyword " + keyword);
      }
    }
    require(word() == "$end" && scopes.empty() && has_timescale, "declarations");
  }

  void read_values() {
    bool dumping = false;
    bool dumped = false;
    std::string text;
    while (in_ >> text) {
      if (text[0] == '#') {
        const std::uint64_t time = std::stoull(text.substr(1));
        require(!dumped ? time == 0 && text == "#0" : time > now_, "time " + text);
        now_ = time;
      } else if (text == "$dumpvars") {
        require(!dumped, "dumpvars twice");
        dumping = dumped = true;
      } else if (text == "$end") {
        require(dumping && changes_.size() == variables_.size(), "dumpvars lacks values");
        dumping = false;
      } else {
        require(dumped, "value before dumpvars");
        read_value(text);
      }
    }
    require(dumped && !dumping, "no dumpvars");
  }

  void read_value(const std::string& text) {
    const bool is_vector = text[0] == 'b';
    const std::string code = is_vector ? word() : text.substr(1);
    const std::string bits = is_vector ? text.substr(1) : text.substr(0, 1);
    require(variables_.count(code) == 1, "unknown code " + code);
    const Variable& variable = variables_.at(code);
    require(is_vector == variable.width > 1 && !bits.empty() && bits.size() <= variable.width, "width of " + text);
    std::uint64_t value = unknown;
    if (bits != "x") {
      require(bits.find_first_not_of("01") == std::string::npos, "bits " + bits);
      require(bits.size() == 1 || bits[0] == '1', "leading zero " + bits);
      value = std::stoull(bits, nullptr, 2);
    }
    auto& changes = changes_[variable.name];
    require(changes.empty() || (changes.back().first < now_ && changes.back().second != value), "no change: " + text);
    changes.emplace_back(now_, value);
  }

  std::istringstream in_;
  std::vector<std::string> names_;
  std::map<std::string, Variable> variables_;
  std::map<std::string, std::vector<std::pair<std::uint64_t, std::uint64_t>>> changes_;
  std::uint64_t now_ = 0;
};

/// The text of waves.vcd after `write` wrote to the log.
template <class Write>
std::string dump_of(EventLog& log, std::uint64_t end_ps, Write write) {
  return finished_output_of<VcdSink>(log, end_ps, write);
}

PacketRecord packet_of(LogName context, std::uint64_t submitted_ps, std::uint64_t completed_ps) {
  PacketRecord packet{};
  packet.context = context;
  packet.submitted_ps = packet.head_ps = packet.ready_ps = submitted_ps;
  packet.hardware_ps = packet.started_ps = packet.finished_ps = packet.completed_ps = completed_ps;
  return packet;
}

}  // namespace

TEST_CASE("vcd: an empty run is a dump without signals", "[sim]") {
  EventLog log;
  CHECK(dump_of(log, 5, [] {}) ==
        "$version Fenceline $end\n$timescale 1 ps $end\n$enddefinitions $end\n#0\n$dumpvars\n$end\n#5\n");
}

TEST_CASE("vcd: a small run has the bytes that are expected", "[sim]") {
  EventLog log;
  const std::string text = dump_of(log, 1000, [&] {
    log.span({log.name("adapter.copy0"), SpanKind::packet, {}, 10, 700, 1});
    log.counter({log.name("adapter.fences.f"), CounterKind::fence_value, 800, 5});
  });
  CHECK(text ==
        "$version Fenceline $end\n$timescale 1 ps $end\n"
        "$scope module adapter $end\n$scope module copy0 $end\n"
        "$var wire 1 ! busy $end\n$var wire 32 \" running $end\n$upscope $end\n"
        "$scope module fences $end\n$scope module f $end\n$var wire 64 # value $end\n$upscope $end\n$upscope $end\n"
        "$upscope $end\n$enddefinitions $end\n"
        "#0\n$dumpvars\nb0 \"\n0!\nbx #\n$end\n#10\nb1 \"\n1!\n#700\nb0 \"\n0!\n#800\nb101 #\n#1000\n");
}

TEST_CASE("vcd: running is the number of packet spans that cover the time", "[sim]") {
  EventLog log;
  const LogName tracks[] = {log.name("adapter.compute0"), log.name("adapter.copy0")};
  std::vector<std::pair<std::uint64_t, std::uint64_t>> spans[2];
  std::mt19937_64 random(1);
  const std::string text = dump_of(log, 2'000'000, [&] {
    std::uint64_t now = 0;
    for (int i = 0; i < 2000; ++i) {
      now += random() % 4 * 100;  // often several at one time
      const std::size_t track = random() % 2;
      const std::uint64_t start = now - std::min<std::uint64_t>(now, random() % 8 * 100);
      const bool is_packet = random() % 4 != 0;
      log.span({tracks[track], is_packet ? SpanKind::packet : SpanKind::command, {}, start, now, 1});
      if (is_packet) spans[track].emplace_back(start, now);
    }
  });
  const Waves waves(text);
  CHECK(waves.end() == 2'000'000);
  for (std::size_t track = 0; track < 2; ++track) {
    const std::string path(log.text(tracks[track]));
    for (std::uint64_t at = 0; at < 400'000; at += 50) {
      const auto expected =
          static_cast<std::uint64_t>(std::count_if(spans[track].begin(), spans[track].end(), [at](const auto& span) {
            return span.first <= at && at < span.second;
          }));
      REQUIRE(waves.at(path + ".running", at) == expected);
      REQUIRE(waves.at(path + ".busy", at) == (expected > 0 ? 1 : 0));
    }
  }
}

TEST_CASE("vcd: a worker is busy from a task's start until it has finished, in the order of first starts", "[sim]") {
  EventLog log;
  const LogName name = log.name("scene");
  const auto tell = [&](TaskRecord::What what, const char* worker, std::uint64_t started, std::uint64_t at) {
    log.task({what, log.name(worker), name, 1, 0, false, at, started, 0});
  };
  const auto started = TaskRecord::What::started;
  const auto finished = TaskRecord::What::finished;
  const Waves waves(dump_of(log, 500, [&] {
    log.span({log.name("adapter.copy0"), SpanKind::packet, name, 0, 5, 1});
    tell(started, "adapter.background.worker0", 10, 10);
    tell(started, "adapter.background.worker1", 20, 20);
    tell(TaskRecord::What::cancelled, "adapter.background", 30, 30);
    tell(finished, "adapter.background.worker1", 20, 40);
    tell(started, "adapter.background.worker1", 40, 40);  // no pause between: no change
    tell(finished, "adapter.background.worker0", 10, 50);
    tell(started, "adapter.background.worker0", 60, 60);
    tell(finished, "adapter.background.worker0", 60, 60);
    tell(finished, "adapter.background.worker2", 5, 70);  // it ran when the sink came
  }));
  using Changes = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  CHECK(waves.names() ==
        std::vector<std::string>{"adapter.copy0.busy", "adapter.copy0.running", "adapter.background.worker0.busy",
                                 "adapter.background.worker0.running", "adapter.background.worker1.busy",
                                 "adapter.background.worker1.running", "adapter.background.worker2.busy",
                                 "adapter.background.worker2.running"});
  for (const char* signal : {".busy", ".running"}) {
    const std::string workers = "adapter.background.worker";
    CHECK(waves.changes(workers + "0" + signal) == Changes{{0, 0}, {10, 1}, {50, 0}});
    CHECK(waves.changes(workers + "1" + signal) == Changes{{0, 0}, {20, 1}});  // until the end: never finished
    CHECK(waves.changes(workers + "2" + signal) == Changes{{0, 0}, {5, 1}, {70, 0}});
  }
}

TEST_CASE("vcd: outstanding counts a context's packets of all types until they complete", "[sim]") {
  EventLog log;
  const LogName context = log.name("adapter.scheduler.copy");
  const Waves waves(dump_of(log, 500, [&] {
    log.packet(packet_of(context, 0, 100));
    PacketRecord signal = packet_of(context, 0, 100);
    signal.type = PacketType::signal;
    log.packet(signal);
    log.packet(packet_of(context, 50, 200));
    log.packet(packet_of(context, 20, 200));  // another hardware queue: submitted before the one above
  }));
  using Changes = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  CHECK(waves.changes("adapter.scheduler.copy.outstanding") == Changes{{0, 2}, {20, 3}, {50, 4}, {100, 2}, {200, 0}});
}

TEST_CASE("vcd: a counter is unknown until it is written, and its last value at a time counts", "[sim]") {
  EventLog log;
  const std::uint64_t big = ~std::uint64_t{0};
  const LogName fence = log.name("adapter.fences.f");
  const CounterKind value = CounterKind::fence_value;
  const Waves waves(dump_of(log, 500, [&] {
    log.counter({fence, value, 0, 0});
    log.counter({log.name("adapter.vram"), CounterKind::bytes_per_s, 300, 7});
    log.counter({fence, value, 100, 1});
    log.counter({fence, value, 100, big});
    log.counter({fence, value, 200, big});  // no change
    log.counter({fence, value, 150, 3});    // late
    log.counter({fence, CounterKind::bytes_per_s, 500, 0});
  }));
  using Changes = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  CHECK(waves.changes("adapter.fences.f.value") == Changes{{0, 0}, {100, big}, {150, 3}, {200, big}});
  CHECK(waves.changes("adapter.vram.bytes_per_s") == Changes{{0, unknown}, {300, 7}});
  CHECK(waves.changes("adapter.fences.f.bytes_per_s") == Changes{{0, unknown}, {500, 0}});
}

TEST_CASE("vcd: any names give legal scopes that stay apart", "[sim]") {
  EventLog log;
  const std::vector<std::string> paths = {
      "adapter.q 1", "adapter.q_1", "adapter.q-1", "adapter.q_1_2",   "3d0", "", ".", "a..b", "$end $upscope",
      "\xff\n#0",    "caf\xc3\xa9", "adapter",     "adapter.q 1.busy"};
  const Waves waves(dump_of(log, 1, [&] {
    for (const std::string& path : paths) log.span({log.name(path), SpanKind::packet, {}, 0, 1, 1});
    log.counter({log.name("adapter.q 1"), CounterKind::fence_value, 0, 1});
  }));
  CHECK(waves.names().size() == 2 * paths.size() + 1);
  CHECK(waves.at("adapter.q_1.running", 0) == 1);
  CHECK(waves.at("adapter.q_1_2.running", 0) == 1);
  CHECK(waves.at("_3d0.busy", 0) == 1);
  CHECK(waves.at("adapter.q_1.value", 0) == 1);
}

TEST_CASE("vcd: thousands of signals have codes of their own", "[sim]") {
  EventLog log;
  const Waves waves(dump_of(log, 20'000, [&] {
    for (int i = 0; i < 10'000; ++i) {
      log.counter(
          {log.name("fences.f" + std::to_string(i)), CounterKind::fence_value, static_cast<std::uint64_t>(i), 1});
    }
  }));
  CHECK(waves.names().size() == 10'000);
  CHECK(waves.at("fences.f9999.value", 9999) == 1);
}

TEST_CASE("number list: any numbers come back, and times are small", "[sim]") {
  std::mt19937_64 random(3);
  std::vector<std::uint64_t> numbers = {0, ~std::uint64_t{0}, 0, std::uint64_t{1} << 63, 1};
  for (int i = 0; i < 10'000; ++i) numbers.push_back(random() >> random() % 64);
  NumberList list;
  for (const std::uint64_t number : numbers) list.append(number);
  CHECK_FALSE(list.is_sorted());
  REQUIRE(list.size() == numbers.size());
  NumberList::Reader reader(list);
  for (const std::uint64_t number : numbers) REQUIRE(reader.next() == number);
}

// SPDX-License-Identifier: Apache-2.0
#include "sim/log.hpp"

#include <catch2/catch.hpp>

#include <stdexcept>
#include <string>
#include <vector>

using namespace fenceline;

namespace {

/// Writes down what it receives.
class Recorder final : public LogSink {
 public:
  Recorder(std::string name, std::vector<std::string>& lines) : name_(std::move(name)), lines_(lines) {}
  void span(const EventLog& log, const Span& span) override { note("span", log.text(span.name)); }
  void instant(const EventLog& log, const Instant& instant) override { note("instant", log.text(instant.name)); }
  void counter(const EventLog&, const Counter& counter) override { note("counter", name_of(counter.kind)); }
  void packet(const EventLog& log, const PacketRecord& packet) override { note("packet", log.text(packet.label)); }
  void message(const EventLog&, const Message& message) override { note("message", message.text); }
  void finish(const EventLog&, std::uint64_t end_ps) override { note("finish", std::to_string(end_ps)); }

 private:
  void note(const char* kind, std::string_view what) { lines_.push_back(name_ + " " + kind + " " + std::string(what)); }
  std::string name_;
  std::vector<std::string>& lines_;
};

}  // namespace

TEST_CASE("event log: the same text gives the same name for ever", "[sim]") {
  EventLog log;
  CHECK(log.name("") == LogName{0});
  CHECK(log.text(LogName{}).empty());
  const LogName first = log.name("adapter.copy0");
  const std::string_view view = log.text(first);
  for (int i = 0; i < 10'000; ++i) log.name("name " + std::to_string(i));
  CHECK(log.name("adapter.copy0") == first);
  CHECK(log.name("adapter.copy1") != first);
  CHECK(log.text(first) == "adapter.copy0");
  CHECK(view.data() == log.text(first).data());
}

TEST_CASE("event log: sinks receive every event in the order attached", "[sim]") {
  EventLog log;
  std::vector<std::string> lines;
  Recorder a("a", lines);
  Recorder b("b", lines);
  log.attach(a);
  log.attach(b);
  const LogName x = log.name("x");
  log.span({x, SpanKind::packet, x, 1, 2, 0});
  log.instant({x, x, 2, 0});
  log.counter({x, CounterKind::fence_value, 2, 0});
  PacketRecord packet{};
  packet.label = x;
  log.packet(packet);
  log.message({Severity::info, x, 3, "text"});
  log.detach(a);
  log.finish(9);
  CHECK(lines == std::vector<std::string>{"a span x", "b span x", "a instant x", "b instant x", "a counter value",
                                          "b counter value", "a packet x", "b packet x", "a message text",
                                          "b message text", "b finish 9"});
}

TEST_CASE("event log: the detail is the most that an attached sink asked for", "[sim]") {
  EventLog log;
  std::vector<std::string> lines;
  Recorder few("few", lines);
  Recorder all("all", lines);
  CHECK_FALSE(log.enabled());
  CHECK_FALSE(log.enabled(EventLog::Detail::packets));
  log.attach(few, EventLog::Detail::packets);
  CHECK(log.enabled(EventLog::Detail::packets));
  CHECK_FALSE(log.enabled(EventLog::Detail::commands));
  log.attach(all, EventLog::Detail::waves);
  CHECK(log.enabled(EventLog::Detail::waves));
  log.detach(all);
  CHECK_FALSE(log.enabled(EventLog::Detail::commands));
  log.detach(few);
  CHECK_FALSE(log.enabled());
}

TEST_CASE("event log: things of the same name get names of their own", "[sim]") {
  EventLog log;
  log.name("fence");  // somebody speaks of it
  const LogName taken = log.own_name("fence#3");
  const LogName first = log.own_name("fence");
  const LogName second = log.own_name("fence");
  const LogName third = log.own_name("fence");
  CHECK(log.text(first) == "fence");
  CHECK(log.text(second) == "fence#2");
  CHECK(log.text(taken) == "fence#3");
  CHECK(log.text(third) == "fence#4");
  CHECK(log.own_name("other") == log.name("other"));
}

TEST_CASE("event log: broken promises name who broke them", "[sim]") {
  EventLog log;
  std::vector<std::string> lines;
  Recorder sink("sink", lines);
  const LogName track = log.name("adapter.copy0");
  log.span({track, SpanKind::packet, track, 2, 1, 0});  // nobody listens
  log.attach(sink);
  CHECK_THROWS_AS(log.attach(sink), std::logic_error);
  CHECK_THROWS_WITH(log.span({track, SpanKind::packet, track, 2, 1, 0}), Catch::StartsWith("adapter.copy0: span"));
  CHECK(lines.empty());
}

// SPDX-License-Identifier: Apache-2.0
#include "api/report/packets.hpp"

#include "tests/support/csv_reader.hpp"
#include "tests/support/sample_packet.hpp"
#include "tests/support/sink_output.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <random>
#include <stdexcept>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

TEST_CASE("packets.csv: a row holds the packet's stamps and reasons exactly", "[sim]") {
  EventLog log;
  const std::string csv = output_of<PacketsSink>(log, [&] { log.packet(sample_packet(log)); });
  CHECK(csv ==
        "id,context,type,label,node,submission_fence_id,fence_value,preemptions,"
        "submitted_us,head_us,ready_us,hardware_us,started_us,finished_us,completed_us,"
        "queued_us,fence_us,node_us,running_us,preempted_us,completing_us,status,pieces,markers\n"
        "12,adapter.app.compute,render,frame,adapter.compute0,7,0,2,"
        "0.000001,1.000001,1.000001,2.500000,3.000000,12.345678,12.345679,"
        "1.000000,0.000000,1.999999,7.000000,2.345678,0.000001,completed,1,\n");
}

TEST_CASE("packets.csv: the reasons of any packet add up to its life", "[sim]") {
  EventLog log;
  std::mt19937_64 random(1);
  constexpr std::size_t count = 1000;
  const std::string csv = output_of<PacketsSink>(log, [&] {
    for (std::size_t i = 0; i < count; ++i) {
      PacketRecord packet = sample_packet(log);
      std::uint64_t now = random() >> (random() % 60 + 2);
      for (std::uint64_t PacketRecord::*stamp :
           {&PacketRecord::submitted_ps, &PacketRecord::head_ps, &PacketRecord::ready_ps, &PacketRecord::hardware_ps,
            &PacketRecord::started_ps, &PacketRecord::finished_ps, &PacketRecord::completed_ps}) {
        packet.*stamp = now;
        now += random() % 3 == 0 ? 0 : random() >> (random() % 60 + 4);
      }
      packet.preempted_ps = random() % (packet.finished_ps - packet.started_ps + 1);
      log.packet(packet);
    }
  });
  const auto rows = rows_of(csv);
  REQUIRE(rows.size() == count + 1);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    REQUIRE(rows[i].size() == rows[0].size());
    std::uint64_t sum = 0;
    for (std::size_t column = 15; column < 21; ++column) sum += picoseconds(rows[i][column]);
    REQUIRE(picoseconds(rows[i][8]) + sum == picoseconds(rows[i][14]));
  }
}

TEST_CASE("packets.csv: text with separators is quoted", "[sim]") {
  EventLog log;
  const std::string label = "a \"b\", c\r\nd";
  PacketRecord packet = sample_packet(log);
  packet.label = log.name(label);
  packet.type = PacketType::wait;
  packet.node = LogName{};
  packet.status = PacketStatus::discarded;
  const auto rows = rows_of(output_of<PacketsSink>(log, [&] { log.packet(packet); }));
  REQUIRE(rows.size() == 2);
  CHECK(rows[1].size() == rows[0].size());
  CHECK(rows[1][2] == "wait");
  CHECK(rows[1][3] == label);
  CHECK(rows[1][4].empty());
  CHECK(rows[1][rows[1].size() - 3] == "discarded");
}

TEST_CASE("packets.csv: a stamp out of order is a logic error that names packet and stamp", "[sim]") {
  EventLog log;
  const TemporaryDirectory directory;
  OutputFile file(directory / "packets.csv");
  PacketsSink sink(file);
  log.attach(sink);
  PacketRecord packet = sample_packet(log);
  packet.started_ps = packet.hardware_ps - 1;
  CHECK_THROWS_AS(log.packet(packet), std::logic_error);
  CHECK_THROWS_WITH(log.packet(packet), Catch::StartsWith("adapter.app.compute: packet 12 has started at 2.499999 us, "
                                                          "before hardware at 2.500000 us"));
  packet = sample_packet(log);
  packet.preempted_ps = packet.finished_ps - packet.started_ps + 1;
  CHECK_THROWS_WITH(log.packet(packet),
                    Catch::StartsWith("adapter.app.compute: packet 12 was preempted for 9.345679 us, "
                                      "longer than from start to finish"));
}

// SPDX-License-Identifier: Apache-2.0
// What the specification's text says about its three examples, held against the packets of a run.
#include "api/workload/load/workload_file.hpp"
#include "api/workload/play/player.hpp"
#include "tests/support/samples.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// Plays a shipped workload and keeps its render packets.
class PlayedWorkload final : private LogSink {
 public:
  explicit PlayedWorkload(const std::string& name, const std::vector<std::string>& sets = {}) {
    const LoadedWorkload loaded = load_workload(shipped_workload(name), "", sets);
    Machine machine(loaded.machine);
    machine.log().attach(*this, EventLog::Detail::packets);
    Player player(machine, loaded.program);
    CHECK(player.play());
  }
  /// The packets of one command list, in the order they ran.
  const std::vector<PacketRecord>& operator[](const std::string& list) const { return packets_.at(list); }

 private:
  void packet(const EventLog& log, const PacketRecord& packet) override {
    if (packet.type == PacketType::render) packets_[std::string(log.text(packet.label))].push_back(packet);
  }
  std::map<std::string, std::vector<PacketRecord>> packets_;
};

std::uint64_t overlap_of(const PacketRecord& a, const PacketRecord& b) {
  const std::uint64_t from = std::max(a.started_ps, b.started_ps);
  const std::uint64_t to = std::min(a.finished_ps, b.finished_ps);
  return to > from ? to - from : 0;
}

/// How many packets of a list were complete at that time.
std::size_t complete_at(const std::vector<PacketRecord>& packets, std::uint64_t time_ps) {
  return static_cast<std::size_t>(std::count_if(
      packets.begin(), packets.end(), [&](const PacketRecord& packet) { return packet.completed_ps <= time_ps; }));
}

}  // namespace

TEST_CASE("multi_engine: the copies overlap the pre-pass, and every fence holds", "[scenario]") {
  const PlayedWorkload played("multi_engine");
  const PacketRecord& geometry = played["copy geometry"].at(0);
  const PacketRecord& textures = played["copy textures"].at(0);
  const PacketRecord& prepass = played["pre-pass"].at(0);
  const PacketRecord& lighting = played["lighting"].at(0);
  const PacketRecord& final_draw = played["final draw"].at(0);
  CHECK(prepass.started_ps >= geometry.completed_ps);
  CHECK(overlap_of(textures, prepass) == prepass.finished_ps - prepass.started_ps);  // all of it
  CHECK(lighting.started_ps >= prepass.completed_ps);
  CHECK(overlap_of(textures, lighting) > 0);
  CHECK(final_draw.started_ps >= lighting.completed_ps);
  CHECK(final_draw.started_ps >= textures.completed_ps);
}

TEST_CASE("ring_buffer: the copy queue is never more than three buffers ahead, and three it reaches", "[scenario]") {
  constexpr std::size_t buffers = 3;
  const PlayedWorkload played("ring_buffer");
  const auto& maps = played["map"];
  const auto& draws = played["draw"];
  REQUIRE(maps.size() == 24);
  REQUIRE(draws.size() == 24);
  std::size_t most_ahead = 0;
  for (std::size_t i = 0; i < maps.size(); ++i) {
    // While map i runs, buffers filled or being filled and not drawn yet.
    const std::size_t drawn = complete_at(draws, maps[i].started_ps);
    REQUIRE(drawn <= i + 1);
    CHECK(i + 1 - drawn <= buffers);
    most_ahead = std::max(most_ahead, i + 1 - drawn);
    CHECK(draws[i].started_ps >= maps[i].completed_ps);
  }
  CHECK(most_ahead == buffers);
}

TEST_CASE("pipelined_compute_graphics: latencies keep their bounds, and the queues work side by side", "[scenario]") {
  constexpr std::size_t frames = 60;
  constexpr std::size_t cpu_latency = 3;
  constexpr std::size_t compute_graphics_latency = 2;
  // As shipped compute is the slower stage; with six times the pixels graphics is, and its buffers fill up. (Pixels
  // that are shaded for long would hold compute's groups on the shared SMs, until both are equally slow.)
  const bool graphics_bound = GENERATE(false, true);
  std::vector<std::string> sets;
  if (graphics_bound) sets.push_back("/workload/command_lists/1/commands/0/pixels=12441600");
  const PlayedWorkload played("pipelined_compute_graphics", sets);
  const auto& compute = played["compute frame"];
  const auto& graphics = played["graphics frame"];
  REQUIRE(compute.size() == frames);
  REQUIRE(graphics.size() == frames - compute_graphics_latency);

  std::size_t most_buffers = 0;
  for (std::size_t n = 0; n < frames; ++n) {
    // "There must be a buffer of ComputeGraphicsLatency+1 different copies of the data": frames that compute has
    // begun to write and graphics has not finished reading.
    const std::size_t in_buffers = n + 1 - std::min(n + 1, complete_at(graphics, compute[n].started_ps));
    CHECK(in_buffers <= compute_graphics_latency + 1);
    most_buffers = std::max(most_buffers, in_buffers);
    // The CPU thread goes on with frame n once no more than CpuLatency earlier ones are incomplete.
    CHECK(n <= complete_at(compute, compute[n].submitted_ps) + cpu_latency);
  }
  CHECK(most_buffers == (graphics_bound ? compute_graphics_latency + 1 : compute_graphics_latency));
  for (std::size_t n = 0; n < graphics.size(); ++n) CHECK(graphics[n].started_ps >= compute[n].completed_ps);

  // Steady state: most of the time in which the faster stage works, the other works too.
  const auto& faster = graphics_bound ? compute : graphics;
  const auto& slower = graphics_bound ? graphics : compute;
  for (std::size_t n = cpu_latency; n + 2 * cpu_latency < frames; ++n) {
    std::uint64_t together = 0;
    for (const PacketRecord& frame : slower) together += overlap_of(faster[n], frame);
    CHECK(together * 2 > faster[n].finished_ps - faster[n].started_ps);
  }
}

TEST_CASE("commands: what the predicate skips costs nothing, more draws left by culling cost more", "[scenario]") {
  const auto frame_ps = [](const std::vector<std::string>& sets) {
    const PlayedWorkload played("commands", sets);
    const PacketRecord& frame = played["frame"].at(0);
    return frame.finished_ps - frame.started_ps;
  };
  const std::string commands = "/workload/command_lists/1/commands/";
  const std::uint64_t usual = frame_ps({});
  CHECK(frame_ps({commands + "12/skip=false"}) > usual);
  CHECK(frame_ps({commands + "4/count=1400"}) > usual);
  CHECK(frame_ps({commands + "4/count=0"}) < usual);
  CHECK(frame_ps({commands + "4/max_count=100"}) == frame_ps({commands + "4/count=100"}));
  CHECK(frame_ps({commands + "3/targets/0/ending=preserve", commands + "3/targets/0/resolve_to=\"\""}) < usual);
  CHECK(frame_ps({commands + "3/targets/0/beginning=discard"}) <= usual);
}

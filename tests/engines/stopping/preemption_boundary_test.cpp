// SPDX-License-Identifier: Apache-2.0
// Where each granularity stops: at its next boundary, not a moment sooner or later, and nothing is done twice.
#include "tests/engines/stopping/preemption_bench.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;

namespace {

/// What a request that comes between two moments of a packet's life leads to.
struct Stretch {
  enum class Stop : std::uint8_t {
    at_once,    ///< where it is
    at_edge,    ///< at the next edge of the clock
    at_end,     ///< of the stretch
    completes,  ///< not at all: the packet completes
  };
  std::uint64_t from;  ///< after the packet's turn
  std::uint64_t to;
  Stop stop;
  std::uint64_t state_bytes = 0;  ///< of groups
  bool repeats = false;           ///< what has been done of the stretch is done again
  bool begun = true;              ///< there is state to save
  std::uint64_t stop_ps = 0;      ///< at_end: later than the end
  std::uint64_t again_ps = 0;     ///< what it costs to go on, of the packet's running time
  std::uint64_t unit_ps = 1;      ///< what is done of such a piece is done again
  std::uint64_t edge_ps = 0;      ///< what follows may begin so much later
};
using Stop = Stretch::Stop;

Stretch stretch(std::uint64_t from, std::uint64_t to, Stop stop) { return {from, to, stop}; }
/// Groups on the SMs are saved, unless they end with the cycle in which the request comes.
Stretch groups(std::uint64_t from, std::uint64_t to, std::uint64_t state_bytes) {
  return {from, to - ns, Stop::at_edge, state_bytes};
}
/// The same for work that only finishes what it is at.
Stretch units(std::uint64_t from, std::uint64_t to, std::uint64_t unit_ps, std::uint64_t again_ps = 0) {
  return {from, to, Stop::at_once, 0, false, true, 0, again_ps, unit_ps};
}
Stretch drained(std::uint64_t from, std::uint64_t to, std::uint64_t stop_ps, std::uint64_t again_ps) {
  return {from, to, Stop::at_end, 0, false, true, stop_ps, again_ps};
}
Stretch last_cycle(std::uint64_t to, Stop stop = Stop::at_end) { return {to - ns, to, stop}; }
/// The front end goes on where it was; what comes after it may have to wait for an edge of a clock.
Stretch fetch(std::uint64_t from, std::uint64_t to) {
  Stretch fetch = stretch(from, to, Stop::at_once);
  fetch.edge_ps = ns;
  return fetch;
}
Stretch first_fetch(std::uint64_t from, std::uint64_t to) {
  Stretch first = fetch(from, to);
  first.begun = false;
  return first;
}
/// Of a copy: goes on where it was.
Stretch setting_up(std::uint64_t from, std::uint64_t to) { return fetch(from, to); }

/// Around both ends, and between.
std::set<std::uint64_t> moments_of(const Stretch& stretch) {
  std::set<std::uint64_t> moments;
  for (const std::uint64_t away : {std::uint64_t{1}, ns - 1, ns, ns + 1, 2 * ns, (stretch.to - stretch.from) / 2}) {
    moments.insert(stretch.from + away);
    moments.insert(stretch.to - std::min(stretch.to, away));
  }
  std::set<std::uint64_t> inside;
  for (const std::uint64_t moment : moments) {
    if (moment > stretch.from && moment < stretch.to) inside.insert(moment);
  }
  // Asked for at the boundary itself: the unit that begins there has begun.
  const bool one_unit = stretch.stop == Stop::at_end && stretch.stop_ps == 0 && stretch.to - stretch.from > ns;
  if (one_unit) inside.insert(stretch.from);
  return inside;
}

struct Scene {
  BoardConfig board;
  Board::MakeEngine engine;
  ThreadContextState state;
  CommandStream stream;
  std::uint64_t running_ps;  ///< of the packet, when nothing disturbs it
};

void check_stop(const Scene& scene, const Stretch& stretch, std::uint64_t at_ps) {
  INFO("requested at " << at_ps << ", in " << stretch.from << ".." << stretch.to);
  PreemptionBench bench(scene.board, scene.engine);
  bench.submit(0, 0, packet_of(1, scene.stream, {launch_ps, retire_ps, 0}));
  bench.preempt(at_ps);
  bench.resubmit(10 * ns, 1000 * ns);
  bench.kernel.run_to_end();
  REQUIRE(bench.top().preempted.size() == 1);
  const PreemptionReport& report = bench.top().preempted[0].report;
  CHECK(report.requested_ps == at_ps);
  const DmaPacket& packet = bench.completed(1);
  if (stretch.stop == Stop::completes) {
    CHECK(bench.top().preempted[0].packets.empty());
    CHECK(packet.finished_ps == launch_ps + scene.running_ps);
    CHECK(report.stopped_ps == packet.finished_ps + retire_ps);
    CHECK(report.free_ps == report.stopped_ps);
    CHECK(report.last_completed_fence_id == 1);
    CHECK(report.saved_bytes == 0);
    return;
  }
  REQUIRE(bench.top().preempted[0].packets.size() == 1);
  const std::uint64_t stopped_ps = stretch.stop == Stop::at_end    ? std::max(stretch.to, stretch.stop_ps)
                                   : stretch.stop == Stop::at_edge ? (at_ps + ns - 1) / ns * ns
                                                                   : at_ps;
  CHECK(report.stopped_ps == stopped_ps);
  const std::uint64_t bytes = stretch.begun ? scene.state.bytes + stretch.state_bytes : 0;
  CHECK(report.saved_bytes == bytes);
  CHECK(report.free_ps == stopped_ps + (stretch.begun ? 5 * ns + bytes * ns : 0));
  CHECK(report.last_completed_fence_id == 0);
  // It goes on where it was.
  const std::uint64_t done_ps = stopped_ps - stretch.from;
  const std::uint64_t repeated_ps = stretch.repeats ? done_ps : done_ps % stretch.unit_ps;
  const std::uint64_t least_ps = scene.running_ps + repeated_ps + stretch.again_ps;
  CHECK(running_ps(packet) >= least_ps);
  CHECK(running_ps(packet) <= least_ps + stretch.edge_ps);
  CHECK(packet.piece_started_ps == packet.hardware_ps + launch_ps + (stretch.begun ? 7 * ns + bytes * ns : 0));
}

/// A request at any moment of the packet's life. The stretches are as long as it.
void check_stretches(const Scene& scene, const std::vector<Stretch>& stretches) {
  PreemptionBench undisturbed(scene.board, scene.engine);
  undisturbed.submit(0, 0, packet_of(1, scene.stream, {launch_ps, retire_ps, 0}));
  undisturbed.kernel.run_to_end();
  REQUIRE(running_ps(undisturbed.completed(1)) == scene.running_ps);
  REQUIRE(undisturbed.completed(1).started_ps == launch_ps);
  std::uint64_t end = launch_ps;
  for (const Stretch& stretch : stretches) {
    REQUIRE(stretch.from == end);
    end = stretch.to;
    for (const std::uint64_t moment : moments_of(stretch)) check_stop(scene, stretch, moment);
  }
  REQUIRE(end == launch_ps + scene.running_ps);
}

// ---- compute ----

constexpr std::uint32_t threads = 64;
constexpr std::uint64_t group_state = threads * (32 * 4 + 2);

/// Two waves of two groups, a barrier, one group.
CommandStream dispatches() {
  CommandStream stream;
  stream.compute_pipelines.resize(2);
  for (ComputePipeline& pipeline : stream.compute_pipelines) pipeline.group.threads = threads;
  stream.compute_pipelines[0].work.cycles = 1000;
  stream.compute_pipelines[1].work.shader.alu_instructions = 500;
  stream.commands = {Dispatch{0, 4}, Barrier{}, Dispatch{1, 1}};
  return stream;
}

template <class Kind, class Config>
Scene dispatch_scene(PreemptionLevel level, std::uint32_t launch_cycles = 0) {
  Scene scene;
  scene.board = plain_board();
  scene.board.array.group_launch_cycles = launch_cycles;
  const Config config = stopping_at(plain_engine<Config>(), level);
  scene.engine = engine_of<Kind>(config);
  scene.state = config.context_state;
  scene.stream = dispatches();
  scene.running_ps = (10 + 2 * (1000 + launch_cycles) + 20 + 10 + 500) * ns - launch_cycles * ns;
  return scene;
}

constexpr std::uint64_t first = launch_ps + 10 * ns;  // the first dispatch begins
constexpr std::uint64_t barrier = first + 2000 * ns;
constexpr std::uint64_t second = barrier + 30 * ns;
constexpr std::uint64_t end = second + 500 * ns;

template <class Kind, class Config>
void dispatches_stop_where_they_may() {
  const auto scene = [](PreemptionLevel level) { return dispatch_scene<Kind, Config>(level); };
  const Stretch begins = first_fetch(launch_ps, first);
  const Stretch waits = fetch(barrier, barrier + 20 * ns);
  const Stretch fetches = fetch(barrier + 20 * ns, second);
  for (const auto level : {PreemptionLevel::none, PreemptionLevel::dma_buffer}) {
    check_stretches(scene(level), {stretch(launch_ps, end, Stop::completes)});
  }
  check_stretches(scene(PreemptionLevel::command), {begins, stretch(first, barrier, Stop::at_end), waits, fetches,
                                                    stretch(second, end, Stop::completes)});
  for (const auto level : {PreemptionLevel::group, PreemptionLevel::thread}) {
    check_stretches(scene(level), {begins, stretch(first, first + 1000 * ns, Stop::at_end),
                                   stretch(first + 1000 * ns, barrier, Stop::at_end), waits, fetches,
                                   stretch(second, end, Stop::completes)});
  }
  check_stretches(scene(PreemptionLevel::shader),
                  {begins, groups(first, first + 1000 * ns, 2 * group_state), last_cycle(first + 1000 * ns),
                   groups(first + 1000 * ns, barrier, 2 * group_state), last_cycle(barrier), waits, fetches,
                   groups(second, end, group_state), last_cycle(end, Stop::completes)});
}

}  // namespace

TEST_CASE("preemption: a compute engine stops dispatches at the next boundary", "[engines]") {
  dispatches_stop_where_they_may<ComputeEngine, ComputeEngineConfig>();
}

TEST_CASE("preemption: the 3D engine stops dispatches at the next boundary", "[engines]") {
  dispatches_stop_where_they_may<GraphicsEngine, GraphicsEngineConfig>();
}

TEST_CASE("preemption: at level thread a group that is being launched gives way, at level group it does not",
          "[engines]") {
  // The second group's launch ends 100 cycles after the first one's; the third takes the first one's place.
  Scene scene;
  scene.board = plain_board();
  scene.board.array.group_launch_cycles = 100;
  scene.stream = dispatches();
  scene.stream.commands = {Dispatch{0, 3}};
  scene.running_ps = (10 + 2000) * ns;
  const auto check = [&](PreemptionLevel level, const std::vector<Stretch>& stretches) {
    const auto config = stopping_at(plain_engine<ComputeEngineConfig>(), level);
    scene.engine = engine_of<ComputeEngine>(config);
    scene.state = config.context_state;
    check_stretches(scene, stretches);
  };
  const Stretch begins = first_fetch(launch_ps, first);
  const Stretch ends = stretch(first + 1000 * ns, first + 2000 * ns, Stop::completes);
  // Two that are left begin 100 cycles after each other; one that is left finds the SM empty.
  check(PreemptionLevel::thread, {begins, drained(first, first + 99 * ns, first + 1000 * ns, 100 * ns),
                                  drained(first + 99 * ns, first + 1000 * ns, first + 1100 * ns, 100 * ns), ends});
  check(PreemptionLevel::group, {begins, drained(first, first + 1000 * ns, first + 1100 * ns, 100 * ns), ends});
}

namespace {

// ---- draws ----

/// Three groups of vertices, four triangles of two groups of pixels each, one group at a time; a barrier; a draw that
/// is nothing but 500 cycles of set-up.
Scene draw_scene(PreemptionLevel level) {
  Scene scene;
  scene.board = plain_board();
  scene.board.array.groups_per_sm = 1;
  auto config = stopping_at(plain_engine<GraphicsEngineConfig>(), level);
  config.rates.triangles_per_clock = 1000;
  config.rates.lanes_per_clock = config.rates.rop_pixels_per_clock = 1e6;
  config.rates.group_threads = threads;
  config.write_back_bytes = 1'000'000'000;
  scene.engine = engine_of<GraphicsEngine>(config);
  scene.state = config.context_state;
  scene.stream.graphics_pipelines.resize(1);
  scene.stream.graphics_pipelines[0].vertex_shader.alu_instructions = 500;
  scene.stream.graphics_pipelines[0].pixel_shader.alu_instructions = 1000;
  scene.stream.commands = {Draw{0, 3 * threads, 1, 4, 8 * threads}, Barrier{}, Draw{0, 0, 1, 500'000, 0}};
  scene.running_ps = (10 + 3 * 500 + 8 * 1000 + 20 + 10 + 500) * ns;
  return scene;
}

constexpr std::uint64_t pixels = first + 1500 * ns;
constexpr std::uint64_t draw_barrier = pixels + 8000 * ns;
constexpr std::uint64_t set_up = draw_barrier + 30 * ns;
constexpr std::uint64_t draws_end = set_up + 500 * ns;

/// The first draw stops after each of its groups of vertices and so many groups of pixels.
std::vector<Stretch> draw_stretches(std::uint64_t pixel_groups) {
  std::vector<Stretch> stretches = {first_fetch(launch_ps, first)};
  for (std::uint64_t at = first; at < pixels; at += 500 * ns)
    stretches.push_back(stretch(at, at + 500 * ns, Stop::at_end));
  const std::uint64_t step = pixel_groups * 1000 * ns;
  for (std::uint64_t at = pixels; at < draw_barrier; at += step)
    stretches.push_back(stretch(at, at + step, Stop::at_end));
  stretches.push_back(fetch(draw_barrier, draw_barrier + 20 * ns));
  stretches.push_back(fetch(draw_barrier + 20 * ns, set_up));
  stretches.push_back(units(set_up, draws_end, ns));
  return stretches;
}

}  // namespace

TEST_CASE("preemption: the 3D engine stops draws at the next boundary", "[engines]") {
  for (const auto level : {PreemptionLevel::none, PreemptionLevel::dma_buffer}) {
    check_stretches(draw_scene(level), {stretch(launch_ps, draws_end, Stop::completes)});
  }
  check_stretches(draw_scene(PreemptionLevel::command),
                  {first_fetch(launch_ps, first), stretch(first, draw_barrier, Stop::at_end),
                   fetch(draw_barrier, draw_barrier + 20 * ns), fetch(draw_barrier + 20 * ns, set_up),
                   stretch(set_up, draws_end, Stop::completes)});
  check_stretches(draw_scene(PreemptionLevel::group), draw_stretches(2));   // a triangle
  check_stretches(draw_scene(PreemptionLevel::thread), draw_stretches(1));  // a group of pixels
  std::vector<Stretch> instructions;
  for (const Stretch& stretch : draw_stretches(1)) {
    if (stretch.stop == Stop::at_end) {
      instructions.push_back(groups(stretch.from, stretch.to, group_state));
      instructions.push_back(last_cycle(stretch.to));
    } else {
      instructions.push_back(stretch);
    }
  }
  check_stretches(draw_scene(PreemptionLevel::shader), instructions);
}

TEST_CASE("preemption: what a draw has not written yet waits with it", "[engines]") {
  // The write-back takes 2000 ns, the shading of four groups 1000 each; memory is not what a stop waits for.
  for (const auto level : {PreemptionLevel::group, PreemptionLevel::thread, PreemptionLevel::shader}) {
    Scene scene = draw_scene(level);
    auto config = stopping_at(plain_engine<GraphicsEngineConfig>(), level);
    config.rates.lanes_per_clock = config.rates.rop_pixels_per_clock = 1e6;
    config.rates.triangles_per_clock = 1000;
    config.write_back_bytes = 1;
    scene.engine = engine_of<GraphicsEngine>(config);
    scene.stream.graphics_pipelines[0].bytes_per_vertex = 2'000'000;
    scene.stream.graphics_pipelines[0].bytes_per_pixel = 0;
    scene.stream.graphics_pipelines[0].vertex_shader = {};
    scene.stream.commands = {Draw{0, 1, 1, 0, 0}};
    scene.running_ps = (10 + 2000) * ns;
    check_stretches(scene, {first_fetch(launch_ps, first), units(first + 0, first + 2000 * ns, 1)});
  }
}

namespace {

// ---- copies ----

/// 50,000 bytes inside video memory, a barrier, 1000 bytes over PCIe.
template <class Kind, class Config>
Scene copy_scene(PreemptionLevel level, std::uint64_t setup) {
  Scene scene;
  scene.board = plain_board();
  auto config = stopping_at(plain_engine<Config>(), level);
  if constexpr (std::is_same_v<Kind, CopyEngine>) config.setup_cycles = static_cast<std::uint32_t>(setup / ns);
  scene.engine = engine_of<Kind>(config);
  scene.state = config.context_state;
  scene.stream.commands = {CopyBuffer{CopyRoute::device_to_device, 50'000}, Barrier{},
                           CopyBuffer{CopyRoute::host_to_device, 1000}};
  scene.running_ps = (10 + 100 + 20 + 10 + 100) * ns + 2 * setup;
  return scene;
}

template <class Kind, class Config>
void copies_stop_where_they_may(std::uint64_t setup) {
  const auto scene = [&](PreemptionLevel level) { return copy_scene<Kind, Config>(level, setup); };
  const std::uint64_t first_end = first + setup + 100 * ns;
  const std::uint64_t next = first_end + 30 * ns;
  const std::uint64_t last = next + setup + 100 * ns;
  for (const auto level : {PreemptionLevel::none, PreemptionLevel::dma_buffer}) {
    check_stretches(scene(level), {stretch(launch_ps, last, Stop::completes)});
  }
  // A copy that is being set up holds nothing yet.
  std::vector<Stretch> whole = {first_fetch(launch_ps, first)};
  if (setup > 0) whole.push_back(setting_up(first, first + setup));
  whole.push_back(stretch(first + setup, first_end, Stop::at_end));
  whole.push_back(fetch(first_end, first_end + 20 * ns));
  whole.push_back(fetch(first_end + 20 * ns, next));
  if (setup > 0) whole.push_back(setting_up(next, next + setup));
  whole.push_back(stretch(next + setup, last, Stop::completes));
  check_stretches(scene(PreemptionLevel::command), whole);
  std::vector<Stretch> stretches = {first_fetch(launch_ps, first)};
  if (setup > 0) stretches.push_back(setting_up(first, first + setup));
  stretches.push_back(units(first + setup, first_end, ns, setup));  // the barrier begins at an edge
  stretches.push_back(fetch(first_end, first_end + 20 * ns));
  stretches.push_back(fetch(first_end + 20 * ns, next));
  if (setup > 0) stretches.push_back(setting_up(next, next + setup));
  stretches.push_back(units(next + setup, last, 100, setup));  // a byte takes 100 ps
  check_stretches(scene(PreemptionLevel::group), stretches);
}

}  // namespace

TEST_CASE("preemption: a copy engine stops copies at the next boundary, and sets them up again", "[engines]") {
  copies_stop_where_they_may<CopyEngine, CopyEngineConfig>(100 * ns);
}

TEST_CASE("preemption: the compute and 3D engines stop copies between two bytes", "[engines]") {
  copies_stop_where_they_may<ComputeEngine, ComputeEngineConfig>(0);
  copies_stop_where_they_may<GraphicsEngine, GraphicsEngineConfig>(0);
}

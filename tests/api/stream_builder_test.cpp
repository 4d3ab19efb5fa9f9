// SPDX-License-Identifier: Apache-2.0
#include "api/stream_builder.hpp"

#include <catch2/catch.hpp>

#include <stdexcept>
#include <variant>

using namespace fenceline;

TEST_CASE("stream builder: commands stand in the order of the calls", "[api]") {
  StreamBuilder builder("list");
  const auto stream =
      builder.copy(CopyRoute::host_to_device, 4096).barrier().clear(64).timestamp(7).add(Resolve{256, 4}).finish();
  CHECK(stream->name == "list");
  REQUIRE(stream->commands.size() == 5);
  CHECK(std::get<CopyBuffer>(stream->commands[0]).route == CopyRoute::host_to_device);
  CHECK(std::get<CopyBuffer>(stream->commands[0]).bytes == 4096);
  CHECK(std::holds_alternative<Barrier>(stream->commands[1]));
  CHECK(std::get<Clear>(stream->commands[2]).bytes == 64);
  CHECK(std::get<Timestamp>(stream->commands[3]).slot == 7);
  CHECK(std::get<Resolve>(stream->commands[4]).samples == 4);
  CHECK(builder.finish()->commands.empty());
}

TEST_CASE("stream builder: a pipeline state is set anew, or named again", "[api]") {
  const ComputePipeline compute = compute_pipeline("cs", 100, 64);
  GraphicsPipeline graphics;
  graphics.pixel_shader.alu_instructions = 10;
  StreamBuilder builder("list");
  const auto number = builder.pipeline(graphics);
  const auto stream = builder.draw(number, 300, 5000)
                          .draw(graphics, 30, 500)
                          .draw(number, 3, 50)
                          .dispatch(compute, 8)
                          .dispatch(0, 16)
                          .finish();
  CHECK(stream->graphics_pipelines.size() == 2);
  REQUIRE(stream->compute_pipelines.size() == 1);
  CHECK(stream->compute_pipelines[0].name == "cs");
  CHECK(stream->compute_pipelines[0].work.cycles == 100);
  CHECK(stream->compute_pipelines[0].group.threads == 64);
  const auto& draw = std::get<Draw>(stream->commands[0]);
  CHECK(draw.instances == 1);
  CHECK(draw.vertices == 300);
  CHECK(draw.triangles == 100);
  CHECK(draw.pixels == 5000);
  CHECK(std::get<Draw>(stream->commands[1]).pipeline == 1);
  CHECK(std::get<Draw>(stream->commands[2]).pipeline == 0);
  CHECK(std::get<Dispatch>(stream->commands[3]).groups == 8);
  CHECK(std::get<Dispatch>(stream->commands[4]).pipeline == 0);
}

TEST_CASE("stream builder: markers stand between commands, and events end", "[api]") {
  StreamBuilder builder("list");
  const auto stream =
      builder.begin_event("pass", 0xff0000ff).barrier().set_marker("half").clear(64).end_event().finish();
  CHECK(stream->commands.size() == 2);
  REQUIRE(stream->markers.size() == 3);
  CHECK(stream->markers[0].kind == MarkerKind::begin);
  CHECK(stream->markers[0].name == "pass");
  CHECK(stream->markers[0].color == 0xff0000ff);
  CHECK(stream->markers[0].command == 0);
  CHECK(stream->markers[1].kind == MarkerKind::set);
  CHECK(stream->markers[1].command == 1);
  CHECK(stream->markers[2].kind == MarkerKind::end);
  CHECK(stream->markers[2].command == 2);
  CHECK_THROWS_AS(builder.end_event(), std::invalid_argument);
  builder.begin_event("open");
  CHECK_THROWS_AS(builder.finish(), std::invalid_argument);
}

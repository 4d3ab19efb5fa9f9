// SPDX-License-Identifier: Apache-2.0
// Promotion, decay, type classes and split barriers of resource states.
#include "api/d3d12/states/resource_states.hpp"

#include <catch2/catch.hpp>

using namespace fenceline::d3d12;

namespace {

constexpr auto common = D3D12_RESOURCE_STATE_COMMON;
constexpr auto source = D3D12_RESOURCE_STATE_COPY_SOURCE;
constexpr auto dest = D3D12_RESOURCE_STATE_COPY_DEST;
constexpr auto target = D3D12_RESOURCE_STATE_RENDER_TARGET;
constexpr auto pixel = D3D12_RESOURCE_STATE_PIXEL_SHADER_RESOURCE;
constexpr auto non_pixel = D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE;
constexpr auto unordered = D3D12_RESOURCE_STATE_UNORDERED_ACCESS;
constexpr auto graphics = TypeClass::graphics;
constexpr auto copy = TypeClass::copy;

D3D12_RESOURCE_DESC texture_desc(D3D12_RESOURCE_FLAGS flags = D3D12_RESOURCE_FLAG_NONE) {
  return {D3D12_RESOURCE_DIMENSION_TEXTURE2D, 0,    16, 16, 1, 3, DXGI_FORMAT_R8G8B8A8_UNORM, {1, 0},
          D3D12_TEXTURE_LAYOUT_UNKNOWN,       flags};
}
D3D12_RESOURCE_DESC buffer_desc() {
  return {D3D12_RESOURCE_DIMENSION_BUFFER, 0, 64, 1, 1, 1, DXGI_FORMAT_UNKNOWN, {1, 0}, D3D12_TEXTURE_LAYOUT_ROW_MAJOR,
          D3D12_RESOURCE_FLAG_NONE};
}
ResourceStates texture(D3D12_RESOURCE_STATES state = common, D3D12_RESOURCE_FLAGS flags = D3D12_RESOURCE_FLAG_NONE) {
  return {texture_desc(flags), state, D3D12_HEAP_TYPE_DEFAULT};
}
ResourceStates buffer(D3D12_HEAP_TYPE heap = D3D12_HEAP_TYPE_DEFAULT, D3D12_RESOURCE_STATES state = common) {
  return {buffer_desc(), state, heap};
}

D3D12_MESSAGE_ID id_of(const std::optional<StateProblem>& problem) {
  return problem ? problem->id : D3D12_MESSAGE_ID_UNKNOWN;
}
D3D12_MESSAGE_ID move(ResourceStates& states, D3D12_RESOURCE_STATES before, D3D12_RESOURCE_STATES after,
                      D3D12_RESOURCE_BARRIER_FLAGS flags = D3D12_RESOURCE_BARRIER_FLAG_NONE,
                      UINT subresource = D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES) {
  return id_of(states.transition({nullptr, subresource, before, after}, flags, graphics));
}

constexpr auto ok = D3D12_MESSAGE_ID_UNKNOWN;
constexpr auto wrong = D3D12_MESSAGE_ID_INVALID_SUBRESOURCE_STATE;

}  // namespace

TEST_CASE("states: buffers are promoted to anything, once to writing or cumulatively to reading", "[d3d12]") {
  ResourceStates states = buffer();
  CHECK(id_of(states.access(0, source, graphics)) == ok);
  CHECK(id_of(states.access(0, non_pixel, graphics)) == ok);
  CHECK(states.state_of(0) == (source | non_pixel));
  CHECK(id_of(states.access(0, dest, graphics)) == wrong);  // from reading to writing only by a barrier
  CHECK(move(states, source, dest) == D3D12_MESSAGE_ID_RESOURCE_BARRIER_BEFORE_AFTER_MISMATCH);
  CHECK(move(states, static_cast<D3D12_RESOURCE_STATES>(source | non_pixel), dest) == ok);
  CHECK(id_of(states.access(0, dest, graphics)) == ok);
  states.decay();
  CHECK(states.state_of(0) == common);
  CHECK(id_of(states.access(0, unordered, graphics)) == ok);
}

TEST_CASE("states: textures are promoted to shader resources and copies alone", "[d3d12]") {
  for (const auto state : {pixel, non_pixel, source, dest}) CHECK(id_of(texture().access(0, state, graphics)) == ok);
  for (const auto state : {target, unordered, D3D12_RESOURCE_STATE_DEPTH_WRITE}) {
    CHECK(id_of(texture().access(0, state, graphics)) == wrong);
  }
  ResourceStates simultaneous = texture(common, D3D12_RESOURCE_FLAG_ALLOW_SIMULTANEOUS_ACCESS);
  CHECK(id_of(simultaneous.access(0, target, graphics)) == ok);
}

TEST_CASE("states: each subresource has its own", "[d3d12]") {
  ResourceStates states = texture();
  CHECK(move(states, common, target, D3D12_RESOURCE_BARRIER_FLAG_NONE, 1) == ok);
  CHECK(id_of(states.access(1, target, graphics)) == ok);
  CHECK(id_of(states.access(0, target, graphics)) == wrong);
  CHECK(move(states, common, target) == D3D12_MESSAGE_ID_RESOURCE_BARRIER_BEFORE_AFTER_MISMATCH);
}

TEST_CASE("states: what was promoted to reading decays, what was promoted to COPY_DEST on 3D does not", "[d3d12]") {
  ResourceStates reading = texture();
  REQUIRE(id_of(reading.access(0, pixel, graphics)) == ok);
  reading.decay();
  CHECK(reading.state_of(0) == common);
  ResourceStates writing = texture();
  REQUIRE(id_of(writing.access(0, dest, graphics)) == ok);
  writing.decay();
  CHECK(writing.state_of(0) == dest);
  CHECK(move(writing, dest, pixel) == ok);
  writing.decay();
  CHECK(writing.state_of(0) == pixel);  // by a barrier
}

TEST_CASE("states: a copy queue takes what is in COMMON, and leaves it there", "[d3d12]") {
  ResourceStates states = texture();
  REQUIRE(id_of(states.access(0, dest, copy)) == ok);
  states.decay();
  CHECK(states.state_of(0) == common);
  ResourceStates in_state = texture(dest);
  CHECK(id_of(in_state.access(0, source, copy)) == non_common_resource_in_copy_queue);
  CHECK(id_of(in_state.access(0, dest, copy)) == non_common_resource_in_copy_queue);
  CHECK(id_of(in_state.access(0, dest, graphics)) == ok);
}

TEST_CASE("states: UPLOAD and READBACK resources keep theirs", "[d3d12]") {
  ResourceStates upload = buffer(D3D12_HEAP_TYPE_UPLOAD, D3D12_RESOURCE_STATE_GENERIC_READ);
  CHECK(id_of(upload.access(0, source, copy)) == ok);
  CHECK(id_of(upload.access(0, D3D12_RESOURCE_STATE_INDIRECT_ARGUMENT, graphics)) == ok);
  CHECK(id_of(upload.access(0, dest, graphics)) == wrong);
  ResourceStates readback = buffer(D3D12_HEAP_TYPE_READBACK, dest);
  CHECK(id_of(readback.access(0, dest, copy)) == ok);
  CHECK(move(readback, dest, source) == D3D12_MESSAGE_ID_RESOURCE_BARRIER_INVALID_HEAP);
  readback.decay();
  CHECK(readback.state_of(0) == dest);
}

TEST_CASE("states: between the halves of a split barrier nothing else may happen", "[d3d12]") {
  constexpr auto begin = D3D12_RESOURCE_BARRIER_FLAG_BEGIN_ONLY;
  constexpr auto end = D3D12_RESOURCE_BARRIER_FLAG_END_ONLY;
  ResourceStates states = texture(target);
  CHECK(move(states, target, pixel, end) == D3D12_MESSAGE_ID_RESOURCE_BARRIER_UNMATCHED_END);
  CHECK(move(states, target, pixel, begin) == ok);
  CHECK(id_of(states.access(0, target, graphics)) == D3D12_MESSAGE_ID_RESOURCE_BARRIER_INVALID_SPLIT_BARRIER);
  CHECK(move(states, target, pixel) == D3D12_MESSAGE_ID_RESOURCE_BARRIER_UNMATCHED_BEGIN);
  states.decay();  // it may span lists
  CHECK(move(states, target, source, end) == D3D12_MESSAGE_ID_RESOURCE_BARRIER_UNMATCHED_END);
  CHECK(move(states, target, pixel, end) == ok);
  CHECK(states.state_of(2) == pixel);
}

TEST_CASE("states: a barrier on a COMMON resource may name what it could be promoted to", "[d3d12]") {
  ResourceStates states = texture();
  CHECK(move(states, pixel, target) == ok);
  ResourceStates other = texture();
  CHECK(move(other, target, pixel) == D3D12_MESSAGE_ID_RESOURCE_BARRIER_BEFORE_AFTER_MISMATCH);
}

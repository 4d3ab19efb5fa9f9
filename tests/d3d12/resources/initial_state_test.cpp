// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/states/initial_state.hpp"

#include "tests/d3d12/pipelines/desc_builder.hpp"

#include <catch2/catch.hpp>

using namespace fenceline::d3d12;
using namespace fenceline::testing;

namespace {

bool fits(const D3D12_RESOURCE_DESC& desc, UINT state, D3D12_HEAP_TYPE heap = D3D12_HEAP_TYPE_DEFAULT) {
  const Verdict verdict = check_initial_state(desc, heap, static_cast<D3D12_RESOURCE_STATES>(state));
  CHECK((verdict.result == S_OK || verdict.result == E_INVALIDARG));
  CHECK(verdict.message.empty() == verdict.ok());
  return verdict.ok();
}

D3D12_RESOURCE_DESC texture(UINT flags) {
  D3D12_RESOURCE_DESC desc = texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 4, 4);
  desc.Flags = static_cast<D3D12_RESOURCE_FLAGS>(flags);
  return desc;
}

}  // namespace

TEST_CASE("initial state: one that writes alone, or any that read", "[d3d12]") {
  const D3D12_RESOURCE_DESC drawn = texture(D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
  CHECK(fits(drawn, D3D12_RESOURCE_STATE_COMMON));
  CHECK(fits(drawn, D3D12_RESOURCE_STATE_RENDER_TARGET));
  CHECK(fits(drawn, D3D12_RESOURCE_STATE_COPY_SOURCE | D3D12_RESOURCE_STATE_PIXEL_SHADER_RESOURCE));
  CHECK(fits(drawn, D3D12_RESOURCE_STATE_GENERIC_READ));
  CHECK_FALSE(fits(drawn, D3D12_RESOURCE_STATE_RENDER_TARGET | D3D12_RESOURCE_STATE_PIXEL_SHADER_RESOURCE));
  CHECK_FALSE(fits(drawn, D3D12_RESOURCE_STATE_COPY_DEST | D3D12_RESOURCE_STATE_COPY_SOURCE));
  CHECK_FALSE(fits(drawn, 0x80000000));
}

TEST_CASE("initial state: textures are in states that their flags allow", "[d3d12]") {
  CHECK_FALSE(fits(texture(0), D3D12_RESOURCE_STATE_RENDER_TARGET));
  CHECK_FALSE(fits(texture(0), D3D12_RESOURCE_STATE_UNORDERED_ACCESS));
  CHECK_FALSE(fits(texture(0), D3D12_RESOURCE_STATE_DEPTH_WRITE));
  CHECK(fits(texture(D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS), D3D12_RESOURCE_STATE_UNORDERED_ACCESS));
  CHECK(fits(texture(D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL), D3D12_RESOURCE_STATE_DEPTH_WRITE));
  // A buffer starts in COMMON whatever is asked for.
  CHECK(fits(buffer_desc(4), D3D12_RESOURCE_STATE_UNORDERED_ACCESS));
}

TEST_CASE("initial state: what the CPU reaches says nothing or what it is in for ever", "[d3d12]") {
  const auto upload = [](UINT state) { return fits(buffer_desc(4), state, D3D12_HEAP_TYPE_UPLOAD); };
  CHECK(upload(D3D12_RESOURCE_STATE_GENERIC_READ));
  CHECK(upload(D3D12_RESOURCE_STATE_COMMON));
  CHECK(upload(D3D12_RESOURCE_STATE_COPY_SOURCE));
  CHECK(upload(D3D12_RESOURCE_STATE_RESOLVE_SOURCE));
  CHECK_FALSE(upload(D3D12_RESOURCE_STATE_COPY_DEST));
  CHECK_FALSE(upload(D3D12_RESOURCE_STATE_UNORDERED_ACCESS));
  const auto readback = [](UINT state) { return fits(buffer_desc(4), state, D3D12_HEAP_TYPE_READBACK); };
  CHECK(readback(D3D12_RESOURCE_STATE_COPY_DEST));
  CHECK(readback(D3D12_RESOURCE_STATE_COMMON));
  CHECK(readback(D3D12_RESOURCE_STATE_RESOLVE_DEST));
  CHECK_FALSE(readback(D3D12_RESOURCE_STATE_GENERIC_READ));
  CHECK_FALSE(readback(D3D12_RESOURCE_STATE_COPY_SOURCE));
  CHECK(state_of_heap(D3D12_HEAP_TYPE_UPLOAD) == D3D12_RESOURCE_STATE_GENERIC_READ);
  CHECK(state_of_heap(D3D12_HEAP_TYPE_READBACK) == D3D12_RESOURCE_STATE_COPY_DEST);
  CHECK(state_of_heap(D3D12_HEAP_TYPE_CUSTOM) == D3D12_RESOURCE_STATE_COMMON);
}

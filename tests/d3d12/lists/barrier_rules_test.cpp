// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/states/barrier_rules.hpp"

#include "tests/d3d12/pipelines/desc_builder.hpp"

#include <catch2/catch.hpp>

using namespace fenceline::d3d12;
using namespace fenceline::testing;

namespace {

bool allowed(const D3D12_RESOURCE_DESC& desc, D3D12_RESOURCE_STATES before, D3D12_RESOURCE_STATES after,
             D3D12_COMMAND_LIST_TYPE list = D3D12_COMMAND_LIST_TYPE_DIRECT) {
  return check_transition({nullptr, D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES, before, after}, &desc, list).ok();
}

}  // namespace

TEST_CASE("barrier rules: a texture may be in GENERIC_READ, but not in a state for buffers alone", "[d3d12]") {
  const D3D12_RESOURCE_DESC texture = texture_2d(DXGI_FORMAT_R8G8B8A8_UNORM, 4, 4);
  CHECK(allowed(texture, D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_GENERIC_READ));
  CHECK(allowed(texture, D3D12_RESOURCE_STATE_GENERIC_READ, D3D12_RESOURCE_STATE_COPY_DEST));
  CHECK_FALSE(allowed(texture, D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_INDEX_BUFFER));
  CHECK_FALSE(allowed(texture, D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_GENERIC_READ,
                      D3D12_COMMAND_LIST_TYPE_COMPUTE));
  CHECK(allowed(buffer_desc(4), D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_INDEX_BUFFER));
}

// SPDX-License-Identifier: Apache-2.0
// What a root signature may not be.
#include "tests/d3d12/pipelines/root_layouts.hpp"

#include <catch2/catch.hpp>

#include <limits>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using namespace fenceline::d3d12;

TEST_CASE("root rules: at most 64 values", "[d3d12]") {
  CHECK(valid(layout({constants(0, 0, 64)})));
  CHECK(complaint(layout({constants(0, 0, 65)})) == "root arguments: expected at most 64 values, found 65");
  CHECK_FALSE(valid(layout({constants(0, 0, ~0U), constants(1, 0, ~0U)})));
  std::vector<D3D12_ROOT_PARAMETER1> views;
  for (UINT i = 0; i < 32; ++i) views.push_back(view(D3D12_ROOT_PARAMETER_TYPE_SRV, i));
  CHECK(valid(layout(views)));
  views.push_back(constants(0, 0, 1));
  CHECK_FALSE(valid(layout(views)));
  std::vector<std::vector<D3D12_DESCRIPTOR_RANGE1>> ranges;
  for (UINT i = 0; i < 65; ++i) ranges.push_back({range(srv, 1, i)});
  std::vector<D3D12_ROOT_PARAMETER1> tables;
  for (UINT i = 0; i < 64; ++i) tables.push_back(table(ranges[i]));
  CHECK(valid(layout(tables)));
  tables.push_back(table(ranges[64]));
  CHECK_FALSE(valid(layout(tables)));
  CHECK(valid(layout(tables, {}, D3D12_ROOT_SIGNATURE_FLAG_LOCAL_ROOT_SIGNATURE)));
}

TEST_CASE("root rules: registers overlap only where no stage sees both", "[d3d12]") {
  using P = D3D12_ROOT_PARAMETER_TYPE;
  constexpr P b = D3D12_ROOT_PARAMETER_TYPE_CBV;
  constexpr P t = D3D12_ROOT_PARAMETER_TYPE_SRV;
  constexpr P u = D3D12_ROOT_PARAMETER_TYPE_UAV;
  constexpr auto vertex = D3D12_SHADER_VISIBILITY_VERTEX;
  constexpr auto pixel = D3D12_SHADER_VISIBILITY_PIXEL;
  CHECK(valid(layout({view(b, 0), view(t, 0), view(u, 0)})));
  CHECK(complaint(layout({view(b, 0), view(b, 0)})) == "register b0 of space 0 is bound twice");
  CHECK(valid(layout({view(b, 0), view(b, 0, 1)})));
  CHECK(valid(layout({view(b, 0, 0, 0, vertex), view(b, 0, 0, 0, pixel)})));
  CHECK_FALSE(valid(layout({view(b, 0, 0, 0, vertex), view(b, 0)})));
  CHECK_FALSE(valid(layout({view(b, 0, 0, 0, vertex), view(b, 0, 0, 0, vertex)})));
  CHECK_FALSE(valid(layout({view(b, 2), constants(2, 0, 1)})));
  const std::vector<D3D12_DESCRIPTOR_RANGE1> eight = {range(srv, 8, 4)};
  CHECK(valid(layout({table(eight), view(t, 3), view(t, 12)})));
  CHECK_FALSE(valid(layout({table(eight), view(t, 11)})));
  const std::vector<D3D12_DESCRIPTOR_RANGE1> endless = {range(srv, unbounded, 4)};
  CHECK(valid(layout({table(endless), view(t, 3)})));
  CHECK_FALSE(valid(layout({table(endless), view(t, 1'000'000)})));
  const std::vector<D3D12_DESCRIPTOR_RANGE1> twice = {range(srv, 8, 4), range(srv, 1, 5)};
  CHECK_FALSE(valid(layout({table(twice)})));
  const std::vector<D3D12_DESCRIPTOR_RANGE1> samplers = {range(sampler, 2, 0)};
  CHECK_FALSE(valid(layout({table(samplers)}, {static_sampler(1)})));
  CHECK(valid(layout({table(samplers)}, {static_sampler(2)})));
  CHECK_FALSE(valid(layout({}, {static_sampler(1), static_sampler(1)})));
  // A short range within a long one that begins before it, and one that begins between.
  const std::vector<D3D12_DESCRIPTOR_RANGE1> hidden = {range(srv, 100, 0), range(srv, 1, 200)};
  CHECK(valid(layout({table(hidden), view(t, 150)})));
  CHECK_FALSE(valid(layout({table(hidden), view(t, 50)})));
}

TEST_CASE("root rules: ranges", "[d3d12]") {
  const auto check = [](const std::vector<D3D12_DESCRIPTOR_RANGE1>& ranges) { return valid(layout({table(ranges)})); };
  CHECK(check({}));
  CHECK(check({range(srv, 1, 0), range(cbv, 1, 0)}));
  CHECK_FALSE(check({range(srv, 1, 0), range(sampler, 1, 0)}));
  CHECK_FALSE(check({range(srv, 0, 0)}));
  CHECK_FALSE(check({range(static_cast<D3D12_DESCRIPTOR_RANGE_TYPE>(4), 1, 0)}));
  CHECK(check({range(srv, 1, ~0U)}));
  CHECK_FALSE(check({range(srv, 2, ~0U)}));
  CHECK(check({range(srv, 1, 0, 0xFFFFFFEF)}));
  CHECK_FALSE(check({range(srv, 1, 0, 0xFFFFFFF0)}));
  CHECK_FALSE(check({range(srv, unbounded, 0), range(uav, 1, 0)}));
  CHECK(check({range(srv, unbounded, 0), range(uav, 1, 0, 0, 0, 0)}));
  CHECK(check({range(srv, 4, 0, 0, 0, 0), range(uav, 4, 0, 0, 0, 0)}));  // the same descriptors
  CHECK_FALSE(check({range(srv, 4, 0, 0, 0, 0xFFFFFFFD)}));
}

TEST_CASE("root rules: flags of ranges and descriptors", "[d3d12]") {
  const auto check = [](D3D12_DESCRIPTOR_RANGE_TYPE type, UINT flags) {
    const std::vector<D3D12_DESCRIPTOR_RANGE1> ranges = {range(type, 1, 0, 0, flags)};
    return valid(layout({table(ranges)}));
  };
  for (const UINT flags : {0U, 1U, 2U, 4U, 8U, 1U | 2, 1U | 4, 0x10000U, 0x10000U | 2, 0x10000U | 8}) {
    CAPTURE(flags);
    CHECK(check(srv, flags));
  }
  for (const UINT flags : {1U | 8, 2U | 4, 2U | 8, 4U | 8, 0x10001U, 16U}) {
    CAPTURE(flags);
    CHECK_FALSE(check(srv, flags));
  }
  CHECK(check(sampler, 0));
  CHECK(check(sampler, 1));
  for (const UINT flags : {2U, 4U, 8U}) CHECK_FALSE(check(sampler, flags));
  for (const UINT flags : {0U, 2U, 4U, 8U}) CHECK(valid(layout({view(D3D12_ROOT_PARAMETER_TYPE_SRV, 0, 0, flags)})));
  for (const UINT flags : {1U, 6U, 12U, 16U}) {
    CHECK_FALSE(valid(layout({view(D3D12_ROOT_PARAMETER_TYPE_SRV, 0, 0, flags)})));
  }
}

TEST_CASE("root rules: flags, visibility and spaces", "[d3d12]") {
  CHECK(valid(layout({}, {}, 0xF7F)));
  CHECK_FALSE(valid(layout({}, {}, 0x1000)));
  CHECK(valid(layout({}, {}, D3D12_ROOT_SIGNATURE_FLAG_LOCAL_ROOT_SIGNATURE)));
  CHECK_FALSE(valid(layout({}, {}, D3D12_ROOT_SIGNATURE_FLAG_LOCAL_ROOT_SIGNATURE | 1)));
  CHECK(valid(layout({view(D3D12_ROOT_PARAMETER_TYPE_CBV, 0, 0, 0, D3D12_SHADER_VISIBILITY_MESH)})));
  CHECK_FALSE(valid(layout({view(D3D12_ROOT_PARAMETER_TYPE_CBV, 0, 0, 0, static_cast<D3D12_SHADER_VISIBILITY>(8))})));
  CHECK_FALSE(valid(layout({view(D3D12_ROOT_PARAMETER_TYPE_CBV, 0, 0xFFFFFFF0)})));
  CHECK_FALSE(valid(layout({constants(0, 0xFFFFFFFF, 1)})));
  RootLayout strange = layout({constants(0, 0, 1)});
  strange.parameters[0].type = static_cast<D3D12_ROOT_PARAMETER_TYPE>(5);
  CHECK_FALSE(valid(strange));
}

TEST_CASE("root rules: static samplers", "[d3d12]") {
  const auto check = [](const auto& change) {
    D3D12_STATIC_SAMPLER_DESC desc = static_sampler(0);
    change(desc);
    return valid(layout({}, {desc}));
  };
  CHECK(check([](auto&) {}));
  CHECK(check([](auto& s) { s.Filter = D3D12_FILTER_MAXIMUM_MIN_MAG_POINT_MIP_LINEAR; }));
  CHECK_FALSE(check([](auto& s) { s.Filter = static_cast<D3D12_FILTER>(0x56); }));
  CHECK_FALSE(check([](auto& s) { s.Filter = static_cast<D3D12_FILTER>(0x215); }));
  CHECK_FALSE(check([](auto& s) { s.AddressV = static_cast<D3D12_TEXTURE_ADDRESS_MODE>(0); }));
  CHECK_FALSE(check([](auto& s) { s.AddressW = static_cast<D3D12_TEXTURE_ADDRESS_MODE>(6); }));
  CHECK_FALSE(check([](auto& s) { s.MaxAnisotropy = 17; }));
  CHECK(check([](auto& s) { s.ComparisonFunc = static_cast<D3D12_COMPARISON_FUNC>(0); }));
  CHECK_FALSE(check([](auto& s) { s.ComparisonFunc = static_cast<D3D12_COMPARISON_FUNC>(9); }));
  CHECK_FALSE(check([](auto& s) {
    s.Filter = D3D12_FILTER_COMPARISON_MIN_MAG_MIP_POINT;
    s.ComparisonFunc = static_cast<D3D12_COMPARISON_FUNC>(0);
  }));
  CHECK_FALSE(check([](auto& s) { s.BorderColor = static_cast<D3D12_STATIC_BORDER_COLOR>(5); }));
  CHECK_FALSE(check([](auto& s) { s.MipLODBias = 16; }));
  CHECK_FALSE(check([](auto& s) { s.MipLODBias = -17; }));
  CHECK_FALSE(check([](auto& s) { s.MipLODBias = std::numeric_limits<float>::quiet_NaN(); }));
  CHECK_FALSE(check([](auto& s) { s.MinLOD = std::numeric_limits<float>::quiet_NaN(); }));
  CHECK_FALSE(check([](auto& s) { s.ShaderVisibility = static_cast<D3D12_SHADER_VISIBILITY>(8); }));
  CHECK_FALSE(check([](auto& s) { s.RegisterSpace = 0xFFFFFFF0; }));
}

// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/dxbc/dxbc_hash.hpp"
#include "api/d3d12/root/root_layout.hpp"
#include "api/d3d12/root/root_rules.hpp"
#include "api/d3d12/root/root_signature_blob.hpp"
#include "tests/support/dxbc_builder.hpp"

#include <catch2/catch.hpp>

#include <wrl/client.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

using namespace fenceline;
using namespace fenceline::testing;
using namespace fenceline::d3d12;
using Microsoft::WRL::ComPtr;

namespace {

constexpr auto append = D3D12_DESCRIPTOR_RANGE_OFFSET_APPEND;
constexpr UINT unbounded = ~0U;

D3D12_ROOT_PARAMETER1 view(D3D12_ROOT_PARAMETER_TYPE type, UINT reg, UINT space = 0, UINT flags = 0,
                           D3D12_SHADER_VISIBILITY visibility = D3D12_SHADER_VISIBILITY_ALL) {
  D3D12_ROOT_PARAMETER1 parameter{};
  parameter.ParameterType = type;
  parameter.Descriptor = {reg, space, static_cast<D3D12_ROOT_DESCRIPTOR_FLAGS>(flags)};
  parameter.ShaderVisibility = visibility;
  return parameter;
}

D3D12_ROOT_PARAMETER1 constants(UINT reg, UINT space, UINT count) {
  D3D12_ROOT_PARAMETER1 parameter{};
  parameter.ParameterType = D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS;
  parameter.Constants = {reg, space, count};
  return parameter;
}

D3D12_ROOT_PARAMETER1 table(const std::vector<D3D12_DESCRIPTOR_RANGE1>& ranges,
                            D3D12_SHADER_VISIBILITY visibility = D3D12_SHADER_VISIBILITY_ALL) {
  D3D12_ROOT_PARAMETER1 parameter{};
  parameter.ParameterType = D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE;
  parameter.DescriptorTable = {static_cast<UINT>(ranges.size()), ranges.data()};
  parameter.ShaderVisibility = visibility;
  return parameter;
}

D3D12_DESCRIPTOR_RANGE1 range(D3D12_DESCRIPTOR_RANGE_TYPE type, UINT count, UINT reg, UINT space = 0, UINT flags = 0,
                              UINT offset = append) {
  return {type, count, reg, space, static_cast<D3D12_DESCRIPTOR_RANGE_FLAGS>(flags), offset};
}

constexpr auto srv = D3D12_DESCRIPTOR_RANGE_TYPE_SRV;
constexpr auto uav = D3D12_DESCRIPTOR_RANGE_TYPE_UAV;
constexpr auto cbv = D3D12_DESCRIPTOR_RANGE_TYPE_CBV;
constexpr auto sampler = D3D12_DESCRIPTOR_RANGE_TYPE_SAMPLER;

D3D12_STATIC_SAMPLER_DESC static_sampler(UINT reg, UINT space = 0) {
  D3D12_STATIC_SAMPLER_DESC desc{};
  desc.Filter = D3D12_FILTER_ANISOTROPIC;
  desc.AddressU = desc.AddressV = desc.AddressW = D3D12_TEXTURE_ADDRESS_MODE_WRAP;
  desc.MaxAnisotropy = 16;
  desc.ComparisonFunc = D3D12_COMPARISON_FUNC_LESS_EQUAL;
  desc.BorderColor = D3D12_STATIC_BORDER_COLOR_OPAQUE_WHITE;
  desc.MaxLOD = std::numeric_limits<float>::max();
  desc.ShaderRegister = reg;
  desc.RegisterSpace = space;
  return desc;
}

RootLayout layout(const std::vector<D3D12_ROOT_PARAMETER1>& parameters,
                  const std::vector<D3D12_STATIC_SAMPLER_DESC>& samplers = {}, UINT flags = 0) {
  D3D12_VERSIONED_ROOT_SIGNATURE_DESC desc{};
  desc.Version = D3D_ROOT_SIGNATURE_VERSION_1_1;
  desc.Desc_1_1 = {static_cast<UINT>(parameters.size()), parameters.data(), static_cast<UINT>(samplers.size()),
                   samplers.data(), static_cast<D3D12_ROOT_SIGNATURE_FLAGS>(flags)};
  return std::get<RootLayout>(root_layout(desc));
}

RootLayout as_version_1_0(RootLayout layout) {
  layout.version = D3D_ROOT_SIGNATURE_VERSION_1_0;
  return layout;
}

DxbcHash hash_in(const std::string& container) {
  DxbcHash hash{};
  for (std::size_t i = 0; i < hash.size(); ++i) hash[i] = dxbc_number(container, 4 + 4 * i);
  return hash;
}

std::string complaint(const RootLayout& layout) {
  const Verdict verdict = check_root_layout(layout);
  CHECK((verdict.ok() || verdict.result == E_INVALIDARG));
  return verdict.message;
}

bool valid(const RootLayout& layout) { return complaint(layout).empty(); }

/// All that two layouts say, as bytes of version 1.1.
bool same(RootLayout a, RootLayout b) {
  a.version = b.version = D3D_ROOT_SIGNATURE_VERSION_1_1;
  return serialize_root_signature(a) == serialize_root_signature(b);
}

}  // namespace

// The hashes are those of containers by Microsoft's compiler for the same text. They cover every byte behind them.
TEST_CASE("root signature blob: has the bytes that Microsoft's compiler writes", "[d3d12]") {
  const auto check = [](const RootLayout& root, const DxbcHash& hash) {
    const std::string bytes = serialize_root_signature(root);
    CHECK(bytes.size() == dxbc_number(bytes, 24));
    CHECK(hash_in(bytes) == hash);
  };
  check(as_version_1_0(layout({})), {0xd64afc1d, 0x5dc27735, 0x9edacb4a, 0x6bd8a7fa});
  check(layout({}), {0x791882cb, 0x83c1db39, 0x327edc93, 0x3163085b});
  check(layout({}, {}, D3D12_ROOT_SIGNATURE_FLAG_ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT),
        {0x1e922238, 0xa7743a59, 0x652c0188, 0xe999b061});
  const auto buffer = view(D3D12_ROOT_PARAMETER_TYPE_CBV, 3);
  check(as_version_1_0(layout({buffer})), {0x8dc5087e, 0x5cb9bf0d, 0x2e465ae3, 0x6291e0e0});
  check(layout({buffer}), {0x66f3e4ad, 0x9938583c, 0x4eaf4733, 0x7940ab73});
  // 120 bytes to hash: the padding takes a block of its own.
  check(
      layout({view(D3D12_ROOT_PARAMETER_TYPE_CBV, 4, 1, 0, D3D12_SHADER_VISIBILITY_VERTEX),
              view(D3D12_ROOT_PARAMETER_TYPE_SRV, 13, 0, D3D12_ROOT_DESCRIPTOR_FLAG_DATA_STATIC),
              view(D3D12_ROOT_PARAMETER_TYPE_UAV, 6, 0, D3D12_ROOT_DESCRIPTOR_FLAG_DATA_STATIC_WHILE_SET_AT_EXECUTE)}),
      {0x8ddedbbe, 0xbcfea259, 0x6b35bfbb, 0x23e1de24});
  const auto numbers = {constants(4, 0, 3), constants(5, 3, 4)};
  check(as_version_1_0(layout(numbers)), {0xbc015590, 0xa9a4a345, 0x7e446850, 0x2be05281});
  check(layout(numbers), {0xaa6e3eb1, 0x092b0bd3, 0x63af9657, 0xa97a0fe4});
  const std::vector<D3D12_DESCRIPTOR_RANGE1> ranges = {range(cbv, 1, 1, 7), range(srv, 8, 16),
                                                       range(uav, unbounded, 3, 0, 0, 44)};
  check(as_version_1_0(layout({table(ranges)})), {0x0f92e563, 0x4766993f, 0x2304e283, 0x14f0d8dc});
  check(layout({table(ranges)}), {0x739302ac, 0x9db37f96, 0x1ad9eec8, 0x7a5d08cb});
  check(as_version_1_0(layout({}, {static_sampler(4)})), {0x2876b8ff, 0x935aaa0d, 0x5d2d344a, 0xe002147c});
  check(layout({}, {static_sampler(4)}), {0x52b07945, 0x997c0a1e, 0xe4efb9e9, 0x0378e2d4});
}

TEST_CASE("root signature blob: what was written is read back", "[d3d12]") {
  const std::vector<D3D12_DESCRIPTOR_RANGE1> ranges = {
      range(cbv, 1, 1, 7, D3D12_DESCRIPTOR_RANGE_FLAG_DESCRIPTORS_VOLATILE), range(srv, 8, 16, 0, 0, 3),
      range(uav, unbounded, 3, 0, D3D12_DESCRIPTOR_RANGE_FLAG_DATA_STATIC, 44)};
  const std::vector<D3D12_DESCRIPTOR_RANGE1> samplers = {range(sampler, 4, 0)};
  const RootLayout root =
      layout({constants(0, 0, 5), table(ranges), view(D3D12_ROOT_PARAMETER_TYPE_SRV, 1),
              table(samplers, D3D12_SHADER_VISIBILITY_PIXEL)},
             {static_sampler(9), static_sampler(9, 2)}, D3D12_ROOT_SIGNATURE_FLAG_DENY_HULL_SHADER_ROOT_ACCESS);
  REQUIRE(valid(root));
  const std::string bytes = serialize_root_signature(root);
  const auto parsed = parse_root_signature(bytes);
  REQUIRE(std::holds_alternative<RootLayout>(parsed));
  const auto& back = std::get<RootLayout>(parsed);
  CHECK(back.version == D3D_ROOT_SIGNATURE_VERSION_1_1);
  CHECK(same(back, root));
  REQUIRE(back.parameters.size() == 4);
  CHECK(back.parameters[0].constants.Num32BitValues == 5);
  CHECK(back.parameters[1].ranges[2].OffsetInDescriptorsFromTableStart == 44);
  CHECK(back.parameters[1].ranges[0].OffsetInDescriptorsFromTableStart == append);
  CHECK(back.parameters[3].visibility == D3D12_SHADER_VISIBILITY_PIXEL);
  CHECK(back.static_samplers[1].RegisterSpace == 2);
  CHECK(root_cost(back) == 5 + 1 + 2 + 1);
}

TEST_CASE("root signature blob: version 1.0 means volatile descriptors and data", "[d3d12]") {
  const std::vector<D3D12_DESCRIPTOR_RANGE1> ranges = {range(srv, 1, 0), range(uav, 1, 0)};
  const std::vector<D3D12_DESCRIPTOR_RANGE1> samplers = {range(sampler, 1, 0)};
  const std::string bytes = serialize_root_signature(
      as_version_1_0(layout({table(ranges), table(samplers), view(D3D12_ROOT_PARAMETER_TYPE_CBV, 0)})));
  const auto back = std::get<RootLayout>(parse_root_signature(bytes));
  CHECK(back.version == D3D_ROOT_SIGNATURE_VERSION_1_0);
  const UINT both = D3D12_DESCRIPTOR_RANGE_FLAG_DESCRIPTORS_VOLATILE | D3D12_DESCRIPTOR_RANGE_FLAG_DATA_VOLATILE;
  CHECK(back.parameters[0].ranges[0].Flags == both);
  CHECK(back.parameters[0].ranges[1].Flags == both);
  CHECK(back.parameters[1].ranges[0].Flags == D3D12_DESCRIPTOR_RANGE_FLAG_DESCRIPTORS_VOLATILE);
  CHECK(back.parameters[2].descriptor.Flags == D3D12_ROOT_DESCRIPTOR_FLAG_DATA_VOLATILE);
  CHECK(check_root_layout(back).ok());
}

TEST_CASE("root signature blob: a container without one fails, which is not an invalid one", "[d3d12]") {
  const auto result = [](const std::string& bytes) {
    const auto read = read_root_signature(bytes);
    const auto* const verdict = std::get_if<Verdict>(&read);
    return verdict == nullptr ? S_OK : verdict->result;
  };
  CHECK(result(dxbc({{"SHEX", "code"}})) == E_FAIL);
  CHECK(result(dxbc({{"RTS0", ""}})) == E_INVALIDARG);
  CHECK(result("DXBC") == E_INVALIDARG);
  CHECK(result(serialize_root_signature(layout({}))) == S_OK);
}

TEST_CASE("root signature blob: what is not one is refused with its place", "[d3d12]") {
  const auto refused = [](const std::string& bytes) {
    const auto parsed = parse_root_signature(bytes);
    const auto* error = std::get_if<DxbcError>(&parsed);
    return error != nullptr && !error->expected.empty() && error->offset <= bytes.size();
  };
  CHECK(refused(""));
  CHECK(refused("DXBC"));
  CHECK(refused(dxbc({{"SHEX", "code"}})));
  CHECK(refused(dxbc({{"RTS0", ""}})));
  CHECK(refused(dxbc({{"RTS0", numbers({1, 0, 24, 0, 24})}})));
  CHECK_FALSE(refused(dxbc({{"RTS0", numbers({1, 0, 24, 0, 24, 0})}})));
  CHECK(refused(dxbc({{"RTS0", numbers({3, 0, 24, 0, 24, 0})}})));
  CHECK(refused(dxbc({{"RTS0", numbers({1, 1, 24, 0, 24, 0})}})));
  CHECK(refused(dxbc({{"RTS0", numbers({1, 1, 0xFFFFFFF8, 0, 24, 0})}})));
  CHECK(refused(dxbc({{"RTS0", numbers({1, 0xFFFFFFFF, 0, 0, 24, 0})}})));
  CHECK(refused(dxbc({{"RTS0", numbers({1, 0, 24, 1, 24, 0})}})));
  CHECK(refused(dxbc({{"RTS0", numbers({1, 1, 24, 0, 24, 0, 5, 0, 36, 0, 0, 0})}})));
  CHECK(refused(dxbc({{"RTS0", numbers({1, 1, 24, 0, 24, 0, 0, 0, 36, 1000, 44})}})));
  CHECK(refused(dxbc({{"RTS0", numbers({1, 1, 24, 0, 24, 0, 2, 0, 44, 0})}})));
  // Many tables that share one long list of ranges.
  std::vector<std::uint32_t> shared = {1, 4000, 24, 0, 0, 0};
  for (int i = 0; i < 4000; ++i) shared.insert(shared.end(), {0, 0, 24 + 4000 * 12});
  shared.insert(shared.end(), {4000, 24});
  CHECK(refused(dxbc({{"RTS0", numbers(shared)}})));
}

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

TEST_CASE("root signature functions: serialize and deserialize version 1.0", "[d3d12]") {
  D3D12_DESCRIPTOR_RANGE ranges[] = {{srv, 8, 16, 2, append}, {cbv, 1, 0, 0, 20}};
  D3D12_ROOT_PARAMETER parameters[2] = {};
  parameters[0].ParameterType = D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE;
  parameters[0].DescriptorTable = {2, ranges};
  parameters[1].ParameterType = D3D12_ROOT_PARAMETER_TYPE_UAV;
  parameters[1].Descriptor = {7, 1};
  parameters[1].ShaderVisibility = D3D12_SHADER_VISIBILITY_PIXEL;
  const D3D12_STATIC_SAMPLER_DESC samplers[] = {static_sampler(3)};
  const D3D12_ROOT_SIGNATURE_DESC desc = {2, parameters, 1, samplers, D3D12_ROOT_SIGNATURE_FLAG_ALLOW_STREAM_OUTPUT};
  ComPtr<ID3DBlob> blob;
  ComPtr<ID3DBlob> error;
  REQUIRE(D3D12SerializeRootSignature(&desc, D3D_ROOT_SIGNATURE_VERSION_1, &blob, &error) == S_OK);
  CHECK(error == nullptr);

  ComPtr<ID3D12RootSignatureDeserializer> deserializer;
  REQUIRE(D3D12CreateRootSignatureDeserializer(blob->GetBufferPointer(), blob->GetBufferSize(),
                                               IID_PPV_ARGS(&deserializer)) == S_OK);
  const D3D12_ROOT_SIGNATURE_DESC& back = *deserializer->GetRootSignatureDesc();
  REQUIRE(back.NumParameters == 2);
  CHECK(back.pParameters[0].DescriptorTable.NumDescriptorRanges == 2);
  CHECK(std::memcmp(back.pParameters[0].DescriptorTable.pDescriptorRanges, ranges, sizeof(ranges)) == 0);
  CHECK(back.pParameters[1].Descriptor.ShaderRegister == 7);
  CHECK(back.pParameters[1].ShaderVisibility == D3D12_SHADER_VISIBILITY_PIXEL);
  REQUIRE(back.NumStaticSamplers == 1);
  CHECK(back.pStaticSamplers[0].ShaderRegister == 3);
  CHECK(back.pStaticSamplers[0].MaxLOD == samplers[0].MaxLOD);
  CHECK(back.Flags == desc.Flags);
}

TEST_CASE("root signature functions: the versioned deserializer shows both versions", "[d3d12]") {
  const std::vector<D3D12_DESCRIPTOR_RANGE1> ranges = {range(srv, 8, 16, 0, D3D12_DESCRIPTOR_RANGE_FLAG_DATA_STATIC)};
  const std::vector<D3D12_ROOT_PARAMETER1> parameters = {table(ranges), constants(0, 0, 4)};
  D3D12_VERSIONED_ROOT_SIGNATURE_DESC desc{};
  desc.Version = D3D_ROOT_SIGNATURE_VERSION_1_1;
  desc.Desc_1_1 = {2, parameters.data(), 0, nullptr, D3D12_ROOT_SIGNATURE_FLAG_NONE};
  ComPtr<ID3DBlob> blob;
  REQUIRE(D3D12SerializeVersionedRootSignature(&desc, &blob, nullptr) == S_OK);
  ComPtr<ID3D12VersionedRootSignatureDeserializer> deserializer;
  REQUIRE(D3D12CreateVersionedRootSignatureDeserializer(blob->GetBufferPointer(), blob->GetBufferSize(),
                                                        IID_PPV_ARGS(&deserializer)) == S_OK);
  CHECK(deserializer->GetUnconvertedRootSignatureDesc()->Version == D3D_ROOT_SIGNATURE_VERSION_1_1);
  const D3D12_VERSIONED_ROOT_SIGNATURE_DESC* found = nullptr;
  REQUIRE(deserializer->GetRootSignatureDescAtVersion(D3D_ROOT_SIGNATURE_VERSION_1_0, &found) == S_OK);
  CHECK(found->Version == D3D_ROOT_SIGNATURE_VERSION_1_0);
  CHECK(found->Desc_1_0.pParameters[0].DescriptorTable.pDescriptorRanges[0].NumDescriptors == 8);
  CHECK(found->Desc_1_0.pParameters[1].Constants.Num32BitValues == 4);
  REQUIRE(deserializer->GetRootSignatureDescAtVersion(D3D_ROOT_SIGNATURE_VERSION_1_1, &found) == S_OK);
  CHECK(found->Desc_1_1.pParameters[0].DescriptorTable.pDescriptorRanges[0].Flags ==
        D3D12_DESCRIPTOR_RANGE_FLAG_DATA_STATIC);
  CHECK(deserializer->GetRootSignatureDescAtVersion(static_cast<D3D_ROOT_SIGNATURE_VERSION>(4), &found) ==
        E_INVALIDARG);
  CHECK(found == nullptr);
}

TEST_CASE("root signature functions: wrong arguments leave the blob alone and say why", "[d3d12]") {
  const D3D12_ROOT_SIGNATURE_DESC empty = {};
  auto* const untouched = reinterpret_cast<ID3DBlob*>(0x10);
  ID3DBlob* blob = untouched;
  CHECK(D3D12SerializeRootSignature(&empty, D3D_ROOT_SIGNATURE_VERSION_1_1, &blob, nullptr) == E_INVALIDARG);
  CHECK(D3D12SerializeRootSignature(nullptr, D3D_ROOT_SIGNATURE_VERSION_1, &blob, nullptr) == E_INVALIDARG);
  CHECK(D3D12SerializeRootSignature(&empty, D3D_ROOT_SIGNATURE_VERSION_1, nullptr, nullptr) == E_INVALIDARG);
  const D3D12_ROOT_SIGNATURE_DESC nowhere = {1, nullptr, 0, nullptr, {}};
  CHECK(D3D12SerializeRootSignature(&nowhere, D3D_ROOT_SIGNATURE_VERSION_1, &blob, nullptr) == E_INVALIDARG);
  D3D12_ROOT_PARAMETER parameter{};
  parameter.ParameterType = D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS;
  parameter.Constants = {0, 0, 65};
  const D3D12_ROOT_SIGNATURE_DESC large = {1, &parameter, 0, nullptr, {}};
  ComPtr<ID3DBlob> error;
  CHECK(D3D12SerializeRootSignature(&large, D3D_ROOT_SIGNATURE_VERSION_1, &blob, &error) == E_INVALIDARG);
  REQUIRE(error != nullptr);
  CHECK(std::string(static_cast<const char*>(error->GetBufferPointer())).find("at most 64") != std::string::npos);
  D3D12_VERSIONED_ROOT_SIGNATURE_DESC third{};
  third.Version = static_cast<D3D_ROOT_SIGNATURE_VERSION>(3);
  CHECK(D3D12SerializeVersionedRootSignature(&third, &blob, nullptr) == E_INVALIDARG);
  CHECK(blob == untouched);
}

TEST_CASE("root signature functions: deserializers have one interface, and that is not IUnknown", "[d3d12]") {
  const std::string bytes = serialize_root_signature(layout({}));
  void* made = nullptr;
  CHECK(D3D12CreateRootSignatureDeserializer(bytes.data(), bytes.size(), __uuidof(IUnknown), &made) == E_NOINTERFACE);
  CHECK(D3D12CreateRootSignatureDeserializer(
            bytes.data(), bytes.size(), __uuidof(ID3D12VersionedRootSignatureDeserializer), &made) == E_NOINTERFACE);
  CHECK(D3D12CreateRootSignatureDeserializer(bytes.data(), 10, __uuidof(ID3D12RootSignatureDeserializer), &made) ==
        E_INVALIDARG);
  ComPtr<ID3D12RootSignatureDeserializer> deserializer;
  REQUIRE(D3D12CreateRootSignatureDeserializer(bytes.data(), bytes.size(), IID_PPV_ARGS(&deserializer)) == S_OK);
  CHECK(deserializer->QueryInterface(__uuidof(IUnknown), &made) == E_NOINTERFACE);
  CHECK(made == nullptr);
  ComPtr<ID3D12RootSignatureDeserializer> again;
  CHECK(deserializer->QueryInterface(IID_PPV_ARGS(&again)) == S_OK);
  again.Reset();
  CHECK(deserializer.Detach()->Release() == 0);
}

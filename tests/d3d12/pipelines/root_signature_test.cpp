// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/dxbc/dxbc_hash.hpp"
#include "api/d3d12/root/root_layout.hpp"
#include "api/d3d12/root/root_rules.hpp"
#include "api/d3d12/root/root_signature_blob.hpp"
#include "tests/d3d12/pipelines/root_layouts.hpp"
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

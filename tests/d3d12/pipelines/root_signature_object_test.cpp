// SPDX-License-Identifier: Apache-2.0
// Root signatures as objects: one for equal descriptions, as long as one of them lives.
#include "tests/d3d12/app.hpp"

#include <atomic>
#include <thread>
#include <vector>

using namespace fenceline::testing;

namespace {

ComPtr<ID3DBlob> blob_of(UINT constants, UINT reg = 0, D3D12_ROOT_SIGNATURE_FLAGS flags = {}) {
  D3D12_ROOT_PARAMETER parameter{};
  parameter.ParameterType = D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS;
  parameter.Constants = {reg, 0, constants};
  const D3D12_ROOT_SIGNATURE_DESC desc{1, &parameter, 0, nullptr, flags};
  ComPtr<ID3DBlob> blob;
  REQUIRE(D3D12SerializeRootSignature(&desc, D3D_ROOT_SIGNATURE_VERSION_1_0, &blob, nullptr) == S_OK);
  return blob;
}

ComPtr<ID3D12RootSignature> made_of(ID3D12Device* device, ID3DBlob* blob) {
  ComPtr<ID3D12RootSignature> made;
  if (device->CreateRootSignature(0, blob->GetBufferPointer(), blob->GetBufferSize(), IID_PPV_ARGS(&made)) != S_OK) {
    return nullptr;
  }
  return made;
}

}  // namespace

TEST_CASE("root signatures: equal descriptions give the same object, with a reference each", "[d3d12]") {
  const App app;
  const auto first = made_of(app.device.Get(), blob_of(4).Get());
  REQUIRE(first.Get() != nullptr);
  const auto same = made_of(app.device.Get(), blob_of(4).Get());  // of other bytes in memory
  CHECK(same.Get() == first.Get());
  CHECK(references(first.Get()) == 2);
  CHECK(references(app.device.Get()) == 2);  // one child
  CHECK(made_of(app.device.Get(), blob_of(5).Get()).Get() != first.Get());
  CHECK(made_of(app.device.Get(), blob_of(4, 1).Get()).Get() != first.Get());
  CHECK(made_of(app.device.Get(), blob_of(4, 0, D3D12_ROOT_SIGNATURE_FLAG_ALLOW_STREAM_OUTPUT).Get()).Get() !=
        first.Get());
}

TEST_CASE("root signatures: after the last release the next one is new", "[d3d12]") {
  const App app;
  auto first = made_of(app.device.Get(), blob_of(4).Get());
  constexpr GUID guid{0x77, 1, 2, {3, 4, 5, 6, 7, 8, 9, 10}};
  constexpr UINT value = 5;
  REQUIRE(first->SetPrivateData(guid, sizeof value, &value) == S_OK);
  UINT found = 0;
  UINT bytes = sizeof found;
  CHECK(made_of(app.device.Get(), blob_of(4).Get())->GetPrivateData(guid, &bytes, &found) == S_OK);
  CHECK(found == value);
  first.Reset();
  CHECK(references(app.device.Get()) == 1);
  CHECK(made_of(app.device.Get(), blob_of(4).Get())->GetPrivateData(guid, &bytes, &found) == DXGI_ERROR_NOT_FOUND);
}

TEST_CASE("root signatures: many threads make and release the same ones", "[d3d12]") {
  const App app;
  const std::vector<ComPtr<ID3DBlob>> blobs = {blob_of(1), blob_of(2), blob_of(3)};
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 2'000; ++round) {
        const auto one = made_of(app.device.Get(), blobs[(round + i) % 3].Get());
        const auto other = made_of(app.device.Get(), blobs[(round + i) % 3].Get());
        wrong += one.Get() != nullptr && one.Get() == other.Get() ? 0 : 1;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(references(app.device.Get()) == 1);
}

TEST_CASE("root signatures: a deserializer that cannot be made is null", "[d3d12]") {
  const auto blob = blob_of(1);
  const char nonsense[64] = {};
  const auto expect_null = [](auto create, const void* data, SIZE_T bytes, const IID& iid, HRESULT expected) {
    int something = 0;
    void* made = &something;
    CHECK(create(data, bytes, iid, &made) == expected);
    CHECK(made == nullptr);
  };
  for (const auto create : {&D3D12CreateRootSignatureDeserializer, &D3D12CreateVersionedRootSignatureDeserializer}) {
    expect_null(create, blob->GetBufferPointer(), blob->GetBufferSize(), __uuidof(ID3D12Device), E_NOINTERFACE);
    expect_null(create, nullptr, 16, __uuidof(ID3D12VersionedRootSignatureDeserializer), E_INVALIDARG);
  }
  const auto versioned = &D3D12CreateVersionedRootSignatureDeserializer;
  int something = 0;
  void* made = &something;
  CHECK(FAILED(versioned(nonsense, sizeof nonsense, __uuidof(ID3D12VersionedRootSignatureDeserializer), &made)));
  CHECK(made == nullptr);
}

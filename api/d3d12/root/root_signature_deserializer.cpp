// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/root/root_signature_deserializer.hpp"

#include "api/d3d12/com/blob.hpp"
#include "api/d3d12/root/root_rules.hpp"
#include "api/d3d12/root/root_signature_blob.hpp"

#include <string_view>

namespace fenceline::d3d12 {

HRESULT STDMETHODCALLTYPE VersionedRootSignatureDeserializer::GetRootSignatureDescAtVersion(
    D3D_ROOT_SIGNATURE_VERSION version, const D3D12_VERSIONED_ROOT_SIGNATURE_DESC** desc) {
  if (desc == nullptr) return E_INVALIDARG;
  switch (version) {
    case D3D_ROOT_SIGNATURE_VERSION_1_0: *desc = &descs_.version_1_0(); return S_OK;
    case D3D_ROOT_SIGNATURE_VERSION_1_1: *desc = &descs_.version_1_1(); return S_OK;
    default: *desc = nullptr; return E_INVALIDARG;
  }
}

const D3D12_VERSIONED_ROOT_SIGNATURE_DESC* STDMETHODCALLTYPE
VersionedRootSignatureDeserializer::GetUnconvertedRootSignatureDesc() {
  return version_ == D3D_ROOT_SIGNATURE_VERSION_1_0 ? &descs_.version_1_0() : &descs_.version_1_1();
}

namespace {

/// As D3D12 does, leaves the blob alone where it fails.
HRESULT serialize(const D3D12_VERSIONED_ROOT_SIGNATURE_DESC& desc, ID3DBlob** blob, ID3DBlob** error) {
  if (error != nullptr) *error = nullptr;
  auto layout = root_layout(desc);
  Verdict verdict;
  if (const auto* wrong = std::get_if<Verdict>(&layout)) {
    verdict = *wrong;
  } else {
    verdict = check_root_layout(std::get<RootLayout>(layout));
  }
  if (!verdict.ok()) {
    if (error != nullptr) *error = make_text_blob("root signature: " + verdict.message + "\n");
    return verdict.result;
  }
  *blob = make_blob(serialize_root_signature(std::get<RootLayout>(layout)));
  return S_OK;
}

template <class Deserializer, class Interface>
HRESULT create_deserializer(const void* data, SIZE_T bytes, REFIID iid, void** deserializer) {
  if (deserializer == nullptr) return E_INVALIDARG;
  *deserializer = nullptr;
  if (data == nullptr) return E_INVALIDARG;
  if (!(iid == __uuidof(Interface))) return E_NOINTERFACE;
  const auto layout = read_root_signature({static_cast<const char*>(data), bytes});
  if (const auto* wrong = std::get_if<Verdict>(&layout)) return wrong->result;
  auto* made = new Deserializer(std::get<RootLayout>(layout));
  *deserializer = static_cast<Interface*>(made);
  return S_OK;
}

}  // namespace
}  // namespace fenceline::d3d12

// The exported functions, declared in d3d12.h.

HRESULT WINAPI D3D12SerializeRootSignature(const D3D12_ROOT_SIGNATURE_DESC* desc, D3D_ROOT_SIGNATURE_VERSION version,
                                           ID3DBlob** blob, ID3DBlob** error) {
  if (error != nullptr) *error = nullptr;
  if (desc == nullptr || blob == nullptr || version != D3D_ROOT_SIGNATURE_VERSION_1_0) return E_INVALIDARG;
  D3D12_VERSIONED_ROOT_SIGNATURE_DESC versioned{};
  versioned.Version = version;
  versioned.Desc_1_0 = *desc;
  return fenceline::d3d12::serialize(versioned, blob, error);
}

HRESULT WINAPI D3D12SerializeVersionedRootSignature(const D3D12_VERSIONED_ROOT_SIGNATURE_DESC* desc, ID3DBlob** blob,
                                                    ID3DBlob** error) {
  if (error != nullptr) *error = nullptr;
  if (desc == nullptr || blob == nullptr) return E_INVALIDARG;
  return fenceline::d3d12::serialize(*desc, blob, error);
}

HRESULT WINAPI D3D12CreateRootSignatureDeserializer(LPCVOID data, SIZE_T bytes, REFIID iid, void** deserializer) {
  return fenceline::d3d12::create_deserializer<fenceline::d3d12::RootSignatureDeserializer,
                                               ID3D12RootSignatureDeserializer>(data, bytes, iid, deserializer);
}

HRESULT WINAPI D3D12CreateVersionedRootSignatureDeserializer(LPCVOID data, SIZE_T bytes, REFIID iid,
                                                             void** deserializer) {
  return fenceline::d3d12::create_deserializer<fenceline::d3d12::VersionedRootSignatureDeserializer,
                                               ID3D12VersionedRootSignatureDeserializer>(data, bytes, iid,
                                                                                         deserializer);
}

// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/root/root_signature.hpp"

#include "api/d3d12/core/node_mask.hpp"
#include "api/d3d12/host/host.hpp"
#include "api/d3d12/root/root_signature_blob.hpp"

#include <string_view>
#include <utility>
#include <variant>

namespace fenceline::d3d12 {

RootSignature::~RootSignature() { device().root_signatures().forget(key_, this); }

RootSignature* RootSignatures::get(DeviceCore& device, RootLayout layout) {
  std::string key = serialize_root_signature(layout);
  const std::lock_guard<std::mutex> lock(mutex_);
  RootSignature*& known = living_[key];
  if (known != nullptr && known->try_hold()) {
    known->AddRef();
    known->unhold();
  } else {
    known = new RootSignature(device, std::move(layout), std::move(key));
  }
  return known;
}

void RootSignatures::forget(const std::string& key, const RootSignature* signature) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = living_.find(key);
  if (found != living_.end() && found->second == signature) living_.erase(found);
}

HRESULT create_root_signature(DeviceCore& device, UINT node_mask, const void* blob, SIZE_T bytes, REFIID iid,
                              void** signature) {
  Host::spend(device.costs().call_ps);
  if (signature != nullptr) *signature = nullptr;
  if (blob == nullptr) return E_INVALIDARG;
  if (const HRESULT nodes = check_nodes(device, node_mask, "ID3D12Device::CreateRootSignature"); nodes != S_OK) {
    return nodes;
  }
  auto read = read_root_signature(std::string_view(static_cast<const char*>(blob), bytes));
  if (const auto* verdict = std::get_if<Verdict>(&read)) {
    device.message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_CREATE_ROOT_SIGNATURE_BLOB_NOT_FOUND,
                   "ID3D12Device::CreateRootSignature: " + verdict->message);
    return verdict->result;
  }
  if (device.removed()) return DXGI_ERROR_DEVICE_REMOVED;
  return give_out(device.root_signatures().get(device, std::get<RootLayout>(std::move(read))), iid, signature);
}

}  // namespace fenceline::d3d12

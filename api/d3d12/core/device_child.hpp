// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/com/held.hpp"
#include "api/d3d12/com/object.hpp"
#include "api/d3d12/core/device_core.hpp"

namespace fenceline::d3d12 {

/// An ID3D12DeviceChild: has a reference to its device for as long as the program has one to it.
template <class Main, class... More>
class DeviceChild : public Object<Main, More...> {
  static_assert(std::is_base_of_v<ID3D12DeviceChild, typename Main::Interface>);

 public:
  HRESULT STDMETHODCALLTYPE GetDevice(REFIID iid, void** device) final { return device_->QueryInterface(iid, device); }
  DeviceCore& device() const { return *device_; }

 protected:
  explicit DeviceChild(DeviceCore& device) : device_(&device) { device.AddRef(); }
  ~DeviceChild() override = default;
  void on_last_release() override { device_->Release(); }
  void on_new_reference() override { device_->AddRef(); }

 private:
  Held<DeviceCore> device_;
};

/// What a Create function gives out: the interface, with the caller's one reference. Without a place for it the object
/// is not kept, and the answer is S_FALSE, whatever the IID.
template <class T>
HRESULT give_out(T* object, REFIID iid, void** place) {
  HRESULT result = S_FALSE;
  if (place != nullptr) {
    *place = nullptr;
    result = object->QueryInterface(iid, place);
  }
  object->Release();
  return result;
}

}  // namespace fenceline::d3d12

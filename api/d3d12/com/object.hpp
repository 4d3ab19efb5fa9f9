// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/com/com_object.hpp"
#include "api/d3d12/com/private_data.hpp"

#include <string>

namespace fenceline::d3d12 {

/// An ID3D12Object: a COM object with private data, a name, and ID3DDestructionNotifier as a last face.
/// `Main` lists ID3D12Object among its older interfaces.
template <class Main, class... More>
class Object : public ComObject<Main, More..., Face<ID3DDestructionNotifier>> {
  static_assert(std::is_base_of_v<ID3D12Object, typename Main::Interface>);

 public:
  // NOLINTBEGIN(readability-identifier-naming): D3D12's names, of an interface that is not known here.
  HRESULT STDMETHODCALLTYPE GetPrivateData(REFGUID guid, UINT* bytes, void* data) final {
    return private_data_.get(guid, bytes, data);
  }
  HRESULT STDMETHODCALLTYPE SetPrivateData(REFGUID guid, UINT bytes, const void* data) final {
    return private_data_.set(guid, bytes, data);
  }
  HRESULT STDMETHODCALLTYPE SetPrivateDataInterface(REFGUID guid, const IUnknown* object) final {
    return private_data_.set_interface(guid, object);
  }
  HRESULT STDMETHODCALLTYPE SetName(LPCWSTR name) final { return private_data_.set_name(name); }

  HRESULT STDMETHODCALLTYPE RegisterDestructionCallback(PFN_DESTRUCTION_CALLBACK callback, void* data, UINT* id) final {
    return private_data_.register_destruction_callback(callback, data, id);
  }
  HRESULT STDMETHODCALLTYPE UnregisterDestructionCallback(UINT id) final {
    return private_data_.unregister_destruction_callback(id);
  }
  // NOLINTEND(readability-identifier-naming)

  /// The program's name for it as UTF-8; empty without one.
  std::string name() const { return private_data_.name(); }

 private:
  PrivateData private_data_;
};

}  // namespace fenceline::d3d12

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/com/com_object.hpp"
#include "api/d3d12/com/private_data.hpp"
#include "api/d3d12/dxgi.hpp"

namespace fenceline::d3d12 {

/// An IDXGIObject: a COM object with private data. `Main` lists IDXGIObject among its older interfaces.
template <class Main>
class DxgiObject : public ComObject<Main> {
  static_assert(std::is_base_of_v<IDXGIObject, typename Main::Interface>);

 public:
  // NOLINTBEGIN(readability-identifier-naming): DXGI's names, of an interface that is not known here.
  HRESULT STDMETHODCALLTYPE SetPrivateData(REFGUID guid, UINT bytes, const void* data) final {
    return private_data_.set(guid, bytes, data);
  }
  HRESULT STDMETHODCALLTYPE SetPrivateDataInterface(REFGUID guid, const IUnknown* object) final {
    return private_data_.set_interface(guid, object);
  }
  HRESULT STDMETHODCALLTYPE GetPrivateData(REFGUID guid, UINT* bytes, void* data) final {
    return private_data_.get(guid, bytes, data);
  }
  // NOLINTEND(readability-identifier-naming)

 private:
  PrivateData private_data_;
};

}  // namespace fenceline::d3d12

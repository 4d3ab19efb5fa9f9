// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fenceline::d3d12 {

/// The object behind an interface pointer that a program passes: programs have no other objects than ours.
template <class T, class Interface>
T* com_cast(Interface* object) {
  return static_cast<T*>(object);
}

}  // namespace fenceline::d3d12

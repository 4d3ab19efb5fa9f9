// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fenceline {

/// A member function to call later with one number: what a module leaves behind when it hands work down. A plain value,
/// so that a million of them cost no allocation. The object must outlive the call.
class Callback {
 public:
  Callback() = default;
  /// Of an object that outlives it: `Callback::to<&Timer::ring>(this, 7)`.
  template <auto Method, class Object>
  static Callback to(Object* object, std::uint64_t argument = 0) {
    return {object, argument, [](void* self, std::uint64_t value) { (static_cast<Object*>(self)->*Method)(value); }};
  }
  void operator()() const { call_(object_, argument_); }       ///< calls it
  explicit operator bool() const { return call_ != nullptr; }  ///< there is something to call

 private:
  Callback(void* object, std::uint64_t argument, void (*call)(void*, std::uint64_t))
      : object_(object), argument_(argument), call_(call) {}
  void* object_ = nullptr;
  std::uint64_t argument_ = 0;
  void (*call_)(void*, std::uint64_t) = nullptr;
};

}  // namespace fenceline

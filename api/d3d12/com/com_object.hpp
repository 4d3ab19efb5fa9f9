// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/d3d12.hpp"

#include <atomic>
#include <type_traits>

namespace fenceline::d3d12 {

/// One vtable of a COM object: the newest interface it implements, and the older ones which that contains.
template <class Newest, class... Older>
struct Face {
  static_assert((std::is_base_of_v<Older, Newest> && ...), "an older interface is a base of the newest");
  using Interface = Newest;
  static constexpr bool answers_unknown = true;
  static bool answers(REFIID iid) { return iid == __uuidof(Newest) || (is<Older>(iid) || ...); }

 private:
  template <class Other>
  static bool is(REFIID iid) {
    return iid == __uuidof(Other);
  }
};

/// One of the few objects of D3D12 that tell QueryInterface that they are no IUnknown.
template <class Newest, class... Older>
struct ShyFace : Face<Newest, Older...> {
  static constexpr bool answers_unknown = false;
};

// COM's interfaces have no virtual destructor: Release is their end.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-virtual-dtor"

/// A COM object that lists its faces; the first one is its IUnknown. Starts with one reference, its maker's.
///
/// Two counts: the program's references, of which AddRef and Release tell exactly, and holds, by which other objects
/// keep it alive unseen (a command list its pipeline states). All references together are one hold; the object dies
/// with its last hold. A held object that the program gets again (from a Get function) has AddRef called on it as
/// usual.
template <class Main, class... More>
class ComObject : public Main::Interface, public More::Interface... {
 public:
  ComObject(const ComObject&) = delete;
  ComObject& operator=(const ComObject&) = delete;

  // NOLINTBEGIN(readability-identifier-naming): COM's names, of interfaces that are not known here.

  /// E_POINTER without a place for the answer; E_NOINTERFACE, and null there, when no face has that interface.
  HRESULT STDMETHODCALLTYPE QueryInterface(REFIID iid, void** object) final {
    if (object == nullptr) return E_POINTER;
    *object = face(iid);
    if (*object == nullptr) return E_NOINTERFACE;
    AddRef();
    return S_OK;
  }

  ULONG STDMETHODCALLTYPE AddRef() final {
    const ULONG before = references_.fetch_add(1, std::memory_order_relaxed);
    if (before == 0) {
      hold();
      on_new_reference();
    }
    return before + 1;
  }

  ULONG STDMETHODCALLTYPE Release() final {
    const ULONG left = references_.fetch_sub(1, std::memory_order_acq_rel) - 1;
    if (left == 0) {
      on_last_release();
      unhold();
    }
    return left;
  }

  // NOLINTEND(readability-identifier-naming)

  void hold() { holds_.fetch_add(1, std::memory_order_relaxed); }
  /// For those that know of the object and do not hold it: false, and nothing done, when it has begun to die.
  bool try_hold() {
    ULONG before = holds_.load(std::memory_order_relaxed);
    while (before > 0 && !holds_.compare_exchange_weak(before, before + 1, std::memory_order_relaxed)) continue;
    return before > 0;
  }
  /// For those that know of the object and have no reference: false, and nothing done, when the program has none.
  bool try_add_ref() {
    ULONG before = references_.load(std::memory_order_relaxed);
    while (before > 0 && !references_.compare_exchange_weak(before, before + 1, std::memory_order_relaxed)) continue;
    return before > 0;
  }
  void unhold() {
    if (holds_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  /// The program has references.
  bool referenced() const { return references_.load(std::memory_order_acquire) > 0; }

  /// The one IUnknown by which programs compare objects.
  IUnknown* identity() { return static_cast<typename Main::Interface*>(this); }

 protected:
  ComObject() = default;
  virtual ~ComObject() = default;

  /// Whether QueryInterface knows an interface of one of the faces now: some are there in a mode of the object alone.
  virtual bool shows(REFIID) const { return true; }

  /// The program has given back its last reference; called before the object dies, which it does unless it is held.
  virtual void on_last_release() {}
  /// The program has a reference again to an object that was only held. Not called for its maker's.
  virtual void on_new_reference() {}

 private:
  void* face(REFIID iid) {
    if (iid == __uuidof(IUnknown)) return Main::answers_unknown ? identity() : nullptr;
    if (!shows(iid)) return nullptr;
    void* found = nullptr;
    look_at<Main>(iid, found);
    (look_at<More>(iid, found), ...);
    return found;
  }
  template <class One>
  void look_at(REFIID iid, void*& found) {
    if (found == nullptr && One::answers(iid)) found = static_cast<typename One::Interface*>(this);
  }

  std::atomic<ULONG> references_{1};
  std::atomic<ULONG> holds_{1};
};

#pragma GCC diagnostic pop

}  // namespace fenceline::d3d12

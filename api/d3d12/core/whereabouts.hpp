// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/com/held.hpp"

#include <memory>
#include <mutex>
#include <utility>

namespace fenceline::d3d12 {

/// Where an object is, for those that know of it and do not keep it alive. The object, a ComObject, makes it and tells
/// it first thing in its destructor that it is gone.
template <class T>
class Whereabouts {
 public:
  explicit Whereabouts(T& object) : object_(&object) {}
  void gone() {
    const std::lock_guard<std::mutex> lock(mutex_);
    object_ = nullptr;
  }
  /// Null: it has begun to die.
  Held<T> find() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (object_ == nullptr || !object_->try_hold()) return {};
    Held<T> found(object_);
    object_->unhold();  // not the last hold: `found` has one
    return found;
  }

  /// Its answer, and it does not die meanwhile; nothing of one that is gone.
  template <class Question>
  auto ask(Question&& question) -> decltype(question(std::declval<T&>())) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (object_ == nullptr) return {};
    return question(*object_);
  }

 private:
  std::mutex mutex_;
  T* object_;
};

}  // namespace fenceline::d3d12

// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/fence.hpp"

#include "api/d3d12/event_handle.hpp"
#include "api/d3d12/host.hpp"

#include <fmt/format.h>

#include <limits>
#include <string>

namespace fenceline::d3d12 {
namespace {

/// Tells an event or a blocked thread; lives until the last of its fences has told it.
class Wait final : public FenceWaiter {
 public:
  /// Null event: for a thread, which asks `fired`.
  Wait(std::size_t fences, bool any, HANDLE event) : left_(fences), needed_(any ? 1 : fences), event_(event) {}

  void fence_reached(std::uint64_t, Signaller) override { reached(); }
  void reached() {
    --left_;
    if (needed_ > 0 && --needed_ == 0) fire();
    if (left_ == 0) self_.reset();
  }
  bool fired() const { return needed_ == 0; }

  /// Registered with its fences, which call it: it keeps itself until they have.
  static std::shared_ptr<Wait> make(std::size_t fences, bool any, HANDLE event) {
    auto wait = std::make_shared<Wait>(fences, any, event);
    wait->self_ = wait;
    return wait;
  }

 private:
  void fire() {
    if (event_ != nullptr) set_event(event_);
    Host::instance().notify();
  }
  std::size_t left_;
  std::size_t needed_;
  HANDLE event_;
  std::shared_ptr<Wait> self_;
};

}  // namespace

Fence::Fence(Device& device, std::uint64_t initial_value, D3D12_FENCE_FLAGS flags)
    : DeviceChild(device), flags_(flags) {
  const Host::Lock lock = Host::instance().lock();
  id_ = device.machine().create_fence(fmt::format("fence{}", device.next_fence_number()), initial_value);
}

UINT64 Fence::GetCompletedValue() {
  const Host::Lock lock = device().enter(device().costs().poll_ps);
  if (device().removed()) return std::numeric_limits<UINT64>::max();
  return device().machine().completed_value(id_);
}

HRESULT Fence::Signal(UINT64 value) {
  const Host::Lock lock = device().enter(device().costs().call_ps);
  if (device().removed()) return device().removed_reason();
  device().machine().signal(id_, value);
  return S_OK;
}

HRESULT Fence::SetEventOnCompletion(UINT64 value, HANDLE event) {
  return set_event_on_completion(device(), {this}, &value, false, event);
}

void Fence::on_last_release() {
  {
    const Host::Lock lock = Host::instance().lock();
    device().machine().signal(id_, std::numeric_limits<std::uint64_t>::max());
  }
  DeviceChild::on_last_release();
}

HRESULT set_event_on_completion(Device& device, const std::vector<Fence*>& fences, const UINT64* values, bool any,
                                HANDLE event) {
  Host::Lock lock = device.enter(device.costs().call_ps);
  if (event != nullptr && !is_event(event)) return E_INVALIDARG;
  const std::shared_ptr<Wait> wait = Wait::make(fences.size(), any, event);
  for (std::size_t i = 0; i < fences.size(); ++i) {
    if (device.machine().on_fence(fences[i]->id(), values[i], *wait, i)) wait->reached();
  }
  if (event != nullptr) return S_OK;
  std::string what = any && fences.size() > 1 ? "any of" : "";
  for (std::size_t i = 0; i < fences.size(); ++i) {
    what += fmt::format("{}{} to reach {}", what.empty() ? "" : " ", device.machine().fences().name_of(fences[i]->id()),
                        values[i]);
  }
  const auto outcome = Host::instance().wait(
      lock, [&] { return wait->fired() || device.removed(); }, Host::never, Host::instance().wake_ps(), what);
  return outcome == Host::Outcome::deadlock ? E_FAIL : S_OK;
}

}  // namespace fenceline::d3d12

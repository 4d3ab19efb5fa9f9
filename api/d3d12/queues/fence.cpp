// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/queues/fence.hpp"

#include "api/d3d12/com/com_cast.hpp"
#include "api/d3d12/hazards/hazards.hpp"
#include "api/d3d12/host/event_handle.hpp"
#include "api/d3d12/host/event_source.hpp"
#include "api/d3d12/host/host.hpp"
#include "api/work_listener.hpp"
#include "scheduler/fences/fence_unit.hpp"

#include <fmt/format.h>

#include <limits>
#include <memory>
#include <string>
#include <utility>

namespace fenceline::d3d12 {
namespace {

struct Goal {
  FenceId fence;
  std::uint64_t value;
};

/// Tells an event or a blocked thread, once; lives until the last of its fences has told it.
class Wait final : public FenceWaiter {
 public:
  /// Null event: for a thread, which asks `fired`.
  Wait(DeviceCore& device, std::vector<Goal> goals, bool any, HANDLE event)
      : device_(device),
        machine_(device.machine()),
        goals_(std::move(goals)),
        any_(any),
        event_(event),
        generation_(event_generation(event)) {}

  /// Registered with its fences, which call it: it keeps itself until they have.
  static std::shared_ptr<Wait> begin(DeviceCore& device, std::vector<Goal> goals, bool any, HANDLE event) {
    auto wait = std::make_shared<Wait>(device, std::move(goals), any, event);
    wait->self_ = wait;
    for (std::size_t goal = 0; goal < wait->goals_.size(); ++goal) wait->await(goal);
    wait->evaluate();
    return wait;
  }
  void fence_reached(std::uint64_t, Signaller) override {
    --pending_;
    ++reached_;
    evaluate();
  }
  bool fired() const { return fired_; }
  /// Once it has fired: what it was for.
  EventSource source() const {
    EventSource source{&machine_, {}, fired_ps_};
    for (const Goal& goal : goals_) {
      if (is_there(goal)) source.reached.emplace_back(goal.fence, goal.value);
    }
    return source;
  }

 private:
  void await(std::size_t goal) {
    const bool there = machine_.on_fence(goals_[goal].fence, goals_[goal].value, *this, goal);
    ++(there ? reached_ : pending_);
  }
  /// A wait for all ends when each fence is there at the same time: one that was may have been rewound since.
  void evaluate() {
    if (!fired_ && !any_ && pending_ == 0) {
      for (std::size_t goal = 0; goal < goals_.size(); ++goal) {
        if (machine_.fences().value(goals_[goal].fence) < goals_[goal].value) await(goal);
      }
    }
    if (!fired_ && (any_ ? reached_ > 0 : pending_ == 0)) fire();
    if (pending_ == 0) self_.reset();
  }
  void fire() {
    fired_ = true;
    fired_ps_ = machine_.now_ps();
    tell_hazards();
    if (event_ != nullptr && event_generation(event_) == generation_) {
      set_event(event_);
      if (machine_.listener() != nullptr) note_source(event_, source());
    }
    Host::instance().notify();
  }

  /// As far as one that waits for any of them says.
  bool is_there(const Goal& goal) const {
    return !any_ || goals_.size() == 1 || machine_.fences().value(goal.fence) >= goal.value;
  }
  /// The program knows, or can know, from now on where its fences have been.
  void tell_hazards() const {
    Hazards* const hazards = device_.hazards();
    for (const Goal& goal : goals_) {
      if (hazards != nullptr && is_there(goal)) hazards->cpu_sees_reached(goal.fence, goal.value);
    }
  }

  DeviceCore& device_;
  Machine& machine_;
  std::vector<Goal> goals_;
  bool any_;
  bool fired_ = false;
  std::uint64_t fired_ps_ = 0;
  std::size_t pending_ = 0;  // fences that have not told it yet
  std::size_t reached_ = 0;
  HANDLE event_;
  std::uint64_t generation_;  // of the event: it may be closed before it is set
  std::shared_ptr<Wait> self_;
};

}  // namespace

HRESULT SharedFenceObject::open(DeviceCore& device, REFIID iid, void** object) {
  Fence* fence = nullptr;
  {
    const Host::Lock lock = Host::instance().lock();
    const auto found = opened_.find(&device);
    const bool there = found != opened_.end() && found->second->try_add_ref();
    if (!there && !opened_.empty() && (flags_ & D3D12_FENCE_FLAG_SHARED_CROSS_ADAPTER) == 0) {
      device.message(D3D12_MESSAGE_SEVERITY_WARNING, D3D12_MESSAGE_ID_CREATE_FENCE_INVALID_FLAGS,
                     "ID3D12Device::OpenSharedHandle: a fence of another adapter, which was created without "
                     "D3D12_FENCE_FLAG_SHARED_CROSS_ADAPTER");
    }
    fence = there ? found->second : new Fence(device, shared_from_this());
  }
  return give_out(fence, iid, object);
}

void SharedFenceObject::add(Fence& fence) { opened_[&fence.device()] = &fence; }

void SharedFenceObject::remove(const Fence& fence) {
  const auto found = opened_.find(&fence.device());
  if (found != opened_.end() && found->second == &fence) opened_.erase(found);
}

Fence::Fence(DeviceCore& device, std::uint64_t initial_value, D3D12_FENCE_FLAGS flags)
    : DeviceChild(device), initial_value_(initial_value), number_(device.next_fence_number()), flags_(flags) {
  device.expect(*this);
}

Fence::Fence(DeviceCore& device, std::shared_ptr<SharedFenceObject> shared) : Fence(device, 0, shared->flags()) {
  shared_ = std::move(shared);
  shared_->add(*this);
}

void Fence::come_in() {
  Machine& machine = device().machine();
  const std::string called = machine_name("fence", number_, name());
  id_ = shared_ != nullptr ? machine.create_fence(called, shared_->fence())
                           : machine.create_fence(called, initial_value_);
  in_machine_ = true;
  if (device().removed()) {
    machine.end_fences();
  } else if (shared_ != nullptr) {
    Host::instance().couple(machine);
  }
}

UINT64 Fence::GetCompletedValue() {
  const Host::Lock lock = device().enter(device().costs().poll_ps);
  if (device().removed()) return std::numeric_limits<UINT64>::max();
  Machine& machine = device().machine();
  if (device().hazards() != nullptr) device().hazards()->cpu_sees_value(id_);
  const std::uint64_t value = machine.completed_value(id_);
  if (machine.listener() != nullptr) machine.listener()->thread_saw(machine.moment(), id_, value);
  return value;
}

HRESULT Fence::Signal(UINT64 value) {
  const Host::Lock lock = device().enter(device().costs().call_ps);
  if (device().removed()) return DXGI_ERROR_DEVICE_REMOVED;
  device().machine().signal(id_, value);
  return S_OK;
}

HRESULT Fence::SetEventOnCompletion(UINT64 value, HANDLE event) {
  return set_event_on_completion(device(), {this}, &value, false, event);
}

void Fence::on_last_release() {
  {
    const Host::Lock lock = Host::instance().lock();
    *alive_ = false;
    if (shared_ != nullptr) shared_->remove(*this);
    if (in_machine_) {
      device().machine().release_fence(id_);
    } else {
      device().dismiss(*this);
    }
  }
  DeviceChild::on_last_release();
}

HRESULT create_fence(DeviceCore& device, std::uint64_t initial_value, D3D12_FENCE_FLAGS flags, REFIID iid,
                     void** place) {
  constexpr unsigned sharing = D3D12_FENCE_FLAG_SHARED | D3D12_FENCE_FLAG_SHARED_CROSS_ADAPTER;
  constexpr unsigned known = sharing | D3D12_FENCE_FLAG_NON_MONITORED;
  if ((static_cast<unsigned>(flags) & ~known) != 0) {
    device.message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_CREATE_FENCE_INVALID_FLAGS,
                   fmt::format("ID3D12Device::CreateFence: unknown flags {:#x}", static_cast<unsigned>(flags)));
    return E_INVALIDARG;
  }
  if (device.removed()) return DXGI_ERROR_DEVICE_REMOVED;
  Host::Lock lock = Host::instance().lock();
  auto* const made = (static_cast<unsigned>(flags) & sharing) != 0
                         ? new Fence(device, std::make_shared<SharedFenceObject>(initial_value, flags))
                         : new Fence(device, initial_value, flags);
  lock.unlock();  // it may die at once
  return give_out(made, iid, place);
}

Fence* fence_of(DeviceCore& device, ID3D12Fence* fence, const char* method) {
  auto* const found = com_cast<Fence>(fence);
  if (&found->device() == &device) return found;
  device.message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_CORRUPTED_PARAMETER1,
                 fmt::format("{}: expected a fence of this device, found another device's, which has to be opened here "
                             "by a shared handle",
                             method));
  return nullptr;
}

HRESULT set_event_on_completion(DeviceCore& device, const std::vector<Fence*>& fences, const UINT64* values, bool any,
                                HANDLE event) {
  Host::Lock lock = device.enter(device.costs().call_ps);
  if (event != nullptr && !is_event(event)) return E_INVALIDARG;
  std::vector<Goal> goals;
  for (std::size_t i = 0; i < fences.size(); ++i) goals.push_back({fences[i]->id(), values[i]});
  const std::shared_ptr<Wait> wait = Wait::begin(device, std::move(goals), any, event);
  if (event != nullptr) return S_OK;
  const std::uint64_t since_ps = device.machine().now_ps();
  const auto what = [&] {
    std::string text = any && fences.size() > 1 ? "any of" : "";
    for (std::size_t i = 0; i < fences.size(); ++i) {
      text += fmt::format("{}{} to reach {}", text.empty() ? "" : " ",
                          device.machine().fences().name_of(fences[i]->id()), values[i]);
    }
    return text;
  };
  const auto outcome = Host::instance().wait(
      lock, [&] { return wait->fired() || device.removed(); }, Host::never, Host::instance().wake_ps(), what);
  if (wait->fired()) tell_waited(wait->source(), since_ps);
  return outcome == Host::Outcome::deadlock ? E_FAIL : S_OK;
}

}  // namespace fenceline::d3d12

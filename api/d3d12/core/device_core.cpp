// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/core/device_core.hpp"

#include "api/d3d12/core/device_allocations.hpp"
#include "api/d3d12/core/device_capture.hpp"
#include "api/d3d12/core/newcomer.hpp"
#include "api/d3d12/core/run_output.hpp"
#include "api/d3d12/debug/debug_layer.hpp"
#include "api/d3d12/host/event_source.hpp"
#include "api/queue_rules.hpp"
#include "scheduler/recovery/removal_reason.hpp"
#include "sim/duration.hpp"
#include "sim/files/console.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fenceline::d3d12 {
namespace {

std::atomic<bool> debug_layer_on{debug_layer_setting() >= DebugLayerSetting::on};

}  // namespace

DeviceCore::DeviceCore(const MachineConfig& config, std::shared_ptr<VideoMemory> video_memory)
    : machine_(config),
      costs_{ps_of_us(config.host.call_us), ps_of_us(config.host.record_us), ps_of_us(config.host.poll_us)},
      submission_path_(d3d12_path(config)),
      video_memory_(std::move(video_memory)),
      allocations_in_memory_(std::make_shared<DeviceAllocations>(config.video_memory.fill_new)),
      output_(RunOutput::for_environment(machine_)),
      capture_(std::make_unique<DeviceCapture>(machine_)) {
  if (debug_layer_setting() == DebugLayerSetting::break_on_error) {
    info_queue().break_on(D3D12_MESSAGE_SEVERITY_CORRUPTION, true);
    info_queue().break_on(D3D12_MESSAGE_SEVERITY_ERROR, true);
  }
  // From inside a simulation, which somebody drives with the host's lock.
  machine_.when_device_removed([this](const std::string& process, RemovalReason reason) {
    if (!process.empty()) return;  // the program's queues name none
    remove(reason == RemovalReason::reset ? DXGI_ERROR_DEVICE_RESET : DXGI_ERROR_DEVICE_HUNG);
  });
}

DeviceCore::~DeviceCore() = default;

void DeviceCore::join_host() {
  Host::instance().add(machine_, [this](const std::string& why) {
    console::tell("fenceline: {}; the device is removed\n", why);
    remove(DXGI_ERROR_DEVICE_HUNG);
  });
}

void DeviceCore::leave_host() {
  {
    const Host::Lock held = Host::instance().lock();  // events are set with it
    machine_.end_background_processing();
    forget_sources(machine_);
  }
  capture_->finish();
  if (output_ != nullptr) output_->finish();
  Host::instance().remove(machine_);
}

void DeviceCore::enable_debug_layer(bool enable) {
  debug_layer_on = enable && debug_layer_setting() != DebugLayerSetting::off;
}
bool DeviceCore::debug_layer() { return debug_layer_on; }

Host::Lock DeviceCore::enter(std::uint64_t cost_ps) {
  Host::Lock lock = Host::instance().enter(cost_ps, &machine_);
  DeviceCapture::at(machine_.now_ps());
  for (Newcomer* const newcomer : std::exchange(newcomers_, {})) newcomer->come_in();
  allocations_in_memory_->settle(machine_);
  return lock;
}

void DeviceCore::dismiss(const Newcomer& newcomer) {
  newcomers_.erase(std::remove(newcomers_.begin(), newcomers_.end(), &newcomer), newcomers_.end());
}

void DeviceCore::begin_output() {
  if (output_ != nullptr) output_->begin();
  capture_->join();
}

bool DeviceCore::shows(REFIID iid) const {
  return debug_layer() || (iid != __uuidof(ID3D12InfoQueue) && iid != __uuidof(ID3D12InfoQueue1));
}

void DeviceCore::message(D3D12_MESSAGE_SEVERITY severity, D3D12_MESSAGE_ID id, const std::string& text) {
  if (output_ != nullptr) output_->note(severity, fmt::format("{} [{}]", text, static_cast<int>(id)));
  if (debug_layer()) info_queue().add({category_of(id), severity, id, text});
}

void DeviceCore::remove(HRESULT reason) {
  HRESULT none = S_OK;
  if (!removed_reason_.compare_exchange_strong(none, reason)) return;
  on_removal();
  message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_DEVICE_REMOVAL_PROCESS_AT_FAULT,
          fmt::format("the device is removed, reason {:#x}", static_cast<std::uint32_t>(reason)));
  // Every fence goes to its highest value for good: what waits, on the CPU or a queue, goes on, whatever the queues
  // still signal. Those that they are shared with stand.
  machine_.end_fences();
  Host::instance().notify();
}

}  // namespace fenceline::d3d12

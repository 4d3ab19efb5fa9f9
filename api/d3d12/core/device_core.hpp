// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/debug/with_info_queue.hpp"
#include "api/d3d12/host/host.hpp"
#include "api/machine.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fenceline::d3d12 {

class AllocationRecord;
class DescriptorHeaps;
class DeviceAllocations;
class DeviceCapture;
class Hazards;
class Newcomer;
class RemovalRecord;
class RootSignatures;
class RunOutput;
class VideoMemory;

/// What the objects of a device need of it: its machine, what calls cost, how they take effect, whom to tell of
/// mistakes, and its end. Device adds D3D12's own functions, of which most create such objects. Free-threaded.
class DeviceCore
    : public WithInfoQueue<
          Face<ID3D12Device11, ID3D12Device10, ID3D12Device9, ID3D12Device8, ID3D12Device7, ID3D12Device6,
               ID3D12Device5, ID3D12Device4, ID3D12Device3, ID3D12Device2, ID3D12Device1, ID3D12Device, ID3D12Object>,
          Face<ID3D12DeviceRemovedExtendedData2, ID3D12DeviceRemovedExtendedData1, ID3D12DeviceRemovedExtendedData>> {
 public:
  /// CPU time of calls, picoseconds, from the machine's host.
  struct Costs {
    std::uint64_t call_ps;    ///< that submits, signals, waits or creates
    std::uint64_t record_ps;  ///< that records a command
    std::uint64_t poll_ps;    ///< that asks
  };

  Machine& machine() { return machine_; }
  const Machine& machine() const { return machine_; }
  const Costs& costs() const { return costs_; }
  /// A call begins that takes effect at its thread's time (Host::enter).
  Host::Lock enter(std::uint64_t cost_ps);
  /// It comes into the machine with the next call. With the host's lock.
  void expect(Newcomer& newcomer) { newcomers_.push_back(&newcomer); }
  /// It dies before it has. With the host's lock.
  void dismiss(const Newcomer& newcomer);
  /// Calls that create, submit or wait then return DXGI_ERROR_DEVICE_REMOVED, whatever the reason.
  bool removed() const { return removed_reason_.load(std::memory_order_relaxed) != S_OK; }
  HRESULT removed_reason() const { return removed_reason_.load(std::memory_order_relaxed); }
  /// The device is removed, for the first reason alone: what waits for it goes on. With the host's lock.
  void remove(HRESULT reason);
  /// Tells of something that the program does wrong, where the debug layer is on: on stderr and in the info queue;
  /// and in the log of the run directory.
  void message(D3D12_MESSAGE_SEVERITY severity, D3D12_MESSAGE_ID id, const std::string& text);
  /// Whether messages of every device are told from now on: ID3D12Debug::EnableDebugLayer. Where the environment says
  /// that the layer is off, it stays so.
  static void enable_debug_layer(bool enable);
  static bool debug_layer();
  const std::shared_ptr<VideoMemory>& video_memory() const { return video_memory_; }
  /// Those of what the program has made, on their way into the machine.
  const std::shared_ptr<DeviceAllocations>& allocations_in_memory() const { return allocations_in_memory_; }
  /// The device gets a queue: a run directory begins where one is to be left, and a capture. With the host's lock.
  void begin_output();
  /// The way by which queues submit.
  const std::string& submission_path() const { return submission_path_; }
  std::uint32_t next_queue_number() { return queues_++; }
  std::uint32_t next_fence_number() { return fences_++; }
  std::uint32_t next_swap_chain_number() { return swap_chains_++; }
  std::uint32_t next_pipeline_number() { return ++pipelines_; }  ///< from 1

  // What objects find each other by.
  /// Of devices that were made while the debug layer was on, as D3D12 asks for; else null.
  virtual Hazards* hazards() = 0;
  virtual DescriptorHeaps& descriptor_heaps() = 0;
  virtual RootSignatures& root_signatures() = 0;
  virtual RemovalRecord& removal_record() = 0;
  /// Null: nobody asks for what a page fault is of.
  virtual AllocationRecord* allocations() = 0;

 protected:
  /// `video_memory` is the adapter's: what the device's objects use is counted there.
  DeviceCore(const MachineConfig& config, std::shared_ptr<VideoMemory> video_memory);
  ~DeviceCore() override;
  /// From now on the machine is known to the host, which other threads drive.
  void join_host();
  /// No other thread drives the machine from here on, and its run directory is whole. Before anything of it dies.
  void leave_host();
  /// The device has just been removed: what the program may ask for then is what there is at this moment. With the
  /// host's lock.
  virtual void on_removal() = 0;
  /// Null without FENCELINE_OUT.
  RunOutput* output() { return output_.get(); }

 private:
  /// ID3D12InfoQueue is there while the debug layer is on.
  bool shows(REFIID iid) const override;

  Machine machine_;
  Costs costs_;
  std::string submission_path_;
  std::shared_ptr<VideoMemory> video_memory_;
  std::shared_ptr<DeviceAllocations> allocations_in_memory_;
  std::unique_ptr<RunOutput> output_;
  std::unique_ptr<DeviceCapture> capture_;
  std::atomic<HRESULT> removed_reason_{S_OK};
  std::vector<Newcomer*> newcomers_;
  std::atomic<std::uint32_t> queues_{0};
  std::atomic<std::uint32_t> fences_{0};
  std::atomic<std::uint32_t> swap_chains_{0};
  std::atomic<std::uint32_t> pipelines_{0};
};

}  // namespace fenceline::d3d12

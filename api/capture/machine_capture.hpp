// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/capture/captured_effects.hpp"
#include "api/capture/captured_lists.hpp"
#include "api/capture/captured_threads.hpp"
#include "api/capture/file/capture_writer.hpp"
#include "api/work_listener.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fenceline {

class Machine;
class OutputFile;

/// Captures what a machine is told to do from now on, as a workload whose CPU threads do it (README.md). Written as it
/// happens: up to the last submission that was told from outside the simulation the file can be read whenever this
/// ends.
class MachineCapture final : public WorkListener {
 public:
  /// It listens to the machine; times in the capture count from `start_ps` on, now or before. `name` is the workload's.
  /// What cannot be captured is told once each, and what cannot be written once, where nothing may be thrown. Machine
  /// and file outlive this.
  MachineCapture(Machine& machine, OutputFile& file, const std::string& name, std::uint64_t start_ps,
                 std::function<void(const std::string& text)> tell);
  /// It listens no more, if it has not finished.
  ~MachineCapture() override;

  /// The capture is whole, and nothing is captured any more. The file is not closed. False: it could not be written.
  bool finish();

  void queue_created(ContextId queue, const QueueConfig& config) override;
  void fence_created(FenceId fence, const std::string& name, std::uint64_t value) override;
  void swap_chain_created(SwapChainId chain, const SwapChainPlace& place, FenceId frames) override;
  std::shared_ptr<CommandEffects> executed(const WorkMoment& at, ContextId queue,
                                           const std::shared_ptr<const CommandStream>& stream,
                                           std::shared_ptr<CommandEffects> effects) override;
  void queue_signalled(const WorkMoment& at, ContextId queue, FenceId fence, std::uint64_t value) override;
  void queue_waited(const WorkMoment& at, ContextId queue, FenceId fence, std::uint64_t value) override;
  void queue_marked(const WorkMoment& at, ContextId queue, const Marker& marker) override;
  void presented(const WorkMoment& at, ContextId queue, SwapChainId chain, const Frame& frame) override;
  void cpu_signalled(const WorkMoment& at, FenceId fence, std::uint64_t value) override;
  void others_signalled(const WorkMoment& at, FenceId fence, std::uint64_t value) override;
  void fence_ended(const WorkMoment& at, FenceId fence) override;
  void all_fences_ended(const WorkMoment& at) override;
  void swap_chain_closed(SwapChainId chain) override;
  void cpu_awaits(FenceId fence, std::uint64_t value) override;
  void other_work(const char* what) override;
  void thread_waited(const WorkMoment& at, FenceId fence, std::uint64_t value, std::uint64_t since_ps,
                     std::uint64_t told_ps) override;
  void thread_saw(const WorkMoment& at, FenceId fence, std::uint64_t value) override;
  void thread_waited_vblank(const WorkMoment& at, OutputId output, std::uint64_t since_ps,
                            std::uint64_t told_ps) override;

 private:
  struct Queue {
    std::string name;
    QueueType type = QueueType::direct;
    std::optional<SwapChainId> chain = {};  // that it presents to
  };
  struct Chain {
    SwapChainPlace place;
    FenceId frames{};
    std::optional<ContextId> queue = {};  // that presented to it first
    std::uint64_t before = 0;             // frames that it had when the capture began
    std::uint64_t awaited = 0;            // the highest that a queue waits for
  };
  /// Steps that are to be written when what is in front of them is.
  struct Pending {
    std::size_t thread = 0;
    nlohmann::json step;
    std::shared_ptr<CapturedEffects> list;  // whose name the step lacks until it has finished; null: none
    CommandListType type = CommandListType::direct;
    bool submits = false;  // the file is to hold it at once
  };
  class Reached;
  class Before;

  template <class Call>
  void guarded(const Call& call);
  void submits(const WorkMoment& at, nlohmann::json step);
  void add(std::size_t thread, nlohmann::json step);
  void expect_pending();
  void looks_ahead(FenceId fence, std::uint64_t value);
  void write_objects();
  void write_pending(bool all);
  std::optional<nlohmann::json> with_fence(nlohmann::json step, FenceId fence, std::uint64_t value);

  Machine& machine_;
  std::function<void(const std::string& text)> tell_;
  std::optional<CaptureWriter> writer_;
  std::optional<CapturedLists> lists_;
  std::vector<nlohmann::json> add_objects_;  // to be written in front of what names them
  CapturedThreads threads_;
  std::map<ContextId, Queue> queues_;
  std::map<FenceId, std::string> fences_;
  std::map<FenceId, SwapChainId> frame_fences_;
  std::map<SwapChainId, Chain> chains_;
  std::set<std::string> queue_names_;
  std::set<std::string> fence_names_;
  std::set<std::string> processes_;
  std::set<std::string> told_;
  std::deque<Pending> pending_;
  std::shared_ptr<CapturedEffects> next_list_;  // of the step that is added next
  CommandListType next_type_ = CommandListType::direct;
  bool next_submits_ = false;
  std::shared_ptr<Reached> reached_;  // when fences came to what threads await
  std::shared_ptr<Before> before_;
  std::uint64_t flushes_ = 0;
  bool failed_ = false;
  bool finished_ = false;
};

}  // namespace fenceline

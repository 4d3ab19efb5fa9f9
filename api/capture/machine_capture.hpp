// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/capture/capture_batch.hpp"
#include "api/capture/capture_thread.hpp"
#include "api/capture/captured_bytes.hpp"
#include "api/capture/captured_effects.hpp"
#include "api/capture/captured_lists.hpp"
#include "api/capture/captured_swap_chains.hpp"
#include "api/capture/captured_threads.hpp"
#include "api/capture/reached_fences.hpp"
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
                                           std::shared_ptr<CommandEffects> effects,
                                           const std::shared_ptr<StreamBytes>& bytes) override;
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
  void thread_waited(const WorkMoment& at, FenceId fence, std::uint64_t value, std::uint64_t since_ps,
                     std::uint64_t told_ps) override;
  void thread_saw(const WorkMoment& at, FenceId fence, std::uint64_t value) override;
  void thread_waited_vblank(const WorkMoment& at, OutputId output, std::uint64_t since_ps,
                            std::uint64_t told_ps) override;

 private:
  struct Queue {
    std::string name;
    QueueType type = QueueType::direct;
  };
  /// A step that is to be written when what is in front of it is.
  struct Pending {
    CapturedStep step;
    std::shared_ptr<CapturedEffects> effects = {};  // that the list's outcomes are of; null: they are known
    bool submits = false;                           // the file is to hold it at once
  };

  template <class Call>
  void guarded(const Call& call);
  void other_work(const char* what);
  void look_at_paging();
  CapturedBytes::Write writes_at(const WorkMoment& at);
  CapturedOutcomes outcomes_of(const std::vector<ActedCommand>& acts);
  void follow(StreamBytes& bytes, std::vector<ActedCommand> acts);
  void submits(const WorkMoment& at, nlohmann::json step);
  void add(std::size_t thread, nlohmann::json step);
  void expect_pending();
  void looks_ahead(FenceId fence, std::uint64_t value);
  void write_pending(bool all);
  void hear_of_errors();
  std::optional<nlohmann::json> with_fence(nlohmann::json step, FenceId fence, std::uint64_t value);

  Machine& machine_;
  std::function<void(const std::string& text)> tell_;
  std::optional<CaptureThread> writing_;
  CaptureBatch batch_;  // that is to be written next
  CapturedBytes bytes_{batch_};
  std::set<CapturedListKey> known_lists_;
  std::vector<std::shared_ptr<const CommandStream>> kept_;  // that are known by their places
  CapturedThreads threads_;
  std::map<ContextId, Queue> queues_;
  std::map<FenceId, std::string> fences_;
  CapturedSwapChains swap_chains_;
  std::set<std::string> queue_names_;  // and of swap chains
  std::set<std::string> fence_names_;
  std::set<std::string> processes_;
  std::set<std::string> told_;
  std::deque<Pending> pending_;
  std::optional<CapturedExecution> next_list_;  // of the step that is added next
  std::shared_ptr<CapturedEffects> next_effects_;
  bool next_submits_ = false;
  std::shared_ptr<ReachedFences> reached_;  // when fences came to what threads await
  std::shared_ptr<UnheardSignals> before_;
  std::shared_ptr<MachineCapture*> this_;  // for those who may outlive this; null in it: it is over
  bool failed_ = false;
  bool finished_ = false;
};

}  // namespace fenceline

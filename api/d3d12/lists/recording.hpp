// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/bytes/effect.hpp"
#include "api/d3d12/debug/breadcrumbs.hpp"
#include "api/d3d12/hazards/accesses.hpp"
#include "api/d3d12/pipelines/draw_estimate.hpp"
#include "api/d3d12/resources/back_buffer.hpp"
#include "api/d3d12/resources/memory_bindings.hpp"
#include "api/d3d12/root/root_values.hpp"
#include "api/d3d12/root/table_reads.hpp"
#include "api/d3d12/states/state_steps.hpp"
#include "bgproc/pgo/pgo_driver.hpp"
#include "engines/command/command.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace fenceline::d3d12 {

/// What belongs to the command at that index of a stream.
template <class T>
struct At {
  std::size_t command;
  T what;
};
/// Null: nothing does. The list is in the stream's order.
template <class T>
const T* find(const std::vector<At<T>>& list, std::size_t command) {
  const auto at = std::lower_bound(list.begin(), list.end(), command,
                                   [](const At<T>& one, std::size_t wanted) { return one.command < wanted; });
  return at != list.end() && at->command == command ? &at->what : nullptr;
}

/// A region of a command allocator: the commands of one list and what they do to bytes. What becomes of them when a
/// queue executes the list is an Execution, which keeps it: from Close on nothing changes until nobody has it but the
/// allocator. Recording again into the same one allocates nothing until it outgrows itself.
class Recording final {
 public:
  /// 64 bits that decide at the time of execution.
  struct Predicate {
    Bytes at;
    bool skip_if_zero = true;  ///< D3D12_PREDICATION_OP_EQUAL_ZERO
  };
  /// Where an ExecuteIndirect finds out what it runs.
  struct Indirect {
    Bytes arguments;
    std::uint64_t arguments_bytes = 0;  ///< from there to the buffer's end
    Bytes count;                        ///< no memory: none
    std::uint64_t most = 0;
    std::uint32_t stride = 0;
    std::uint32_t operation_offset = 0;  ///< of the draw's or dispatch's own arguments in each stride
    D3D12_INDIRECT_ARGUMENT_TYPE operation = D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH;
    DrawState state;
    IndirectConstants constants;  ///< no arguments: it sets none
  };

  /// A query other than a time stamp.
  struct Query {
    Bytes to;
    D3D12_QUERY_TYPE type = D3D12_QUERY_TYPE_OCCLUSION;
    std::size_t first = 0;  ///< command that it counts: all from there to its end
  };

  Recording() = default;
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// Empty, with the memory it has.
  void clear();

  // While its list records.

  CommandStream& stream() { return stream_; }
  void add(const Command& command) { stream_.commands.push_back(command); }
  void add(const Command& command, Effect effect);
  /// False: an end of what has not begun, which is left out. In a bundle it may be its list's.
  bool add_marker(Marker marker, bool in_bundle);
  /// Events that have not ended do; how many they are.
  std::size_t end_events();
  void add_predication(const Predicate* predicate);
  void add_indirect(const Indirect& indirect, bool arguments_in_host);
  /// A time stamp into 8 bytes.
  void add_timestamp(Bytes to);
  /// What it needs of resources' states is held against them when it has been executed, by a queue of that class.
  void check_states(TypeClass by, StateSteps::Tell tell);
  /// Null unless check_states was called.
  StateSteps* states() { return tell_ ? &states_ : nullptr; }
  /// What it accesses is wanted.
  void watch() { watched_ = true; }
  /// Null unless it is watched.
  Accesses* accesses() { return watched_ ? &accesses_ : nullptr; }
  /// The content of what lies there is not needed any more.
  void add_discard(Bytes of);
  /// It writes that buffer of a swap chain; null: of none.
  void add_back_buffer(const std::shared_ptr<const BackBuffer>& buffer);
  /// Null: none are recorded.
  void set_breadcrumbs(std::unique_ptr<Breadcrumbs> breadcrumbs) { breadcrumbs_ = std::move(breadcrumbs); }
  Breadcrumbs* breadcrumbs() { return breadcrumbs_.get(); }
  /// The end of a query. Its result is there when the front end has come so far.
  void add_query(const Command& end, Query query);
  /// The last command has those root arguments bound. What has no constants is not measured; `sets_constants`: its
  /// arguments in memory set some.
  void bind(RootArguments& arguments, bool sets_constants = false) {
    if (sets_constants || !arguments.constants.empty()) bind_at(stream_.commands.size() - 1, arguments);
  }
  /// The last command of a bundle has set these, for draws or for dispatches.
  void bind_in_bundle(const RootArguments& arguments, bool dispatches);
  /// What the stream's pipeline states of that kind read of tables, by index.
  StreamTableReads::Pipelines& table_reads_of(const std::vector<GraphicsPipeline>&) { return table_reads_.graphics; }
  StreamTableReads::Pipelines& table_reads_of(const std::vector<ComputePipeline>&) { return table_reads_.compute; }
  /// The driver's part of the stream's pipeline states of that kind, by index: empty where it does not measure them.
  using Measured = std::vector<std::weak_ptr<PgoPipeline>>;
  Measured& measured_of(const std::vector<GraphicsPipeline>&) { return measured_graphics_; }
  Measured& measured_of(const std::vector<ComputePipeline>&) { return measured_compute_; }
  /// Everything that the other one records, once more, with its draws over a viewport of so many pixels, and what it
  /// has not set of root arguments as the list has it.
  void append(const Recording& bundle, std::uint64_t viewport_pixels, const BoundArguments& arguments);

  /// The next command, and those after it, have that address bound; 0: nothing.
  void bind_memory(std::uint32_t slot, std::uint64_t address) {
    memory_bindings_.bind(stream_.commands.size(), slot, address);
  }
  /// The same of a descriptor table.
  void bind_table(std::uint32_t slot, std::uint64_t handle) {
    memory_bindings_.bind_table(stream_.commands.size(), slot, handle);
  }
  void unbind_memory(std::uint32_t first_slot, std::uint32_t end) {
    memory_bindings_.unbind(stream_.commands.size(), first_slot, end);
  }
  /// What it uses of video memory is worked out, for a queue that is to execute it: of what draws have bound `each`
  /// use, or, where it discards nothing, the first one. With the host's lock, while nothing executes it.
  void find_uses(bool each, const DescriptorHeaps& descriptors);

  // What an execution asks.

  const CommandStream& stream() const { return stream_; }
  /// In the order recorded, each with its command.
  const std::vector<At<Effect>>& effects() const { return effects_; }
  /// Of the command at that index; null: it has none.
  const Predicate* predicate_at(std::size_t command) const { return find(predicates_, command); }
  const Indirect* indirect_at(std::size_t command) const { return find(indirects_, command); }
  const Query* query_at(std::size_t end) const { return find(queries_, end); }
  bool has_queries() const { return !queries_.empty(); }
  /// Where a time stamp goes.
  const At<Bytes>& timestamp(std::uint32_t slot) const { return timestamps_[slot]; }
  /// Every command is complete: the states of resources move on.
  void apply_states() const {
    if (tell_) states_.apply(type_class_, tell_);
  }
  /// Each memory that it reads or writes, and what is bound by its address, at least once; not what tables show.
  void for_each_memory(const std::function<void(const std::shared_ptr<HeapMemory>&)>& visit) const;
  const Measured& measured_graphics() const { return measured_graphics_; }
  const Measured& measured_compute() const { return measured_compute_; }
  const Accesses* accesses() const { return watched_ ? &accesses_ : nullptr; }
  const Breadcrumbs* breadcrumbs() const { return breadcrumbs_.get(); }
  const std::vector<std::shared_ptr<const BackBuffer>>& back_buffers() const { return back_buffers_; }
  /// Of it, under way.
  std::size_t executions() const { return executions_; }

 private:
  friend class Execution;  // which counts

  void bind_at(std::size_t command, RootArguments& arguments);

  CommandStream stream_;
  std::size_t open_events_ = 0;
  StreamTableReads table_reads_;
  Measured measured_graphics_;
  Measured measured_compute_;
  /// What a command of a bundle has bound.
  struct SetInBundle {
    RootArguments arguments;
    bool dispatches;
  };
  std::vector<At<SetInBundle>> set_in_bundle_;
  std::vector<At<Effect>> effects_;
  std::vector<At<Predicate>> predicates_;
  std::vector<At<Indirect>> indirects_;
  std::vector<At<Bytes>> timestamps_;  // by slot
  std::vector<At<Bytes>> discards_;
  StateSteps states_;
  StateSteps::Tell tell_;
  TypeClass type_class_ = TypeClass::graphics;
  bool watched_ = false;
  Accesses accesses_;
  std::vector<At<Query>> queries_;                               // by the command that ends each
  std::vector<std::shared_ptr<const BackBuffer>> back_buffers_;  // written, each once
  std::unique_ptr<Breadcrumbs> breadcrumbs_;
  MemoryBindings memory_bindings_;
  std::optional<bool> uses_found_;                            // once they are: of each use or not
  bool uses_tiles_ = false;                                   // of reserved resources, when they were found
  std::vector<std::shared_ptr<PageableMemory>> used_memory_;  // by what is bound: their numbers stay
  mutable std::atomic<std::size_t> executions_{0};
};

}  // namespace fenceline::d3d12

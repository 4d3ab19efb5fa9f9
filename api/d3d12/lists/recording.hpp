// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/d3d12/bytes/effect.hpp"
#include "api/d3d12/debug/breadcrumbs.hpp"
#include "api/d3d12/hazards/accesses.hpp"
#include "api/d3d12/lists/draw_counts.hpp"
#include "api/d3d12/pipelines/draw_estimate.hpp"
#include "api/d3d12/resources/back_buffer.hpp"
#include "api/d3d12/states/state_steps.hpp"
#include "engines/command/command.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace fenceline::d3d12 {

class Hazards;

/// A region of a command allocator: the commands of one list and what they do to bytes. Immutable once its list is
/// closed; packets under way keep it. Recording again into the same one allocates nothing until it outgrows itself.
class Recording final : public CommandEffects {
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

  CommandStream& stream() { return stream_; }
  const CommandStream& stream() const { return stream_; }
  void add(const Command& command) { stream_.commands.push_back(command); }
  void add(const Command& command, Effect effect);
  void add_predication(const Predicate* predicate);
  void add_indirect(const Indirect& indirect, bool arguments_in_host);
  /// A time stamp into 8 bytes.
  void add_timestamp(Bytes to);
  /// What it needs of resources' states is held against them when it has been executed, by a queue of that class.
  void check_states(TypeClass by, StateSteps::Tell tell);
  /// Nothing unless check_states was called.
  StateSteps* states() { return tell_ ? &states_ : nullptr; }
  /// What it accesses is wanted, and told to those when it has been executed.
  void watch(Hazards* hazards) { hazards_ = hazards; }
  /// Null unless it is watched.
  Accesses* accesses() { return hazards_ != nullptr ? &accesses_ : nullptr; }
  /// It writes that buffer of a swap chain; null: of none.
  void add_back_buffer(const std::shared_ptr<const BackBuffer>& buffer);
  const std::vector<std::shared_ptr<const BackBuffer>>& back_buffers() const { return back_buffers_; }
  /// Null: none are recorded.
  void set_breadcrumbs(std::unique_ptr<Breadcrumbs> breadcrumbs) { breadcrumbs_ = std::move(breadcrumbs); }
  Breadcrumbs* breadcrumbs() { return breadcrumbs_.get(); }
  const Breadcrumbs* breadcrumbs() const { return breadcrumbs_.get(); }
  /// The end of a query. Its result is there when the front end has come so far.
  void add_query(const Command& end, Query query);
  /// Everything that the other one records, once more, with its draws over a viewport of so many pixels.
  void append(const Recording& bundle, std::uint64_t viewport_pixels);

  /// What a machine executes: the stream, which does what was recorded. Keeps the recording, and counts as an execution
  /// until it is given back.
  static std::shared_ptr<const CommandStream> executable(const std::shared_ptr<Recording>& recording);
  std::size_t executions() const { return executions_; }

  void complete(std::size_t command) override;
  void ran(std::size_t command, std::uint64_t start_ps, std::uint64_t end_ps) override;
  void skip(std::size_t command) override;
  bool skips(std::size_t command) override;
  const IndirectCall* call(std::size_t command) override;
  void finish() override;
  void timestamp(std::uint32_t slot, std::uint64_t at_ps) override;

 private:
  /// An effect takes place once everything that was recorded before it has: commands overlap in time, but D3D12's
  /// copies and clears of one list are in order.
  struct Step {
    enum class State : std::uint8_t { waits, skipped, complete };
    Effect effect;
    State state = State::waits;
  };
  template <class T>
  struct At {
    std::size_t command;
    T what;
  };
  template <class T>
  static T* find(std::vector<At<T>>& list, std::size_t command);
  void settle(std::size_t command, Step::State state);
  void answer(const Query& query, std::size_t end) const;
  void ran_now(std::size_t command);

  CommandStream stream_;
  std::vector<At<Step>> effects_;
  std::size_t next_effect_ = 0;  // of the execution under way
  std::vector<At<Predicate>> predicates_;
  std::vector<At<Indirect>> indirects_;
  std::vector<At<Bytes>> timestamps_;                 // by slot
  std::vector<std::unique_ptr<IndirectCall>> calls_;  // as found at their execution
  StateSteps states_;
  StateSteps::Tell tell_;
  TypeClass type_class_ = TypeClass::graphics;
  Hazards* hazards_ = nullptr;
  Accesses accesses_;
  std::vector<At<Query>> queries_;               // by the command that ends each
  std::vector<std::size_t> skipped_;             // commands that a predicate skipped, where there are queries
  std::vector<At<DrawCounts>> indirect_counts_;  // what ExecuteIndirect ran, where there are queries
  std::vector<std::shared_ptr<const BackBuffer>> back_buffers_;  // written, each once
  std::unique_ptr<Breadcrumbs> breadcrumbs_;
  std::atomic<std::size_t> executions_{0};
};

}  // namespace fenceline::d3d12

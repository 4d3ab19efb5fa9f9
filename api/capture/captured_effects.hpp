// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/capture/captured_outcomes.hpp"
#include "engines/command/command_effects.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace fenceline {

/// Notes what predicates and indirect arguments come to in an execution, and passes everything on.
class CapturedEffects final : public CommandEffects {
 public:
  /// `outcomes` are those that are known before.
  CapturedEffects(std::shared_ptr<const CommandStream> stream, std::shared_ptr<CommandEffects> effects,
                  CapturedOutcomes outcomes)
      : stream_(std::move(stream)), effects_(std::move(effects)), outcomes_(std::move(outcomes)) {}

  /// The stream, which stays as it is once this has finished.
  std::shared_ptr<const CommandStream> kept_stream() const {
    return finished_ ? stream_ : std::make_shared<const CommandStream>(*stream_);
  }
  const CapturedOutcomes& outcomes() const { return outcomes_; }
  /// What the command has come to do to bytes.
  void add_effects(std::size_t command, nlohmann::json effects) { outcomes_.effects[command] = std::move(effects); }
  bool finished() const { return finished_; }  ///< all outcomes are there

  void ended(std::size_t command) override { effects_->ended(command); }
  void ran(std::size_t command, std::uint64_t start_ps, std::uint64_t end_ps) override {
    effects_->ran(command, start_ps, end_ps);
  }
  void skip(std::size_t command) override { effects_->skip(command); }
  bool skips(std::size_t command) override {
    const bool answer = effects_->skips(command);
    outcomes_.skips[command] = answer;
    return answer;
  }
  const IndirectCall* call(std::size_t command) override {
    const IndirectCall* const answer = effects_->call(command);
    if (answer != nullptr) outcomes_.calls[command] = *answer;
    return answer;
  }
  PipelineVariant variant(std::size_t command, const Command& begins) override {
    const PipelineVariant answer = effects_->variant(command, begins);
    CapturedVariant& captured = outcomes_.variants[command].emplace_back();
    if (answer.compute != nullptr) captured.compute = *answer.compute;
    if (answer.graphics != nullptr) captured.graphics = *answer.graphics;
    return answer;
  }
  void finish() override {
    effects_->finish();
    finished_ = true;
    // The program may record anew what is not executing any more: from here on this has a copy, and holds nothing.
    stream_ = std::make_shared<const CommandStream>(*stream_);
    effects_.reset();
  }
  void timestamp(std::uint32_t slot, std::uint64_t at_ps) override { effects_->timestamp(slot, at_ps); }

 private:
  std::shared_ptr<const CommandStream> stream_;
  std::shared_ptr<CommandEffects> effects_;
  CapturedOutcomes outcomes_;
  bool finished_ = false;
};

}  // namespace fenceline

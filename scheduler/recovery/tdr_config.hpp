// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/policies/scheduling_policy.hpp"
#include "sim/config/described.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace fenceline {

/// TdrLevel: what a timeout leads to.
enum class TdrLevel : std::uint8_t {
  off,       ///< nothing times out
  bugcheck,  ///< the run ends
  recover,   ///< the engine is reset, or the adapter
};
constexpr EnumNames<TdrLevel, 3> enum_names(TdrLevel) {
  return {{{TdrLevel::off, "off"}, {TdrLevel::bugcheck, "bugcheck"}, {TdrLevel::recover, "recover"}}};
}

/// SupportPerEngineTDR, and how DxgkDdiResetEngine goes.
enum class EngineResets : std::uint8_t { supported, unsupported, fails };
constexpr EnumNames<EngineResets, 3> enum_names(EngineResets) {
  return {{{EngineResets::supported, "supported"},
           {EngineResets::unsupported, "unsupported"},
           {EngineResets::fails, "fails"}}};
}

/// TdrDebugMode.
enum class TdrDebugMode : std::uint8_t {
  ignore,          ///< a timeout is told of and nothing is done
  recover,         ///< within the limits
  recover_always,  ///< without limits
};
constexpr EnumNames<TdrDebugMode, 3> enum_names(TdrDebugMode) {
  return {{{TdrDebugMode::ignore, "ignore"},
           {TdrDebugMode::recover, "recover"},
           {TdrDebugMode::recover_always, "recover_always"}}};
}

/// Timeout detection and recovery (docs/recovery.md). Source of the defaults: TDR registry keys, windows-driver-docs.
struct TdrConfig {
  std::string source;
  std::optional<TdrLevel> level;  ///< unset: recover with the policy wddm, else off
  double delay_us = 2e6;          ///< TdrDelay
  double too_long_us = 2e6;       ///< 0: never
  double dependent_wait_us = 5e5;
  EngineResets engine_reset = EngineResets::supported;
  double engine_reset_us = 1000;
  double adapter_reset_us = 1e5;
  double threads_leave_us = 0;
  double ddi_delay_us = 5e6;      ///< TdrDdiDelay
  std::uint32_t limit_count = 5;  ///< TdrLimitCount
  double limit_time_us = 6e7;     ///< TdrLimitTime
  TdrDebugMode debug_mode = TdrDebugMode::recover;
};
void describe(Fields& f, TdrConfig& c);

/// The level that counts where the configuration leaves it open.
TdrLevel level_of(const TdrConfig& config, SchedulingPolicy policy);

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#include "scheduler/recovery/tdr_config.hpp"

#include "sim/config/fields.hpp"

namespace fenceline {

void describe(Fields& f, TdrConfig& c) {
  f.about("timeout detection and recovery: what happens when an engine does not stop");
  const Range microseconds = between(0, 1e9);
  f.optional("source", c.source, "where the numbers are from");
  f.optional("level", c.level,
             "what a timeout leads to (TdrLevel); absent: recover with the scheduler's policy wddm, else off");
  f.optional("delay_us", c.delay_us,
             "how long a request to preempt may go unanswered (TdrDelay); the policy xe has "
             "/scheduler/preemption_timeout_us instead",
             microseconds);
  f.optional("too_long_us", c.too_long_us,
             "a packet that has run so long is asked to stop, also if nobody waits; 0: never", microseconds);
  f.optional("dependent_wait_us", c.dependent_wait_us,
             "how long engines that a reset takes along may take to stop before it (DxgkDdiQueryDependentEngineGroup)",
             microseconds);
  f.optional("engine_reset", c.engine_reset,
             "unsupported: the whole adapter is reset at once (SupportPerEngineTDR); fails: it is once the reset of an "
             "engine has failed");
  f.optional("engine_reset_us", c.engine_reset_us, "until DxgkDdiResetEngine has returned", microseconds);
  f.optional("adapter_reset_us", c.adapter_reset_us,
             "until DxgkDdiResetFromTimeout and DxgkDdiRestartFromTimeout have returned", microseconds);
  f.optional("threads_leave_us", c.threads_leave_us,
             "how long CPU threads need to leave the driver before the adapter is reset", microseconds);
  f.optional("ddi_delay_us", c.ddi_delay_us,
             "how long they may need (TdrDdiDelay): with more the run ends, as with limit_count", microseconds);
  f.optional("limit_count", c.limit_count,
             "timeouts with a reset of the adapter that are borne in less than limit_time_us (TdrLimitCount): one more "
             "ends the run; a process is blocked after as many resets of engines",
             between(0, 1000));
  f.optional("limit_time_us", c.limit_time_us, "see limit_count (TdrLimitTime)", between(0, 1e12));
  f.optional("debug_mode", c.debug_mode,
             "ignore: timeouts are told of and nothing is done; recover_always: limit_count counts nothing "
             "(TdrDebugMode)");
}

TdrLevel level_of(const TdrConfig& config, SchedulingPolicy policy) {
  return config.level.value_or(policy == SchedulingPolicy::wddm ? TdrLevel::recover : TdrLevel::off);
}

}  // namespace fenceline

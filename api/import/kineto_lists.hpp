// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/import/kineto_trace.hpp"

#include <cstdint>
#include <vector>

namespace fenceline {

// How a trace's operations were submitted. Times that say so, in nanoseconds; the gaps behind them were measured on
// an H200 (bench/hardware/README.md and the sources of configs/machines/h200.json).

/// Idle time of a stream up to which an operation was waiting in the stream already: a new launch follows on within
/// 1.5 to 2 us.
constexpr std::int64_t follow_gap_ns = 3'000;
/// Idle time of a stream up to which an operation waited for another stream, where an engine changes: kernel to
/// copy 4.8 us, copy to kernel 7.6 us, an event of another stream about 6.
constexpr std::int64_t engine_gap_ns = 10'000;
/// Operations whose launching call is not known make one list while they follow each other within this.
constexpr std::int64_t list_gap_ns = 1'000;
/// Idle time of a stream from which on the host is taken to have waited for the GPU before it submitted more.
constexpr std::int64_t host_wait_ns = 20'000;

struct KinetoStream {
  std::uint32_t context = 0;
  std::uint64_t stream = 0;
};

/// What was submitted as one: a graph replay, or one operation.
struct KinetoList {
  std::uint32_t stream = 0;          ///< index into KinetoSchedule::streams
  std::vector<std::uint32_t> ops;    ///< indices into KinetoTrace::ops, in order of their start
  std::vector<std::uint32_t> waits;  ///< earlier lists, of other streams, that were complete before it began
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;   ///< of the operation that ended last
  std::int64_t idle_ns = 0;  ///< of its stream and of what it waits for, before it began; negative: it overlapped
  bool first = false;        ///< of its stream
  std::uint32_t region = 0;  ///< in which it was launched: index into KinetoTrace::regions
};

/// Streams, and lists in the order of their start.
///
/// Consecutive operations of a stream with one correlation (a graph replay) are one list, as far as the stream was not
/// idle for `host_wait_ns` between them; where the correlation is not known, those that follow each other within
/// `list_gap_ns`. A list is cut before an operation that waits for another
/// stream and after one that is waited for.
///
/// Dependencies between streams are those that the trace states: an event of category cuda_sync (or a
/// cudaStreamWaitEvent) with wait_on_stream and wait_on_cuda_event_record_corr_id makes the first operation launched
/// on its stream after it wait for the last one launched on the other stream before the event was recorded, where
/// "before" compares correlations. A stated dependency that the times contradict is dropped. Only in a trace that
/// states none at all they are inferred: an operation waits for the operation of another stream that ended last before
/// it began, if that was at most `engine_gap_ns` earlier, its own stream had been idle at that end and for longer than
/// `follow_gap_ns`, and both stand at the borders of their launches: nothing waits in the middle of a graph. Of several
/// streams that it really joined, that finds the last; a wait found wrongly holds in the measured order all the same.
struct KinetoSchedule {
  std::vector<KinetoStream> streams;  ///< by context and number
  std::vector<KinetoList> lists;
  std::uint64_t stated = 0;    ///< dependencies from the trace
  std::uint64_t inferred = 0;  ///< dependencies from times
};
KinetoSchedule schedule_of(const KinetoTrace& trace);

/// Operation by operation: from when on it had its stream for itself. Its start, or, if it began while an earlier one
/// of its stream still ran (programmatic dependent launch), that one's end, but never beyond its own end.
std::vector<std::int64_t> own_starts(const KinetoTrace& trace, const KinetoSchedule& schedule);

}  // namespace fenceline

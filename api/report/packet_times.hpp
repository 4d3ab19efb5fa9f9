// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/log.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace fenceline {

/// When a command list that a queue executed ran. Simulated time in picoseconds; `_us` are microseconds. Until the
/// packet is complete only `packet`, `queue`, `submitted_ps` and `pieces` are known, the others are 0 or empty.
struct PacketTime {
  /// From, to, picoseconds.
  using Piece = std::pair<std::uint64_t, std::uint64_t>;

  std::uint64_t packet = 0;                       ///< its number, as Machine::execute returned it
  std::string queue;                              ///< name of the queue
  std::string list;                               ///< name of the command list
  std::uint64_t submitted_ps = 0;                 ///< the queue was told to execute it
  std::uint64_t started_ps = 0;                   ///< its first command began
  std::uint64_t finished_ps = 0;                  ///< its last command was done
  std::uint64_t completed_ps = 0;                 ///< the scheduler had learned of that
  std::uint64_t preempted_ps = 0;                 ///< between start and finish: stopped, and not yet gone on
  std::uint64_t preemptions = 0;                  ///< times it came back from the hardware unfinished
  std::uint64_t dma_pieces = 0;                   ///< of its list that were submitted: more than one where it is split
  std::vector<Piece> pieces;                      ///< when it was on its engine, without those that took no time
  bool complete = false;                          ///< it has run to its end
  PacketStatus status = PacketStatus::completed;  ///< how it ended, if it has
  bool ended = false;                             ///< it has, however

  /// From its submission until its first command began: behind others of its queue, for fences, for the engine.
  std::uint64_t waited_ps() const { return started_ps - submitted_ps; }
  /// On the engine, without the time for which it was stopped.
  std::uint64_t ran_ps() const { return finished_ps - started_ps - preempted_ps; }

  /// started_ps in microseconds.
  double start_us() const { return us(started_ps); }
  /// finished_ps in microseconds.
  double end_us() const { return us(finished_ps); }
  /// waited_ps in microseconds.
  double waited_us() const { return us(waited_ps()); }
  /// ran_ps in microseconds.
  double ran_us() const { return us(ran_ps()); }
  /// preempted_ps in microseconds.
  double preempted_us() const { return us(preempted_ps); }

 private:
  static double us(std::uint64_t ps) { return static_cast<double>(ps) / 1e6; }
};

/// Keeps when every command list ran, to be asked by name or by the number that Machine::execute returned. For tests
/// and programs that look at their own runs:
///
///     PacketTimes times(machine.log());
///     const auto packet = machine.execute(queue, stream);
///     machine.run();
///     times.of_packet(packet).waited_us();
///
/// Memory grows with every packet.
class PacketTimes final : public LogSink {
 public:
  /// For whoever attaches it: as RunOptions::progress it hears of a workload's run.
  PacketTimes() = default;
  /// Listens to the log, which outlives it, until it is destroyed. What ran before is not known.
  explicit PacketTimes(EventLog& log);
  ~PacketTimes() override;
  PacketTimes(const PacketTimes&) = delete;
  PacketTimes& operator=(const PacketTimes&) = delete;

  /// All that were submitted, in this order.
  const std::vector<PacketTime>& all() const { return times_; }
  /// The packets of one queue, in the order submitted; empty for a queue that has executed nothing.
  std::vector<PacketTime> of_queue(const std::string& queue) const;
  /// Of a list that was executed several times the n-th, from 0, of those that are complete, in the order submitted.
  /// Throws std::out_of_range, which names the lists that are complete.
  const PacketTime& of_list(const std::string& list, std::size_t n = 0) const;
  /// Throws std::out_of_range.
  const PacketTime& of_packet(std::uint64_t packet) const;

  void queued(const EventLog& log, const QueuedRecord& queued) override;
  void span(const EventLog& log, const Span& span) override;
  void packet(const EventLog& log, const PacketRecord& record) override;

 private:
  /// Its place in times_; their number where it is not there.
  std::size_t place_of(std::uint64_t packet) const;

  EventLog* log_ = nullptr;
  std::vector<PacketTime> times_;  // numbers grow
};

}  // namespace fenceline

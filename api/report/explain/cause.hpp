// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace fenceline {

/// Why a packet was not done at some time, a CPU thread had not come further, or a deadline's fence was not there.
enum class CauseKind : std::uint8_t {
  not_submitted,   ///< no CPU thread had queued it
  behind_queue,    ///< an earlier packet of its queue was not complete
  fence,           ///< it waits for a fence that a queue signals
  fence_by_cpu,    ///< it waits for a fence that a CPU thread raises
  screen,          ///< it waits for a frame to come on screen
  never,           ///< it waits for a fence that nobody brings there
  engine_busy,     ///< its node ran, or had before it in a hardware queue, another packet
  moves_state,     ///< its node saved, switched or restored state
  process_switch,  ///< its node was being switched to a process
  process_turn,    ///< it was another process's turn there, or that was being stopped
  paging,          ///< memory of its process was still moving, or had to before
  room,            ///< what would have to make room in video memory was in use
  hearing,         ///< its fence had the value, and its queue had not yet heard of it
  launching,     ///< nothing was in its way: it was being launched, or the scheduler had not yet heard that it could be
  preempted,     ///< it was stopped for another one
  running,       ///< it ran: the end of a chain
  no_place,      ///< the same, without a place on the shader array, which another packet had
  completing,    ///< it was done, and the scheduler had not yet heard of it
  reset,         ///< a reset was ending it, or its device was being removed
  removed,       ///< it waits for a fence that nobody brought there but the removal of a device
  hung,          ///< it ran, and had come to a command that never ends
  complete,      ///< it was complete
  works,         ///< the thread computed
  sleeps,        ///< the thread slept
  waits,         ///< the thread waited for something that is no fence
  calls,         ///< the thread was in calls
  not_signalled  ///< a deadline's fence: a CPU thread had not signalled it
};
const char* name_of(CauseKind kind);

constexpr const char* thread_link = "CPU thread";  ///< Cause::what of a CPU thread's link

/// A link of a chain.
struct Cause {
  CauseKind kind;
  std::uint64_t packet = 0;     ///< that was not done; 0: the link is a CPU thread's, or a deadline's
  std::string queue;            ///< its queue; else the thread, or the deadline
  std::string what;             ///< "list x", "signal f 3", ...; "CPU thread"; of a deadline its fence
  std::string by;               ///< engine, fence, resource, process: what it waits for; empty: nothing
  std::uint64_t by_packet = 0;  ///< the packet behind that, of which the next link is; 0: none
  std::string by_thread;        ///< the CPU thread behind that, of which the next link is; empty: none
  std::uint64_t until_ps = 0;   ///< it was so until then; 0: to the end of the run
  std::string status;           ///< complete, reset: how it ended, if not by being done
  std::string attempt;          ///< result of the last attempt to stop what ran; empty: none was made
  std::uint64_t attempt_ps = 0;
  std::string drained_to;        ///< the level at which what ran stopped for that; empty: it did not
  std::uint64_t drained_ps = 0;  ///< when it did, or had come to its end before; 0: it did not
  std::string turn;  ///< engine_busy: the process whose turn it was there, another one; room: the process for which it
                     ///< has to be found first, another one; empty: none
  std::uint64_t turn_ps = 0;  ///< its turn was over then; 0: it never was
  std::string frame;          ///< screen: which frame of what swap chain on what output
  std::string then;           ///< of a thread: what it did behind that, up to what it was waited for; empty: nothing
};

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#include "engines/hardware_queue/front_end.hpp"

#include <algorithm>

namespace fenceline {

void FrontEnd::take(const DmaPacket& packet) {
  *this = FrontEnd();
  credit_ps_ = packet.cursor.front_end_ps;
}

void FrontEnd::stop(DmaPacket& packet, std::uint64_t now_ps) {
  rest(now_ps);
  packet.cursor.front_end_ps = worked_ps_ + credit_ps_;
}

void FrontEnd::advance(Cursor& cursor) {
  cursor.front_end_ps = worked_ps_ = credit_ps_ = 0;
  if (repeats_) {
    if (++cursor.inner < cursor.call->count) return;
    repeats_ = false;
    cursor.inner = 0;
  }
  cursor.entered = false;
  ++cursor.command;
}

std::uint64_t FrontEnd::work(State what, std::uint64_t now_ps, std::uint64_t end_ps) {
  const std::uint64_t done_ps = std::min(end_ps - now_ps, credit_ps_);
  credit_ps_ -= done_ps;
  worked_ps_ += done_ps;
  working_ps_ = now_ps;
  state_ = what;
  return end_ps - done_ps;
}

void FrontEnd::rest(std::uint64_t now_ps) {
  if (state_ == State::fetching || state_ == State::reading) worked_ps_ += now_ps - working_ps_;
  state_ = State::ready;
}

}  // namespace fenceline

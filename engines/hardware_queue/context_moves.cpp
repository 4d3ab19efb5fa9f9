// SPDX-License-Identifier: Apache-2.0
#include "engines/hardware_queue/context_moves.hpp"

#include "sim/duration.hpp"
#include "sim/kernel/now.hpp"

namespace fenceline {

void ContextMoves::load(DmaPacket& packet, std::uint64_t launch_ps) {
  loading_ = &packet;
  launch_ps_ = launch_ps;
  if (packet.load.saves == 0) {
    launch();
    return;
  }
  since_ps_ = now_ps();
  const std::uint64_t begins_ps = now_ps() + ps_of_us(engine_.config.context_state.save_us);
  engine_.agenda.at<&ContextMoves::save_left>(begins_ps, this, move_);
}

void ContextMoves::save_left(std::uint64_t move) {
  if (move != move_) return;
  const std::uint64_t bytes = engine_.config.context_state.bytes;
  if (bytes == 0) {
    left_saved(move);
  } else {
    engine_.executor.move_state(bytes, Callback::to<&ContextMoves::left_saved>(this, move));
  }
}

void ContextMoves::left_saved(std::uint64_t move) {
  if (move != move_) return;
  engine_.log.moved(SpanKind::save, since_ps_, loading_->load.saves);
  launch();
}

void ContextMoves::launch() {
  since_ps_ = now_ps() + launch_ps_;
  engine_.agenda.at<&ContextMoves::switched>(since_ps_ + loading_->load.switch_ps, this, move_);
}

void ContextMoves::switched(std::uint64_t move) {
  if (move != move_) return;
  if (loading_->load.switch_ps > 0) engine_.log.moved(SpanKind::context_switch, since_ps_, loading_->id);
  if (loading_->load.restores) {
    since_ps_ = now_ps();
    const std::uint64_t begins_ps = now_ps() + ps_of_us(engine_.config.context_state.restore_us);
    engine_.agenda.at<&ContextMoves::restore_bytes>(begins_ps, this, move_);
  } else {
    loaded_();
  }
}

void ContextMoves::restore_bytes(std::uint64_t move) {
  if (move != move_) return;
  StateBytes& restored_bytes = loading_->load.restored;
  restored_bytes = loading_->state();
  restored_bytes.context = engine_.config.context_state.bytes;
  if (restored_bytes.total() == 0) {
    restored(move);
  } else {
    engine_.executor.move_state(restored_bytes.total(), Callback::to<&ContextMoves::restored>(this, move));
  }
}

void ContextMoves::restored(std::uint64_t move) {
  if (move != move_) return;
  loading_->load.restore_ps = now_ps() - since_ps_;
  engine_.log.moved(SpanKind::restore, since_ps_, loading_->id);
  loaded_();
}

void ContextMoves::save(const DmaPacket& packet, PreemptionReport& report) {
  saving_ = &packet;
  report_ = &report;
  if (packet.begun() && !packet.turned_back) {
    const std::uint64_t begins_ps = now_ps() + ps_of_us(engine_.config.context_state.save_us);
    engine_.agenda.at<&ContextMoves::save_bytes>(begins_ps, this, move_);
  } else {
    saved(move_);
  }
}

void ContextMoves::save_bytes(std::uint64_t move) {
  if (move != move_) return;
  report_->saved = saving_->state();
  report_->saved.context = engine_.config.context_state.bytes;
  report_->saved_bytes = report_->saved.total();
  if (report_->saved_bytes == 0) {
    saved(move);
  } else {
    engine_.executor.move_state(report_->saved_bytes, Callback::to<&ContextMoves::saved>(this, move));
  }
}

void ContextMoves::saved(std::uint64_t move) {
  if (move != move_) return;
  report_->free_ps = now_ps();
  engine_.log.moved(SpanKind::save, report_->stopped_ps, saving_->id);
  saved_();
}

}  // namespace fenceline

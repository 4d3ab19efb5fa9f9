// SPDX-License-Identifier: Apache-2.0
#include "api/report/preemption_rows.hpp"

#include <algorithm>
#include <iterator>

namespace fenceline {

std::uint64_t PreemptionRow::restore_wait_ps() const {
  // The engine counts from the first of the requests that one answer is for.
  const std::uint64_t restored_ps = answer->requested_ps + answer->restore_wait_ps;
  return restored_ps - std::min(restored_ps, request.at_ps);
}

std::uint64_t PreemptionRow::drain_ps() const { return answer->stopped_ps - request.at_ps - restore_wait_ps(); }

void PreemptionRows::ready(const ReadyRecord& record) {
  packets_.ready(record);
  turns_.ready(record.packet);
}

void PreemptionRows::attempt(const AttemptRecord& record, std::string_view result) {
  turns_.attempt(record, result, pair_of(record.waiting_packet, record.running_packet));
}

void PreemptionRows::submission(const SubmissionRecord& record) {
  packets_.submission(record);
  in_hardware_[{record.node, record.hardware_queue}].push_back(record.packet);
}

void PreemptionRows::interrupt(const InterruptRecord& record) {
  const Queue queue{record.node, record.hardware_queue};
  std::deque<std::uint64_t>& packets = in_hardware_[queue];
  if (record.type == InterruptType::dma_completed && !packets.empty()) packets.pop_front();
  if (record.type != InterruptType::dma_preempted) return;
  if (PreemptionRow* row = unanswered(record.node, record.hardware_queue); row != nullptr && !packets.empty()) {
    const bool named = std::find(packets.begin(), packets.end(), row->victim.packet) != packets.end();
    if (!named) row->victim = party_of(packets.front());
    goes_on_.emplace(row->victim.packet, asked_[queue].back());
  }
  packets.clear();
}

void PreemptionRows::request(const PreemptionRequest& request) {
  const std::uint64_t number = taken_ + rows_.size();
  PreemptionRow row;
  row.request = request;
  row.victim = party_of(request.victim_packet);
  row.beneficiary = party_of(request.beneficiary_packet);
  if (request.beneficiary_packet != 0) {
    const PacketUnderWay* packet = packets_.find(request.beneficiary_packet);
    if (packet != nullptr) row.ready_ps = packet->ready_ps;
    goes_on_.emplace(request.beneficiary_packet, number);
  }
  turns_.request(request, pair_of(request.beneficiary_packet, request.victim_packet));
  row.turns = turns_.of(request.beneficiary_packet, request.at_ps);
  if (request.reason == PreemptionReason::floor) add_floor_wait(row);
  if (PreemptionRow* before = unanswered(request.node, request.hardware_queue)) {
    before->deepened = true;
    before->turns = turns_.of(before->request.beneficiary_packet, request.at_ps);
  }
  asked_[{request.node, request.hardware_queue}].push_back(number);
  rows_.push_back(row);
}

/// What it waited until its band had its part of the time, but for turns and graces: what was of a higher rank went
/// before it because the band had not.
void PreemptionRows::add_floor_wait(PreemptionRow& row) const {
  if (!row.ready_ps) return;
  TurnWait wait{TurnKnob::floor, row.beneficiary.context, 0, row.request.at_ps - *row.ready_ps};
  const auto is_rank = [](const TurnWait& turn) { return turn.knob == TurnKnob::rank; };
  row.turns.erase(std::remove_if(row.turns.begin(), row.turns.end(), is_rank), row.turns.end());
  for (const TurnWait& turn : row.turns) wait.waited_ps -= std::min(wait.waited_ps, turn.waited_ps);
  add_wait(row.turns, wait);
}

void PreemptionRows::preemption(const PreemptionRecord& record) {
  const auto asked = asked_.find({record.node, record.hardware_queue});
  if (asked == asked_.end()) return;
  for (const std::uint64_t number : asked->second) rows_[number - taken_].answer = record;
  asked_.erase(asked);
}

void PreemptionRows::span(const Span& span) {
  if (span.id == 0) return;
  if (span.kind == SpanKind::packet) piece(span);
  if (moves_state(span.kind)) moved(span);
}

/// A packet has run for a while.
void PreemptionRows::piece(const Span& span) {
  const PacketUnderWay* packet = packets_.find(span.id);
  for (auto waiting = goes_on_.lower_bound(span.id); waiting != goes_on_.end() && waiting->first == span.id;) {
    PreemptionRow& row = rows_[waiting->second - taken_];
    if (row.beneficiary.packet != span.id) {
      row.resumed = PreemptionRow::Resume{packet == nullptr ? 0 : packet->submission_fence_id, span.start_ps};
    } else if (span.start_ps >= row.request.at_ps) {
      row.beneficiary_started_ps = span.start_ps;
    } else {
      row.beside = true;
      row.ready_ps.reset();
    }
    waiting = goes_on_.erase(waiting);
  }
  if (!span.stopped || packet == nullptr) return;
  if (PreemptionRow* row = unanswered(packet->node, packet->hardware_queue)) {
    row->stopped_inside = true;
    if (row->victim.packet == 0) row->victim = party_of(span.id);
  }
}

/// Something of a packet's context was moved before the packet goes on.
void PreemptionRows::moved(const Span& span) {
  const std::uint64_t took_ps = span.end_ps - span.start_ps;
  const auto [first, last] = goes_on_.equal_range(span.id);
  bool restored = false;
  for (auto waiting = first; waiting != last; ++waiting) {
    PreemptionRow& row = rows_[waiting->second - taken_];
    const bool victim = row.beneficiary.packet != span.id;
    if (span.kind == SpanKind::context_switch) (victim ? row.resume_switch_ps : row.beneficiary_switch_ps) += took_ps;
    if (span.kind != SpanKind::restore || !victim || !row.stopped_inside || restored) continue;
    row.restore_ps += took_ps;  // that of the stop at which its state was saved
    restored = true;
  }
}

void PreemptionRows::packet(const PacketRecord& record) {
  packets_.packet(record);
  turns_.gone(record.id);
}

std::optional<PreemptionRow> PreemptionRows::take_settled() {
  return rows_.empty() || !is_settled(rows_.front()) ? std::nullopt : take();
}

std::optional<PreemptionRow> PreemptionRows::take() {
  if (rows_.empty()) return {};
  const PreemptionRow row = rows_.front();
  for (const std::uint64_t packet : {row.victim.packet, row.beneficiary.packet}) {
    for (auto waiting = goes_on_.lower_bound(packet); waiting != goes_on_.end() && waiting->first == packet;) {
      waiting = waiting->second == taken_ ? goes_on_.erase(waiting) : std::next(waiting);
    }
  }
  rows_.pop_front();
  ++taken_;
  return row;
}

PreemptionRow::Party PreemptionRows::party_of(std::uint64_t packet) const {
  const PacketUnderWay* found = packets_.find(packet);
  if (packet == 0 || found == nullptr) return {packet, {}, 0};
  const auto queue = in_hardware_.find({found->node, found->hardware_queue});
  const bool on_node = queue != in_hardware_.end() &&
                       std::find(queue->second.begin(), queue->second.end(), packet) != queue->second.end();
  return {packet, found->context, on_node ? found->submission_fence_id : 0};
}

TurnWaits::Pair PreemptionRows::pair_of(std::uint64_t waiting, std::uint64_t running) const {
  const auto context_of = [this](std::uint64_t packet) {
    const PacketUnderWay* found = packets_.find(packet);
    return found == nullptr ? LogName{} : found->context;
  };
  return {context_of(waiting), context_of(running)};
}

/// The row of the last request to which the hardware queue has not answered.
PreemptionRow* PreemptionRows::unanswered(LogName node, std::uint32_t queue) {
  const auto found = asked_.find({node, queue});
  return found == asked_.end() ? nullptr : &rows_[found->second.back() - taken_];
}

/// Nothing more will be heard of it.
bool PreemptionRows::is_settled(const PreemptionRow& row) const {
  if (!row.answer) return false;
  const auto gone = [this](const PreemptionRow::Party& party) {
    return party.packet == 0 || packets_.find(party.packet) == nullptr;
  };
  const bool started = row.beneficiary_started_ps || row.beside || gone(row.beneficiary);
  return started && (row.deepened || row.answer->packets == 0 || row.resumed || gone(row.victim));
}

}  // namespace fenceline

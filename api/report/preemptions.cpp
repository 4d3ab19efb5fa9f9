// SPDX-License-Identifier: Apache-2.0
#include "api/report/preemptions.hpp"

#include "api/report/csv_row.hpp"

#include <string_view>

namespace fenceline {
namespace {

constexpr std::string_view preemptions_header =
    "node,hardware_queue,preemption_fence_id,reason,outcome,level_asked,level_reached,packets,"
    "victim,victim_packet,victim_fence_id,victim_new_fence_id,beneficiary,beneficiary_packet,"
    "ready_us,requested_us,stopped_us,free_us,known_us,beneficiary_started_us,resumed_us,"
    "wait_us,restore_wait_us,drain_us,save_us,switch_us,resume_switch_us,restore_us,"
    "saved_bytes,saved_context_bytes,saved_register_bytes,saved_shared_bytes,saved_thread_bytes\n";

/// What the answer says, in a word.
const char* outcome_of(const PreemptionRow& row) {
  if (!row.answer) return "unanswered";          // the run ended before
  if (row.deepened) return "deepened";           // the next row of its id says more
  if (row.answer->packets == 0) return "ended";  // all of it had, or ran to its end meanwhile
  return row.stopped_inside ? "stopped" : "withheld";
}

}  // namespace

PreemptionsSink::PreemptionsSink(OutputFile& file) : file_(file) { file_.append(preemptions_header); }

void PreemptionsSink::queued(const EventLog&, const QueuedRecord& queued) { rows_.queued(queued); }

void PreemptionsSink::ready(const EventLog&, const ReadyRecord& ready) { rows_.ready(ready); }

void PreemptionsSink::submission(const EventLog&, const SubmissionRecord& submission) { rows_.submission(submission); }

void PreemptionsSink::interrupt(const EventLog&, const InterruptRecord& interrupt) { rows_.interrupt(interrupt); }

void PreemptionsSink::request(const EventLog&, const PreemptionRequest& request) { rows_.request(request); }

void PreemptionsSink::preemption(const EventLog& log, const PreemptionRecord& preemption) {
  rows_.preemption(preemption);
  write_settled(log);
}

void PreemptionsSink::span(const EventLog&, const Span& span) { rows_.span(span); }

void PreemptionsSink::packet(const EventLog& log, const PacketRecord& packet) {
  rows_.packet(packet);
  write_settled(log);
}

void PreemptionsSink::finish(const EventLog& log, std::uint64_t) {
  while (const auto row = rows_.take()) write(log, *row);
}

void PreemptionsSink::write_settled(const EventLog& log) {
  while (const auto row = rows_.take_settled()) write(log, *row);
}

void PreemptionsSink::write(const EventLog& log, const PreemptionRow& row) {
  CsvRow csv(file_.buffer());
  const auto maybe = [&csv](bool is, auto&& put) {
    if (is) {
      put();
    } else {
      csv.nothing();
    }
  };
  const auto id = [&](std::uint64_t value) { maybe(value != 0, [&] { csv.integer(value); }); };
  const auto time = [&](const std::optional<std::uint64_t>& ps) { csv.time(ps); };
  const PreemptionRequest& request = row.request;
  // What one answer to several requests says of cost stands in the row of the last.
  const bool costs = row.answer && !row.deepened;
  const PreemptionRecord answer = row.answer.value_or(PreemptionRecord{});
  const PreemptionRecord cost = costs ? answer : PreemptionRecord{};
  const auto if_answered = [&](std::uint64_t ps) { time(row.answer ? std::optional(ps) : std::nullopt); };

  csv.text(log.text(request.node)).integer(request.hardware_queue).integer(request.preemption_fence_id);
  csv.text(name_of(request.reason)).text(outcome_of(row));
  csv.text(log.text(answer.level_asked)).text(log.text(cost.level_reached));
  csv.integer(cost.packets);
  csv.text(log.text(row.victim.context));
  id(row.victim.packet);
  id(row.victim.submission_fence_id);
  id(row.resumed ? row.resumed->submission_fence_id : 0);
  csv.text(log.text(row.beneficiary.context));
  id(row.beneficiary.packet);

  time(row.ready_ps);
  csv.time(request.at_ps);
  for (const std::uint64_t ps : {answer.stopped_ps, answer.free_ps, answer.known_ps}) if_answered(ps);
  time(row.beneficiary_started_ps);
  time(row.resumed ? std::optional(row.resumed->started_ps) : std::nullopt);

  csv.time(request.at_ps - row.began_ps());
  time(costs ? std::optional(row.restore_wait_ps()) : std::nullopt);
  time(costs ? std::optional(row.drain_ps()) : std::nullopt);
  time(costs ? std::optional(row.save_ps()) : std::nullopt);
  time(row.beneficiary_started_ps ? std::optional(row.beneficiary_switch_ps) : std::nullopt);
  time(row.resumed ? std::optional(row.resume_switch_ps) : std::nullopt);
  time(row.resumed ? std::optional(row.restore_ps) : std::nullopt);
  csv.integer(cost.saved_bytes);
  const StateBytes& saved = cost.saved;
  for (const std::uint64_t bytes : {saved.context, saved.registers, saved.shared, saved.threads}) csv.integer(bytes);
  csv.end();
  file_.end_record();
}

}  // namespace fenceline

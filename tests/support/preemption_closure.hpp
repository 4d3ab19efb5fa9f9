// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/report/preemption_sink.hpp"
#include "api/report/preemption_stats.hpp"
#include "api/report/preemptions.hpp"
#include "api/report/stats.hpp"
#include "sim/files/output_file.hpp"
#include "sim/log.hpp"
#include "tests/support/csv_reader.hpp"
#include "tests/support/temporary_directory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace fenceline::testing {

/// Hears a run and holds its preemptions.csv against everything else that it heard: rows, statistics and pieces of
/// packets have to say the same.
class PreemptionClosure final : public LogSink {
 public:
  PreemptionClosure() : file_(directory_ / "preemptions.csv"), csv_(file_) {}

  void span(const EventLog& log, const Span& span) override {
    each([&](LogSink& sink) { sink.span(log, span); });
    if (span.stopped && span.kind == SpanKind::packet) {
      stopped_.emplace_back(log.text(span.track), span.id, span.end_ps);
    }
  }
  void packet(const EventLog& log, const PacketRecord& packet) override {
    each([&](LogSink& sink) { sink.packet(log, packet); });
    returns_ += packet.preemptions;
    if (packet.status != PacketStatus::completed) cut_short_.insert(packet.id);
  }
  void queued(const EventLog& log, const QueuedRecord& record) override {
    each([&](LogSink& sink) { sink.queued(log, record); });
    if (record.type == PacketType::wait) waits_.insert(record.packet);
  }
  void ready(const EventLog& log, const ReadyRecord& record) override {
    each([&](LogSink& sink) { sink.ready(log, record); });
    on_node_.erase(record.packet);
  }
  void submission(const EventLog& log, const SubmissionRecord& record) override {
    each([&](LogSink& sink) { sink.submission(log, record); });
    on_node_.insert(record.packet);
  }
  void interrupt(const EventLog& log, const InterruptRecord& record) override {
    each([&](LogSink& sink) { sink.interrupt(log, record); });
  }
  void request(const EventLog& log, const PreemptionRequest& request) override {
    each([&](LogSink& sink) { sink.request(log, request); });
    ++requests_;
    if (on_node_.count(request.beneficiary_packet) > 0) {
      behind_.emplace(log.text(request.node), request.preemption_fence_id, request.beneficiary_packet);
    }
  }
  void preemption(const EventLog& log, const PreemptionRecord& record) override {
    each([&](LogSink& sink) { sink.preemption(log, record); });
    packets_back_ += record.packets;
  }
  void counter(const EventLog& log, const Counter& counter) override {
    each([&](LogSink& sink) { sink.counter(log, counter); });
  }

  /// The run is over, and all of its packets are complete. What does not agree; empty: nothing.
  /// `one_queue`: every node has one hardware queue, so that nobody finds room elsewhere.
  std::string mistake(const EventLog& log, bool one_queue) {
    csv_.finish(log, 0);
    file_.close();
    return mistake_in(CsvTable(contents_of(directory_ / "preemptions.csv")), one_queue);
  }

 private:
  template <class Tell>
  void each(Tell tell) {
    for (LogSink* sink :
         {static_cast<LogSink*>(&csv_), static_cast<LogSink*>(&sums_), static_cast<LogSink*>(&stats_)}) {
      tell(*sink);
    }
  }

  std::string mistake_in(const CsvTable& rows, bool one_queue) const {
    if (rows.size() != requests_) return fmt::format("{} requests and {} rows", requests_, rows.size());
    std::vector<std::tuple<std::string, std::uint64_t, std::uint64_t>> stops;
    std::vector<std::uint64_t> latency;
    std::vector<std::uint64_t> from_request;
    std::vector<std::uint64_t> drain;
    std::vector<std::uint64_t> save;
    std::uint64_t bytes = 0;
    std::uint64_t packets = 0;
    std::uint64_t before_ps = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::string where =
          fmt::format("row {}, request {} of {}: ", i + 1, rows.at(i, "preemption_fence_id"), rows.at(i, "node"));
      const auto in_order = [&](const char* first, const char* second) {
        return !rows.has(i, first) || !rows.has(i, second) || rows.ps(i, first) <= rows.ps(i, second);
      };
      const std::uint64_t requested_ps = rows.ps(i, "requested_us");
      if (requested_ps < before_ps) return where + "requested before the row above";
      before_ps = requested_ps;
      if (!in_order("ready_us", "requested_us")) return where + "requested before the beneficiary was ready";
      const std::uint64_t wait_ps = rows.has(i, "ready_us") ? requested_ps - rows.ps(i, "ready_us") : 0;
      if (rows.ps(i, "wait_us") != wait_ps) return where + "wait_us is not from ready_us to requested_us";
      const std::string& outcome = rows.at(i, "outcome");
      if (outcome == "unanswered") continue;
      for (const auto& [first, second] :
           {std::pair("requested_us", "stopped_us"), {"stopped_us", "free_us"}, {"free_us", "known_us"}}) {
        if (!in_order(first, second)) return where + second + " before " + first;
      }
      if (one_queue && !in_order("known_us", "beneficiary_started_us")) {
        // While the engine stops nothing yet (escalation), what is queued behind the victim may begin, and it is for
        // that.
        const bool was_next = behind_.count({rows.at(i, "node"), rows.number(i, "preemption_fence_id"),
                                             rows.number(i, "beneficiary_packet")}) > 0 &&
                              in_order("beneficiary_started_us", "free_us");
        if (!was_next) return where + "it started before it was known";
      }
      if (!in_order("free_us", "resumed_us")) return where + "the victim went on before it had stopped";
      const std::uint64_t free_ps = rows.ps(i, "free_us");
      latency.push_back(free_ps - requested_ps + wait_ps);
      from_request.push_back(free_ps - requested_ps);
      if (outcome == "deepened") continue;
      drain.push_back(rows.ps(i, "drain_us"));
      save.push_back(rows.ps(i, "save_us"));
      if (rows.ps(i, "restore_wait_us") + drain.back() + save.back() != from_request.back()) {
        return where + "restore_wait_us, drain_us and save_us do not lead to free_us";
      }
      const std::uint64_t parts = rows.number(i, "saved_context_bytes") + rows.number(i, "saved_register_bytes") +
                                  rows.number(i, "saved_shared_bytes") + rows.number(i, "saved_thread_bytes");
      if (rows.number(i, "saved_bytes") != parts) return where + "saved_bytes are not the sum of their parts";
      bytes += parts;
      packets += rows.number(i, "packets");
      if ((rows.number(i, "packets") == 0) != (outcome == "ended")) return where + outcome + " does not fit";
      if (rows.number(i, "packets") > 0 && !rows.has(i, "victim_packet")) return where + "nobody gave way";
      // A wait that came back may pass in its software queue, a packet whose device was removed never goes on; where
      // nothing but the beneficiary came back, nobody else has to go on.
      const bool goes_on = rows.number(i, "packets") > 0 && waits_.count(rows.number(i, "victim_packet")) == 0 &&
                           cut_short_.count(rows.number(i, "victim_packet")) == 0 &&
                           rows.at(i, "victim_packet") != rows.at(i, "beneficiary_packet");
      if (goes_on && !rows.has(i, "resumed_us")) {
        return where + fmt::format("{}, {}: packet {} of {} never went on", rows.at(i, "reason"), outcome,
                                   rows.at(i, "victim_packet"), rows.at(i, "victim"));
      }
      if ((outcome == "stopped") != rows.has(i, "level_reached") && outcome != "withheld") {
        return where + "level_reached does not fit";
      }
      if (outcome == "stopped") {
        stops.emplace_back(rows.at(i, "node"), rows.number(i, "victim_packet"), rows.ps(i, "stopped_us"));
      }
    }
    if (packets != packets_back_ || packets != returns_) {
      return fmt::format("{} packets came back in the rows, {} in the answers, {} in the packets' records", packets,
                         packets_back_, returns_);
    }
    for (const auto& stop : stopped_) {
      if (std::count(stops.begin(), stops.end(), stop) != 1) {
        return fmt::format("no row for the stop of packet {} at {} ps", std::get<1>(stop), std::get<2>(stop));
      }
    }
    if (stops.size() != stopped_.size()) return "a row for a stop that was none";
    const PreemptionStats total = sums_.total(stats_);
    if (total.requests != latency.size() || total.saved_bytes != bytes) return "requests or bytes do not add up";
    const auto differs = [](const Distribution& found, const std::vector<std::uint64_t>& times) {
      const Distribution expected = distribution_of(times);
      return found.mean_ps != expected.mean_ps || found.p99_ps != expected.p99_ps || found.max_ps != expected.max_ps;
    };
    if (differs(total.latency, latency)) return "the latencies do not add up";
    if (differs(total.from_request, from_request)) return "the latencies from the request do not add up";
    if (differs(total.drain, drain)) return "the drains do not add up";
    if (differs(total.save, save)) return "the saves do not add up";
    return {};
  }

  TemporaryDirectory directory_;
  OutputFile file_;
  PreemptionsSink csv_;
  PreemptionSink sums_;
  StatsSink stats_;
  std::vector<std::tuple<std::string, std::uint64_t, std::uint64_t>> stopped_;  // node, packet, when
  std::uint64_t requests_ = 0;
  std::uint64_t packets_back_ = 0;
  std::uint64_t returns_ = 0;
  std::set<std::uint64_t> waits_;
  std::set<std::uint64_t> cut_short_;                                       // aborted or discarded
  std::set<std::uint64_t> on_node_;                                         // packets, and those that have ended
  std::set<std::tuple<std::string, std::uint64_t, std::uint64_t>> behind_;  // node, request, and for whom: queued there
};

}  // namespace fenceline::testing

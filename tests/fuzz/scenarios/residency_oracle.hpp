// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/residency/segment.hpp"
#include "sim/log.hpp"
#include "tests/fuzz/random_scenario.hpp"
#include "tests/fuzz/scenarios/content_oracle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fenceline::testing {

/// Holds moves and packets against what docs/residency.md promises, from the log alone: nothing is in two places, no
/// more is in video memory than fits, and nothing is used while it is not there; what is filled is so once, and what is
/// used in place has been mapped. Of docs/context_allocations.md: what a context keeps is initialised once, comes in
/// again after it went out, and is there while a packet of it runs.
class ResidencyOracle final : public LogSink {
 public:
  explicit ResidencyOracle(const Scenario& scenario) : scenario_(scenario), contents_(scenario) {
    std::uint64_t left = room();
    const std::uint64_t page = std::uint64_t{scenario.machine.video_memory.page_kib} << 10;
    for (const AllocationConfig& one : scenario.allocations) {
      Place place;
      place.bytes = (one.bytes + page - 1) / page * page;
      place.has_content = !one.fill;
      place.there = !one.not_resident && place.has_content && place.bytes <= left;
      if (place.there) {
        left -= place.bytes;
        place.present.emplace_back(0, never);
      }
      numbers_[one.name] = places_.size();
      places_.push_back(std::move(place));
    }
    held_ = room() - left;
  }

  /// Packet `id` executes that list.
  void executes(std::uint64_t id, std::size_t list) { lists_[id] = list; }

  void paging(const EventLog& log, const PagingRecord& record) override {
    const std::string name(log.text(record.resource));
    const bool init = record.operation == PagingOperation::init;
    if (init) {
      const auto [kept, is_new] = kept_.emplace(name, Place{record.bytes, false, true, false, {}});
      if (!is_new && !std::exchange(kept->second.purged, false)) wrong(name + " is initialised again");
    }
    const auto known = numbers_.find(name);
    const auto kept = kept_.find(name);
    if (known == numbers_.end() && kept == kept_.end()) {
      wrong(fmt::format("a move of {}, which nobody made", name));
      return;
    }
    Place& place = kept != kept_.end() ? kept->second : places_[known->second];
    const bool in = comes_in(record.operation);
    check_mapping(record, place, name);
    if (record.bytes != place.bytes) wrong(fmt::format("{} has {} bytes", name, place.bytes));
    if (!in && !goes_out(record.operation)) return;
    check_content(record.operation, place, name);
    if (kept != kept_.end() && kept->second.purged) wrong(name + " moves after a reset, and is not initialised");
    if (kept != kept_.end() && !init && record.operation != PagingOperation::in &&
        record.operation != PagingOperation::out) {
      wrong(fmt::format("{}: {}, and its content is lost", name, name_of(record.operation)));
    }
    if (in == place.there) wrong(fmt::format("{} moves {} and is there already", name, in ? "in" : "out"));
    if (known != numbers_.end()) contents_.moved(static_cast<std::uint32_t>(known->second), record);
    const bool from_the_start = place.present.size() == 1 && place.present.front() == std::make_pair(start, never);
    if (record.operation == PagingOperation::demote && from_the_start && known != numbers_.end()) {
      conversions_.emplace_back(static_cast<std::uint32_t>(known->second), record);
    }
    if (record.start_ps < moved_ps_) wrong(name + " moves while another one does");
    moved_ps_ = record.end_ps;
    place.there = in;
    if (in) {
      held_ += place.bytes;
      place.present.emplace_back(record.end_ps, never);
    } else {
      held_ -= std::min(held_, place.bytes);
      if (!place.present.empty()) place.present.back().second = record.start_ps;
    }
    if (held_ > room()) wrong(fmt::format("{} bytes are in video memory of {}", held_, room()));
  }
  void packet(const EventLog& log, const PacketRecord& record) override {
    const auto list = lists_.find(record.id);
    if (list != lists_.end()) contents_.ran(list->second, record);
    if (is_of_system(record.type)) contents_.paged(record);
    if (record.type != PacketType::render || record.status != PacketStatus::completed) return;
    ran_.push_back(record);
    const std::string_view path = log.text(record.context);
    queues_.emplace_back(path.substr(path.rfind('.') + 1));
  }

  /// The adapter is reset: video memory is empty (rule 35).
  void recovery(const EventLog&, const RecoveryRecord& record) override {
    if (record.step != RecoveryRecord::Step::adapter_reset) return;
    const auto purge = [&](Place& place) {
      if (place.there) place.present.back().second = record.at_ps;
      if (place.is_mapped()) place.mapped.back().second = record.at_ps;
      place.there = false;
      place.purged = true;
    };
    for (std::uint32_t i = 0; i < places_.size(); ++i) {
      contents_.purged(i, record.at_ps, places_[i].there);
      purge(places_[i]);
    }
    for (auto& [name, kept] : kept_) purge(kept);
    held_ = 0;
  }

  void submission(const EventLog&, const SubmissionRecord& record) override {
    if (record.type == PacketType::render) submissions_[record.packet].push_back(record);
  }

  /// What is wrong; empty: nothing.
  std::string mistake() {
    if (scenario_.machine.video_memory.over_commit == OverCommit::page) check_uses();
    check_contexts();
    if (scenario_.machine.video_memory.convert_page_tables && scenario_.machine.video_memory.page_kib > 4) {
      check_conversions();
    }
    if (scenario_.machine.video_memory.aperture == ApertureUse::on_use) check_mapped_uses();
    return mistake_.empty() ? contents_.mistake() : mistake_;
  }

 private:
  static constexpr std::uint64_t never = ~std::uint64_t{0};
  static constexpr std::uint64_t start = 0;
  struct Place {
    std::uint64_t bytes = 0;
    bool there = false;
    bool has_content = true;
    bool purged = false;  ///< by a reset of the adapter, since when it has not moved
    std::vector<std::pair<std::uint64_t, std::uint64_t>> present;      // from, to
    std::vector<std::pair<std::uint64_t, std::uint64_t>> mapped = {};  // into the aperture, from, to
    bool is_mapped() const { return !mapped.empty() && mapped.back().second == never; }
  };
  std::uint64_t room() const { return std::uint64_t{scenario_.machine.video_memory.dedicated_mib} << 20; }
  void wrong(std::string text) {
    if (mistake_.empty()) mistake_ = std::move(text);
  }

  /// What is filled is so once. Without that it comes in only after it was used in place, which has no row.
  void check_content(PagingOperation operation, Place& place, const std::string& name) {
    if (std::exchange(place.purged, false)) place.has_content = operation != PagingOperation::fill;
    if (operation == PagingOperation::fill && place.has_content) wrong(name + " is filled and has content");
    if (operation == PagingOperation::in && !place.has_content) wrong(name + " comes in and has no content");
    place.has_content = true;
  }

  /// What is used in place has been mapped once, and is unmapped before it comes in.
  void check_mapping(const PagingRecord& record, Place& place, const std::string& name) {
    const bool on_use = scenario_.machine.video_memory.aperture == ApertureUse::on_use;
    const bool map = record.operation == PagingOperation::map;
    const bool unmap = record.operation == PagingOperation::unmap;
    if ((map || unmap) && !on_use) wrong(name + " is mapped for good");
    if (map && place.there) wrong(name + " is mapped and in video memory");
    if ((map || comes_in(record.operation)) && place.is_mapped()) wrong(name + " is mapped already");
    if (unmap && !place.is_mapped()) wrong(name + " is unmapped and was not mapped");
    if (unmap && place.is_mapped()) place.mapped.back().second = record.start_ps;
    if (map || (on_use && record.operation == PagingOperation::demote)) {
      place.mapped.emplace_back(record.end_ps, never);
      place.has_content = true;  // nothing is mapped but what is demoted
    }
  }
  void check_mapped_uses() {
    for (const PacketRecord& packet : ran_) {
      const auto list = lists_.find(packet.id);
      if (list == lists_.end() || packet.pieces > 1) continue;
      for (const std::uint32_t one : scenario_.lists[list->second]->memory.allocations) {
        const auto covers = [&](const auto& interval) {
          return interval.first <= packet.started_ps && packet.started_ps <= interval.second;
        };
        const Place& place = places_[one];
        if (std::any_of(place.present.begin(), place.present.end(), covers)) continue;
        if (std::any_of(place.mapped.begin(), place.mapped.end(), covers)) continue;
        wrong(fmt::format("packet {} begins at {} ps, and allocation {} is not mapped", packet.id, packet.started_ps,
                          one));
      }
    }
  }

  /// What does not fit together, and beside what contexts keep, is used in place.
  template <class Allocations>
  bool fits(const Allocations& allocations) const {
    std::uint64_t bytes = 0;
    for (const std::uint32_t one : allocations) bytes += places_[one].bytes;
    for (const auto& [name, kept] : kept_) bytes += kept.bytes;
    return bytes <= room();
  }

  void check_uses() {
    const bool of_devices = scenario_.machine.video_memory.residency == ResidencyModel::device_list;
    const bool devices_fit = std::all_of(scenario_.known.begin(), scenario_.known.end(),
                                         [this](const auto& device) { return fits(device.second); });
    if (of_devices && !devices_fit) return;
    for (const PacketRecord& packet : ran_) {
      const auto list = lists_.find(packet.id);
      if (list == lists_.end()) continue;
      const auto& used = scenario_.lists[list->second]->memory.allocations;
      if (!fits(used)) {
        if (!of_devices && scenario_.machine.scheduler.caps.preemption_aware) check_pieces(packet.id, list->second);
        continue;
      }
      for (const std::uint32_t one : used) check_use(packet, one);
    }
  }

  /// Of a list that is split for memory: what a piece uses is there when it is handed over, if it fits together. Of one
  /// that goes on after a stop: what is left of it uses.
  void check_pieces(std::uint64_t packet, std::size_t list) {
    std::map<std::uint32_t, std::uint64_t> first;  // command of each piece
    for (const SubmissionRecord& piece : submissions_[packet]) {
      const auto used_from = [&](std::uint64_t from) {
        std::set<std::uint32_t> used;
        for (const AllocationUse& use : scenario_.lists[list]->memory.uses) {
          const bool is_its = use.command >= from && use.command < piece.end_command;
          if (is_its || use.command == AllocationUse::of_list) used.insert(use.allocation);
        }
        return used;
      };
      const std::uint64_t begin = first.emplace(piece.piece, piece.from_command).first->second;
      if (!fits(used_from(begin))) continue;
      const std::set<std::uint32_t> used = used_from(piece.from_command);
      for (const std::uint32_t one : used) {
        const auto covers = [&](const auto& interval) {
          return interval.first <= piece.at_ps && piece.at_ps <= interval.second;
        };
        if (std::any_of(places_[one].present.begin(), places_[one].present.end(), covers)) continue;
        wrong(fmt::format("piece {} of packet {} is handed over at {} ps without allocation {}", piece.piece, packet,
                          piece.at_ps, one));
      }
    }
  }

  /// While what has been in video memory from the start is demoted for the first time nothing of who knows it runs.
  /// What waits on the hardware may go on there.
  void check_conversions() {
    if (scenario_.machine.scheduler.hardware_waits) return;
    for (const auto& [allocation, record] : conversions_) {
      for (std::size_t i = 0; i < ran_.size(); ++i) {
        const auto queue = std::find_if(scenario_.queues.begin(), scenario_.queues.end(),
                                        [&](const QueueConfig& one) { return one.name == queues_[i]; });
        if (queue == scenario_.queues.end() || ran_[i].preemptions > 0 || ran_[i].pieces > 1) continue;
        const auto known = scenario_.known.find(queue->process);
        if (known == scenario_.known.end() || known->second.count(allocation) == 0) continue;
        if (ran_[i].finished_ps <= record.start_ps || ran_[i].started_ps >= record.end_ps) continue;
        wrong(fmt::format("packet {} runs while the page table of its process is converted, {} to {} ps", ran_[i].id,
                          record.start_ps, record.end_ps));
      }
    }
  }

  /// What a context keeps is never used in place.
  void check_contexts() {
    for (std::size_t i = 0; i < ran_.size(); ++i) {
      const auto queue = std::find_if(scenario_.queues.begin(), scenario_.queues.end(),
                                      [&](const QueueConfig& one) { return one.name == queues_[i]; });
      if (queue == scenario_.queues.end()) continue;
      const std::string device = (queue->process.empty() ? "default" : queue->process) + ".device";
      for (const std::string& name : {queues_[i] + ".context", device}) {
        const auto kept = kept_.find(name);
        if (kept != kept_.end()) check_present(ran_[i], kept->second, name);
      }
      const bool keeps = scenario_.machine.video_memory.device_context_kib > 0;
      if (keeps && kept_.count(device) == 0) wrong(fmt::format("packet {} runs without {}", ran_[i].id, device));
    }
  }

  void check_use(const PacketRecord& packet, std::uint32_t allocation) {
    check_present(packet, places_[allocation], fmt::format("allocation {}", allocation));
  }

  void check_present(const PacketRecord& packet, const Place& place, const std::string& name) {
    const auto& present = place.present;
    const auto covers = [](const auto& interval, std::uint64_t from_ps, std::uint64_t to_ps) {
      return interval.first <= from_ps && to_ps <= interval.second;
    };
    // One that was stopped may have lost it in between.
    const std::uint64_t to_ps = packet.preemptions == 0 && packet.pieces <= 1 ? packet.finished_ps : packet.started_ps;
    for (const auto& interval : present) {
      if (covers(interval, packet.started_ps, to_ps)) return;
    }
    wrong(fmt::format("packet {} runs from {} to {} ps without {}", packet.id, packet.started_ps, to_ps, name));
  }

  const Scenario& scenario_;
  ContentOracle contents_;
  std::vector<Place> places_;
  std::map<std::string, std::size_t> numbers_;
  std::map<std::string, Place> kept_;  // of contexts and devices
  std::map<std::uint64_t, std::size_t> lists_;
  std::map<std::uint64_t, std::vector<SubmissionRecord>> submissions_;  // by packet
  std::vector<PacketRecord> ran_;
  std::vector<std::pair<std::uint32_t, PagingRecord>> conversions_;
  std::vector<std::string> queues_;  // of each of these
  std::uint64_t held_ = 0;
  std::uint64_t moved_ps_ = 0;
  std::string mistake_;
};

}  // namespace fenceline::testing

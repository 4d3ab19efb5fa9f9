// SPDX-License-Identifier: Apache-2.0
#include "sim/kernel/channel.hpp"

#include "sim/duration.hpp"
#include "sim/kernel/now.hpp"
#include "sim/time_limit.hpp"

#include <algorithm>
#include <cmath>

namespace fenceline {
namespace {
constexpr std::uint64_t ps_per_s = 1'000'000'000'000;
}

Channel::Channel(sc_core::sc_module_name module_name, const ChannelConfig& config, EventLog& log)
    : sc_module(module_name),
      capacity_(static_cast<std::uint64_t>(std::llround(config.gb_per_s * 1e9))),
      latency_ps_(ps_of_ns(config.latency_ns)),
      sharing_(config.sharing),
      contention_exponent_(config.contention_exponent),
      log_(log),
      log_track_(log.name(name())),
      update_soon_("update", Callback::to<&Channel::update>(this)),
      update_later_("timer", Callback::to<&Channel::update>(this)) {}

std::uint64_t Channel::start(const Transfer& transfer) {
  advance();
  const std::uint64_t id = next_id_++;
  flows_.push_back({transfer, Wide{transfer.bytes} * ps_per_s, 0, id});
  changed_ = true;
  update_soon_.request();  // one new split for all that start in this delta cycle
  return id;
}

std::optional<std::uint64_t> Channel::cancel(std::uint64_t transfer) {
  advance();
  const auto flow = std::find_if(flows_.begin(), flows_.end(), [&](const Flow& one) { return one.id == transfer; });
  if (flow == flows_.end() || flow->remaining == 0) return {};
  const auto bytes = static_cast<std::uint64_t>((flow->remaining + ps_per_s - 1) / ps_per_s);
  moved_bytes_ += flow->transfer.bytes - bytes;
  left(flow->transfer);
  flows_.erase(flow);
  changed_ = true;
  update_soon_.request();
  return bytes;
}

std::uint64_t Channel::bytes_left(std::uint64_t transfer) const {
  for (const Flow& flow : flows_) {
    if (flow.id != transfer) continue;
    const Wide passed = Wide{flow.rate} * (now_ps() - advanced_to_ps_);
    return static_cast<std::uint64_t>((flow.remaining - std::min(flow.remaining, passed) + ps_per_s - 1) / ps_per_s);
  }
  return 0;
}

bool Channel::has_begun(std::uint64_t transfer) const {
  const auto flow = std::find_if(flows_.begin(), flows_.end(), [&](const Flow& one) { return one.id == transfer; });
  return flow == flows_.end() || flow->rate > 0 || flow->remaining < Wide{flow->transfer.bytes} * ps_per_s;
}

std::uint64_t Channel::delivery_ps(std::uint64_t transfer) const {
  for (const Delivery& delivery : delivering_) {
    if (delivery.id == transfer) return delivery.at_ps;
  }
  const std::uint64_t now = now_ps();
  const auto passing = std::find_if(flows_.begin(), flows_.end(), [&](const Flow& one) { return one.id == transfer; });
  return passing != flows_.end() ? now + latency_of(passing->transfer) : now;
}

void Channel::advance() {
  const std::uint64_t now = now_ps();
  const std::uint64_t passed = now - advanced_to_ps_;
  advanced_to_ps_ = now;
  if (passed == 0) return;
  for (Flow& flow : flows_) flow.remaining -= std::min(flow.remaining, Wide{flow.rate} * passed);
}

void Channel::update(std::uint64_t) {
  update_later_.set(Timer::never);
  advance();
  const std::uint64_t now = advanced_to_ps_;
  for (const Flow& flow : flows_) {
    if (flow.remaining > 0) continue;
    deliver(flow);
  }
  const auto gone = std::remove_if(flows_.begin(), flows_.end(), [](const Flow& flow) { return flow.remaining == 0; });
  if (gone != flows_.end()) {
    flows_.erase(gone, flows_.end());
    changed_ = true;
  }
  if (changed_) {
    share_out();
    changed_ = false;
    if (log_.enabled(EventLog::Detail::waves)) log_rate();
  }

  std::size_t delivered = 0;
  while (delivered < delivering_.size() && delivering_[delivered].at_ps <= now) ++delivered;
  due_.assign(delivering_.begin(), delivering_.begin() + static_cast<std::ptrdiff_t>(delivered));
  delivering_.erase(delivering_.begin(), delivering_.begin() + delivered);

  Wide next = delivering_.empty() ? ~Wide{0} : Wide{delivering_.front().at_ps - now};
  for (const Flow& flow : flows_) {
    // Products cost less than quotients, of which few are needed: who takes as long as the quickest is not quicker.
    const bool later = next <= max_time_ps && flow.remaining > Wide{flow.rate} * (next - 1);
    if (flow.rate > 0 && !later) next = std::min(next, (flow.remaining + flow.rate - 1) / flow.rate);
  }
  if (next != ~Wide{0}) {
    if (next > max_time_ps - now) throw_time_overflow(name());
    update_later_.set(now + static_cast<std::uint64_t>(next));
  }
  for (const Delivery& delivery : due_) delivery.done();
}

void Channel::deliver(const Flow& flow) {
  const Delivery delivery{advanced_to_ps_ + latency_of(flow.transfer), flow.transfer.done, flow.id};
  const auto later = std::upper_bound(delivering_.begin(), delivering_.end(), delivery,
                                      [](const Delivery& a, const Delivery& b) { return a.at_ps < b.at_ps; });
  delivering_.insert(later, delivery);
  moved_bytes_ += flow.transfer.bytes;
  left(flow.transfer);
}

void Channel::share_out() {
  requests_.clear();
  double demand = 0;
  for (const Flow& flow : flows_) {
    requests_.push_back(flow.transfer.share);
    if (flow.transfer.latency_bound) demand += static_cast<double>(flow.transfer.share.limit);
  }
  if (contention_exponent_ > 0 && demand > 0) {
    const double load = demand / static_cast<double>(capacity_);
    const double stretch = std::pow(1 + std::pow(load, contention_exponent_), 1 / contention_exponent_);
    for (std::size_t i = 0; i < flows_.size(); ++i) {
      if (!flows_[i].transfer.latency_bound) continue;
      const double limit = static_cast<double>(requests_[i].limit) / stretch;
      requests_[i].limit = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(limit));
    }
  }
  share_out(capacity_, requests_);
}

void Channel::set_priorities(std::vector<ShareRequest>& requests) const {
  if (sharing_ == ChannelSharing::fair) return;
  const auto count = static_cast<int>(requests.size());
  for (int i = 0; i < count; ++i) requests[static_cast<std::size_t>(i)].priority = count - i;
}

void Channel::share_out(std::uint64_t capacity, std::vector<ShareRequest>& requests) {
  set_priorities(requests);
  fair_shares(capacity, requests, order_, shares_);
  for (std::size_t i = 0; i < flows_.size(); ++i) flows_[i].rate = shares_[i];
}

void Channel::log_rate() {
  std::uint64_t total = 0;
  for (const Flow& flow : flows_) total += flow.rate;
  log_rate(log_track_, total);
}

void Channel::log_rate(LogName track, std::uint64_t bytes_per_s) {
  log_.counter({track, CounterKind::bytes_per_s, advanced_to_ps_, bytes_per_s});
}

}  // namespace fenceline

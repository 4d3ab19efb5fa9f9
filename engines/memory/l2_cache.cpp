// SPDX-License-Identifier: Apache-2.0
#include "engines/memory/l2_cache.hpp"

#include "sim/duration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace fenceline {
namespace {

using Wide = unsigned __int128;

/// The channel that both are: its latency and its rate are L2's.
ChannelConfig shared_channel(ChannelConfig l2, const ChannelConfig& vram) {
  if (vram.sharing == ChannelSharing::in_order) l2.sharing = vram.sharing;
  return l2;
}

/// How much longer latencies get under a load, as Channel says.
double stretch(double demand, std::uint64_t capacity, double exponent) {
  const double load = demand / static_cast<double>(capacity);
  return std::pow(1 + std::pow(load, exponent), 1 / exponent);
}

std::uint64_t limit_of(double bytes_per_s) {
  constexpr double beyond_any_channel = 1e18;
  return static_cast<std::uint64_t>(std::clamp(bytes_per_s, 1.0, beyond_any_channel));
}

}  // namespace

L2Cache::L2Cache(sc_core::sc_module_name module_name, const ChannelConfig& l2, const ChannelConfig& vram,
                 const L2Config& config, const std::string& vram_track, EventLog& event_log)
    : Channel(module_name, shared_channel(l2, vram), event_log),
      config_(config),
      vram_capacity_(static_cast<std::uint64_t>(std::llround(vram.gb_per_s * 1e9))),
      vram_latency_ps_(ps_of_ns(vram.latency_ns)),
      vram_contention_(vram.contention_exponent),
      vram_track_(log().name(vram_track)) {}

std::uint64_t L2Cache::read(std::uint64_t bytes, std::uint64_t bytes_in_flight, const Reads& reads, Callback done) {
  auto found = std::find_if(active_.begin(), active_.end(), [&](std::uint32_t slot) {
    return traffic_[slot].of_grid && traffic_[slot].reads.grid == reads.grid;
  });
  if (found == active_.end()) {
    Traffic traffic;
    traffic.of_grid = true;
    traffic.reads = reads;
    traffic.latency_ns = miss_ns(traffic);
    const auto is_set = [](const L2Reader& part) { return part.bytes_per_s > 0 && part.set_bytes > 0; };
    traffic.has_sets = config_.l2_hit_bytes > 0 && std::any_of(reads.sets.begin(), reads.sets.end(), is_set);
    if (traffic.has_sets) ++with_sets_;
    found = active_.insert(active_.end(), traffic_.add(traffic));
  }
  return begin(bytes, {0, std::max<std::uint64_t>(1, bytes_in_flight), 0}, *found, done);
}

std::uint64_t L2Cache::access(std::uint64_t bytes, const Access& access, Callback done) {
  auto found = std::find_if(active_.begin(), active_.end(), [&](std::uint32_t slot) {
    return !traffic_[slot].of_grid && traffic_[slot].vram_bytes_per_byte == access.vram_bytes_per_byte;
  });
  if (found == active_.end()) {
    Traffic traffic;
    traffic.vram_bytes_per_byte = access.vram_bytes_per_byte;
    traffic.vram = static_cast<Fixed>(std::llround(access.vram_bytes_per_byte * static_cast<double>(one)));
    found = active_.insert(active_.end(), traffic_.add(traffic));
  }
  return begin(bytes, {0, std::max<std::uint64_t>(1, access.bytes_in_flight), access.limit}, *found, done);
}

std::uint64_t L2Cache::begin(std::uint64_t bytes, const ShareRequest& share, std::uint32_t slot, Callback done) {
  Traffic& traffic = traffic_[slot];
  ++traffic.transfers;
  const std::uint64_t latency_ps = traffic.vram > 0 ? vram_latency_ps_ : 0;
  return start({bytes, share, traffic.of_grid, done, latency_ps, slot});
}

void L2Cache::left(const Transfer& transfer) {
  Traffic& traffic = traffic_[transfer.traffic];
  if (--traffic.transfers > 0) return;
  if (traffic.has_sets) --with_sets_;
  active_.erase(std::find(active_.begin(), active_.end(), transfer.traffic));
  traffic_.remove(transfer.traffic);
}

void L2Cache::share_out() {
  if (with_sets_ > 0) {
    count_traffic();
    find_misses();
    find_latencies();
  }
  limit_reads();
  share_both();
}

void L2Cache::count_traffic() {
  for (const std::uint32_t slot : active_) traffic_[slot].bytes_per_s = traffic_[slot].in_flight = 0;
  const double per_second = 1e9 / config_.l2_latency_ns;
  for (const Flow& flow : flows()) {
    Traffic& traffic = traffic_of(flow);
    const ShareRequest& share = flow.transfer.share;
    const auto in_flight = static_cast<double>(share.weight);
    const double rate = in_flight * per_second;
    if (traffic.of_grid) traffic.in_flight += in_flight;
    traffic.bytes_per_s += traffic.of_grid ? rate : std::min(rate, static_cast<double>(share.limit));
  }
}

/// Of each grid's reads, the part that video memory serves.
void L2Cache::find_misses() {
  readers_.clear();
  for (const std::uint32_t slot : active_) {
    const Traffic& traffic = traffic_[slot];
    if (!traffic.of_grid) {
      if (traffic.vram > 0) readers_.push_back({0, 0, traffic.bytes_per_s});
      continue;
    }
    const auto& parts = traffic.reads.sets;
    const double all = parts[0].bytes_per_s + parts[1].bytes_per_s;
    for (const L2Reader& part : parts) {
      if (part.bytes_per_s <= 0) continue;
      readers_.push_back({part.set_bytes, part.accessed_bytes, traffic.bytes_per_s * part.bytes_per_s / all});
    }
  }
  std::size_t reader = 0;
  for (const std::uint32_t slot : active_) {
    Traffic& traffic = traffic_[slot];
    if (!traffic.of_grid) {
      if (traffic.vram > 0) ++reader;
      continue;
    }
    double missed = 0;
    double all = 0;
    for (const L2Reader& part : traffic.reads.sets) {
      if (part.bytes_per_s <= 0) continue;
      missed += part.bytes_per_s * part_missed(reader, readers_, config_);
      all += part.bytes_per_s;
      ++reader;
    }
    traffic.vram_bytes_per_byte = all > 0 ? missed / all : 1;
    traffic.vram = static_cast<Fixed>(std::llround(traffic.vram_bytes_per_byte * static_cast<double>(one)));
  }
}

/// With video memory idle.
void L2Cache::find_latencies() {
  double missed = 0;
  double all = 0;
  for (const std::uint32_t slot : active_) {
    const Traffic& traffic = traffic_[slot];
    missed += traffic.bytes_per_s * std::min(1.0, traffic.vram_bytes_per_byte);
    all += traffic.bytes_per_s;
  }
  for (const std::uint32_t slot : active_) {
    Traffic& traffic = traffic_[slot];
    if (!traffic.of_grid) continue;
    traffic.slow = part_slow(traffic.vram_bytes_per_byte, missed / all, config_);
    traffic.latency_ns = traffic.slow * miss_ns(traffic) + (1 - traffic.slow) * config_.l2_latency_ns;
  }
}

/// What misses has been looked for in L2 before.
double L2Cache::miss_ns(const Traffic& traffic) const {
  return std::max(traffic.reads.miss_latency_ns, config_.l2_latency_ns);
}

/// Bytes in flight over the latency under load.
void L2Cache::limit_reads() {
  requests().clear();
  double demand = 0;       // of L2
  double vram_demand = 0;  // of video memory
  for (const Flow& flow : flows()) {
    ShareRequest request = flow.transfer.share;
    const Traffic& traffic = traffic_of(flow);
    if (traffic.of_grid) {
      request.limit = limit_of(static_cast<double>(request.weight) * 1e9 / traffic.latency_ns);
      vram_demand += static_cast<double>(request.limit) * traffic.vram_bytes_per_byte;
    }
    requests().push_back(request);
  }
  if (vram_contention_ > 0 && vram_demand > 0) load_vram(vram_demand);
  if (contention_exponent() <= 0) return;
  for (std::size_t i = 0; i < flows().size(); ++i) {
    if (traffic_of(flows()[i]).of_grid) demand += static_cast<double>(requests()[i].limit);
  }
  const double longer = stretch(demand, capacity(), contention_exponent());
  for (std::size_t i = 0; i < flows().size(); ++i) {
    if (traffic_of(flows()[i]).of_grid) {
      requests()[i].limit = limit_of(static_cast<double>(requests()[i].limit) / longer);
    }
  }
}

/// Misses wait for each other, all equally long: until together they are as fast as video memory under such a demand.
void L2Cache::load_vram(double demand) {
  const double longer = stretch(demand, vram_capacity_, vram_contention_);
  const Traffic* first = nullptr;
  bool alike = true;
  for (const std::uint32_t slot : active_) {
    const Traffic& traffic = traffic_[slot];
    if (!traffic.of_grid) continue;
    if (first == nullptr) first = &traffic;
    alike = alike && traffic.vram == first->vram;
  }
  double wait_ns = 0;
  if (!alike) {
    // The sum falls and its slope does, too: each step of Newton's is short of the solution.
    constexpr int steps = 30;
    for (int step = 0; step < steps; ++step) {
      double rate = -demand / longer;
      double slope = 0;
      for (const std::uint32_t slot : active_) {
        const Traffic& traffic = traffic_[slot];
        if (!traffic.of_grid) continue;
        const double latency_ns = traffic.latency_ns + traffic.slow * wait_ns;
        const double missed = traffic.in_flight * 1e9 / latency_ns * traffic.vram_bytes_per_byte;
        rate += missed;
        slope += missed * traffic.slow / latency_ns;
      }
      const double further_ns = rate / slope;
      wait_ns += std::max(0.0, further_ns);
      if (further_ns <= wait_ns * 1e-12) break;
    }
  }
  for (std::size_t i = 0; i < flows().size(); ++i) {
    const Traffic& traffic = traffic_of(flows()[i]);
    if (!traffic.of_grid) continue;
    ShareRequest& request = requests()[i];
    const double faster =
        alike ? static_cast<double>(request.limit) / longer
              : static_cast<double>(request.weight) * 1e9 / (traffic.latency_ns + traffic.slow * wait_ns);
    request.limit = limit_of(faster);
  }
}

/// Weighted max-min fair shares of L2's and video memory's rates at once: all rates grow in proportion to their weights
/// until a limit is reached, or one of the two is used up and those that need it stop.
void L2Cache::share_both() {
  const auto vram_of = [this](std::size_t i) { return traffic_of(flows()[i]).vram; };
  const std::size_t count = flows().size();
  bool alike = true;
  for (std::size_t i = 1; i < count; ++i) alike = alike && vram_of(i) == vram_of(0);
  if (alike) {
    std::uint64_t rate = capacity();
    if (count > 0 && vram_of(0) > 0) {
      rate = static_cast<std::uint64_t>(std::min(Wide{rate}, (Wide{vram_capacity_} << 32) / vram_of(0)));
    }
    Wide wanted = 0;
    for (const ShareRequest& request : requests()) wanted += request.limit;
    if (wanted > rate) {
      Channel::share_out(rate, requests());
    } else {
      for (std::size_t i = 0; i < count; ++i) flows()[i].rate = requests()[i].limit;
    }
    return;
  }
  set_priorities(requests());
  order_.resize(count);
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(), [this](std::uint32_t a, std::uint32_t b) {
    const ShareRequest& x = requests()[a];
    const ShareRequest& y = requests()[b];
    if (x.priority != y.priority) return x.priority > y.priority;
    const Wide x_first = Wide{x.limit} * y.weight;
    const Wide y_first = Wide{y.limit} * x.weight;
    return x_first != y_first ? x_first < y_first : a < b;
  });
  double l2_left = static_cast<double>(capacity());
  double vram_left = static_cast<double>(vram_capacity_);
  for (auto next = order_.begin(); next != order_.end();) {
    const int priority = requests()[*next].priority;
    const auto end =
        std::find_if(next, order_.end(), [&](std::uint32_t i) { return requests()[i].priority != priority; });
    next = share_level(next, end, l2_left, vram_left);
  }
}

/// Those of one priority, in the order in which they reach their limits. Returns `end`.
L2Cache::Order L2Cache::share_level(Order next, Order end, double& l2_left, double& vram_left) {
  const auto weight_of = [this](std::uint32_t i) { return requests()[i].weight; };
  const auto vram_of = [this](std::uint32_t i) { return traffic_of(flows()[i]).vram; };
  Wide weights = 0;
  Wide vram_weights = 0;
  for (auto i = next; i != end; ++i) {
    weights += weight_of(*i);
    vram_weights += Wide{weight_of(*i)} * vram_of(*i);
  }
  const auto give = [&](std::uint32_t i, double rate) {
    flows()[i].rate = static_cast<std::uint64_t>(rate);
    l2_left = std::max(0.0, l2_left - rate);
    vram_left = std::max(0.0, vram_left - rate * (static_cast<double>(vram_of(i)) / static_cast<double>(one)));
    weights -= weight_of(i);
    vram_weights -= Wide{weight_of(i)} * vram_of(i);
  };
  while (next != end) {
    const double l2_part = l2_left / static_cast<double>(weights);
    const double vram_part = vram_weights > 0 ? vram_left * static_cast<double>(one) / static_cast<double>(vram_weights)
                                              : std::numeric_limits<double>::infinity();
    const auto limit = static_cast<double>(requests()[*next].limit);
    if (limit <= std::min(l2_part, vram_part) * static_cast<double>(weight_of(*next))) {
      give(*next++, limit);
      continue;
    }
    // One of the two is used up: all who need it get no more than the part that is theirs.
    const bool vram_full = vram_part < l2_part;
    const double part = std::min(l2_part, vram_part);
    const auto stop =
        vram_full ? std::stable_partition(next, end, [&](std::uint32_t i) { return vram_of(i) > 0; }) : end;
    for (; next != stop; ++next) give(*next, part * static_cast<double>(weight_of(*next)));
  }
  return end;
}

void L2Cache::log_rate() {
  Wide vram = 0;
  for (const Flow& flow : flows()) vram += Wide{flow.rate} * traffic_of(flow).vram;
  Channel::log_rate();
  Channel::log_rate(vram_track_, static_cast<std::uint64_t>(vram >> 32));
}

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#include "engines/memory/memory_levels.hpp"

#include "sim/duration.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace fenceline {
namespace {

using Wide = unsigned __int128;

/// The channel that all levels are: its latency and its rate are L2's.
ChannelConfig shared_channel(const MemoryConfig& config) {
  ChannelConfig shared = config.l2;
  const auto in_order = [](const ChannelConfig& level) { return level.sharing == ChannelSharing::in_order; };
  const std::vector<CacheConfig> caches = caches_of(config);
  if (in_order(config.vram) || std::any_of(caches.begin(), caches.end(), in_order)) {
    shared.sharing = ChannelSharing::in_order;
  }
  return shared;
}

/// L2 first, video memory last.
std::vector<ChannelConfig> channels_of(const MemoryConfig& config) {
  const std::vector<CacheConfig> caches = caches_of(config);
  std::vector<ChannelConfig> channels(caches.begin(), caches.end());
  channels.push_back(config.vram);
  return channels;
}

LevelShares shares_of(const MemoryConfig& config) {
  const std::vector<ChannelConfig> channels = channels_of(config);
  ByLevel<std::uint64_t> capacities{};
  for (std::size_t level = 0; level < channels.size(); ++level) {
    capacities[level] = static_cast<std::uint64_t>(std::llround(channels[level].gb_per_s * 1e9));
  }
  return {capacities, channels.size()};
}

std::uint64_t limit_of(double bytes_per_s) {
  constexpr double beyond_any_channel = 1e18;
  return static_cast<std::uint64_t>(std::clamp(bytes_per_s, 1.0, beyond_any_channel));
}

}  // namespace

MemoryLevels::MemoryLevels(sc_core::sc_module_name module_name, const MemoryConfig& config, const std::string& parent,
                           EventLog& event_log)
    : Channel(module_name, shared_channel(config), event_log),
      caches_(caches_of(config)),
      hits_wait_(config.l2_hits_wait),
      keeps_any_(keeps_any(config)),
      shares_(shares_of(config)) {
  const std::vector<ChannelConfig> channels = channels_of(config);
  for (std::size_t level = vram() + 1; level-- > 0;) {
    contention_[level] = channels[level].contention_exponent;
    if (contention_[level] > 0) contended_.push_back(level);
  }
  for (std::size_t level = 1; level <= vram(); ++level) {
    latency_ps_[level] = ps_of_ns(channels[level].latency_ns);
    tracks_[level] = log().name(parent + '.' + (level < vram() ? caches_[level].name : "vram"));
  }
}

std::size_t MemoryLevels::holder_of(std::uint64_t bytes) const {
  const auto holds = [bytes](const CacheConfig& cache) { return cache.hit_bytes > 0 && bytes <= cache.hit_bytes; };
  return static_cast<std::size_t>(std::find_if(caches_.begin(), caches_.end(), holds) - caches_.begin());
}

ByLevel<double> MemoryLevels::bytes_up_to(std::size_t level, double cost) {
  ByLevel<double> bytes{};
  std::fill_n(bytes.begin(), level, 1.0);
  bytes[level] = cost;
  return bytes;
}

void MemoryLevels::set_bytes(Traffic& traffic, const ByLevel<double>& bytes) const {
  traffic.bytes = bytes;
  for (std::size_t level = 0; level <= vram(); ++level) {
    traffic.costs[level] = static_cast<std::uint64_t>(std::llround(bytes[level] * static_cast<double>(whole_byte)));
  }
}

std::uint64_t MemoryLevels::read(std::uint64_t bytes, std::uint64_t bytes_in_flight, const Reads& reads,
                                 Callback done) {
  auto found = std::find_if(active_.begin(), active_.end(), [&](std::uint32_t slot) {
    return traffic_[slot].of_grid && traffic_[slot].reads.grid == reads.grid;
  });
  if (found == active_.end()) {
    Traffic traffic;
    traffic.of_grid = true;
    traffic.reads = reads;
    set_bytes(traffic, bytes_up_to(vram(), 1));
    traffic.slow = traffic.bytes;
    traffic.latency_ns = latency_of(traffic);
    const auto is_set = [](const AccessedSet& part) { return part.bytes_per_s > 0 && part.set_bytes > 0; };
    traffic.has_sets = keeps_any_ && std::any_of(reads.sets.begin(), reads.sets.end(), is_set);
    if (traffic.has_sets) ++with_sets_;
    found = active_.insert(active_.end(), traffic_.add(traffic));
  }
  return begin(bytes, {0, std::max<std::uint64_t>(1, bytes_in_flight), 0}, *found, done);
}

std::uint64_t MemoryLevels::access(std::uint64_t bytes, const Access& access, Callback done) {
  auto found = std::find_if(active_.begin(), active_.end(), [&](std::uint32_t slot) {
    return !traffic_[slot].of_grid && traffic_[slot].bytes == access.bytes;
  });
  if (found == active_.end()) {
    Traffic traffic;
    set_bytes(traffic, access.bytes);
    found = active_.insert(active_.end(), traffic_.add(traffic));
  }
  return begin(bytes, {0, std::max<std::uint64_t>(1, access.bytes_in_flight), access.limit}, *found, done);
}

std::uint64_t MemoryLevels::begin(std::uint64_t bytes, const ShareRequest& share, std::uint32_t slot, Callback done) {
  Traffic& traffic = traffic_[slot];
  ++traffic.transfers;
  std::uint64_t latency_ps = 0;
  for (std::size_t level = 1; level <= vram(); ++level) latency_ps += traffic.costs[level] > 0 ? latency_ps_[level] : 0;
  return start({bytes, share, traffic.of_grid, done, latency_ps, slot});
}

void MemoryLevels::left(const Transfer& transfer) {
  Traffic& traffic = traffic_[transfer.traffic];
  if (--traffic.transfers > 0) return;
  if (traffic.has_sets) --with_sets_;
  active_.erase(std::find(active_.begin(), active_.end(), transfer.traffic));
  traffic_.remove(transfer.traffic);
}

void MemoryLevels::share_out() {
  if (with_sets_ > 0) {
    count_traffic();
    find_bytes();
    find_latencies();
  }
  limit_reads();
  share_levels();
}

void MemoryLevels::count_traffic() {
  for (const std::uint32_t slot : active_) traffic_[slot].bytes_per_s = traffic_[slot].in_flight = 0;
  const double per_second = 1e9 / caches_[0].hit_latency_ns;
  for (const Flow& flow : flows()) {
    Traffic& traffic = traffic_of(flow);
    const ShareRequest& share = flow.transfer.share;
    const auto in_flight = static_cast<double>(share.weight);
    const double rate = in_flight * per_second;
    if (traffic.of_grid) traffic.in_flight += in_flight;
    traffic.bytes_per_s += traffic.of_grid ? rate : std::min(rate, static_cast<double>(share.limit));
  }
}

/// Of each grid's reads, the part that comes to each level. A copy that a cache holds evicts nothing.
void MemoryLevels::find_bytes() {
  sets_.clear();
  for (const std::uint32_t slot : active_) {
    const Traffic& traffic = traffic_[slot];
    if (!traffic.of_grid) {
      if (traffic.costs[vram()] > 0) sets_.push_back({0, 0, traffic.bytes_per_s});
      continue;
    }
    const auto& parts = traffic.reads.sets;
    const double all = parts[0].bytes_per_s + parts[1].bytes_per_s;
    for (const AccessedSet& part : parts) {
      if (part.bytes_per_s <= 0) continue;
      sets_.push_back({part.set_bytes, part.accessed_bytes, traffic.bytes_per_s * part.bytes_per_s / all});
    }
  }
  std::size_t set = 0;
  for (const std::uint32_t slot : active_) {
    Traffic& traffic = traffic_[slot];
    if (!traffic.of_grid) {
      if (traffic.costs[vram()] > 0) ++set;
      continue;
    }
    ByLevel<double> bytes{};
    double all = 0;
    for (const AccessedSet& part : traffic.reads.sets) {
      if (part.bytes_per_s <= 0) continue;
      const ByLevel<double> of_set = bytes_by_level(sets_[set], distance_of(set, sets_), caches_);
      for (std::size_t level = 0; level <= vram(); ++level) bytes[level] += part.bytes_per_s * of_set[level];
      all += part.bytes_per_s;
      ++set;
    }
    if (all <= 0) continue;
    for (double& of_level : bytes) of_level /= all;
    set_bytes(traffic, bytes);
  }
}

/// With all levels idle.
void MemoryLevels::find_latencies() {
  ByLevel<double> reaching{};
  double all = 0;
  for (const std::uint32_t slot : active_) {
    const Traffic& traffic = traffic_[slot];
    for (std::size_t level = 1; level <= vram(); ++level) {
      reaching[level] += traffic.bytes_per_s * std::min(1.0, traffic.bytes[level]);
    }
    all += traffic.bytes_per_s;
  }
  for (const std::uint32_t slot : active_) {
    Traffic& traffic = traffic_[slot];
    if (!traffic.of_grid) continue;
    for (std::size_t level = 1; level <= vram(); ++level) {
      traffic.slow[level] = part_slow(traffic.bytes[level], reaching[level] / all, hits_wait_);
    }
    traffic.latency_ns = latency_of(traffic);
  }
}

/// Of reads, on average. What comes to a level has been looked for in those before, so that it takes no less.
double MemoryLevels::latency_of(const Traffic& traffic) const {
  ByLevel<double> latency_ns{};
  double longest = 0;
  for (std::size_t level = 0; level <= vram(); ++level) {
    const double own = level < vram() ? caches_[level].hit_latency_ns : traffic.reads.vram_latency_ns;
    longest = latency_ns[level] = std::max(own, longest);
  }
  double average = traffic.slow[vram()] * latency_ns[vram()];
  for (std::size_t level = vram(); level-- > 0;) {
    average += (traffic.slow[level] - traffic.slow[level + 1]) * latency_ns[level];
  }
  return average;
}

/// Bytes in flight over the latency under load.
void MemoryLevels::limit_reads() {
  const std::size_t outermost = contended_.empty() ? 0 : contended_.front();
  double demand = 0;
  requests().clear();
  for (const Flow& flow : flows()) {
    ShareRequest request = flow.transfer.share;
    const Traffic& traffic = traffic_of(flow);
    if (traffic.of_grid) {
      request.limit = limit_of(static_cast<double>(request.weight) * 1e9 / traffic.latency_ns);
      demand += static_cast<double>(request.limit) * traffic.bytes[outermost];
    }
    requests().push_back(request);
  }
  if (contended_.empty() || demand <= 0) return;
  for (const std::uint32_t slot : active_) traffic_[slot].loaded_ns = traffic_[slot].latency_ns;
  for (std::size_t i = 0; i < contended_.size() && demand > 0; ++i) {
    demand = load(contended_[i], demand, i + 1 < contended_.size() ? contended_[i + 1] : 0);
  }
}

/// How much longer latencies get under a demand, as Channel says. What runs in waves asks for the same again and again.
double MemoryLevels::stretch(std::size_t level, double demand) {
  const double load = demand / left_for_reads(level);
  std::uint64_t bits = 0;
  std::memcpy(&bits, &load, sizeof bits);
  Stretch& last = stretches_[level][(bits * 0x9e3779b97f4a7c15ULL) >> 58U];
  if (last.load != load) {
    const double exponent = contention_[level];
    last = {load, std::pow(1 + std::pow(load, exponent), 1 / exponent)};
  }
  return last.longer;
}

/// Bytes a second of the level that copies and fixed-function units leave to reads: each of those takes its limit, or
/// its part by bytes in flight where that is less.
double MemoryLevels::left_for_reads(std::size_t level) {
  const auto all = static_cast<double>(capacity(level));
  const auto cost_of = [&](const Flow& flow) {
    return static_cast<double>(traffic_of(flow).costs[level]) / static_cast<double>(whole_byte);
  };
  const auto is_no_read = [this](std::uint32_t slot) { return !traffic_[slot].of_grid; };
  if (std::none_of(active_.begin(), active_.end(), is_no_read)) return all;
  double weights = 0;
  for (const Flow& flow : flows()) weights += static_cast<double>(flow.transfer.share.weight) * cost_of(flow);
  double taken = 0;
  for (const Flow& flow : flows()) {
    if (traffic_of(flow).of_grid) continue;
    const ShareRequest& share = flow.transfer.share;
    const double part = all * static_cast<double>(share.weight) / weights;
    taken += cost_of(flow) * std::min(static_cast<double>(share.limit), part);
  }
  return std::max(1.0, all - taken);
}

/// What comes to the level waits there, all equally long: until together they are as fast as it is under such a demand.
/// Returns what is then asked of `next`.
double MemoryLevels::load(std::size_t level, double demand, std::size_t next) {
  const double longer = stretch(level, demand);
  const Traffic* first = nullptr;
  bool alike = true;
  for (const std::uint32_t slot : active_) {
    const Traffic& traffic = traffic_[slot];
    if (!traffic.of_grid) continue;
    if (first == nullptr) first = &traffic;
    alike = alike && traffic.costs[level] == first->costs[level];
  }
  const double wait_ns = alike ? 0 : wait_under(level, demand / longer);
  for (const std::uint32_t slot : active_) {
    Traffic& traffic = traffic_[slot];
    traffic.loaded_ns = alike ? traffic.loaded_ns * longer : traffic.loaded_ns + traffic.slow[level] * wait_ns;
  }
  double next_demand = 0;
  for (std::size_t i = 0; i < flows().size(); ++i) {
    const Traffic& traffic = traffic_of(flows()[i]);
    if (!traffic.of_grid) continue;
    ShareRequest& request = requests()[i];
    request.limit = limit_of(alike ? static_cast<double>(request.limit) / longer
                                   : static_cast<double>(request.weight) * 1e9 / traffic.loaded_ns);
    next_demand += static_cast<double>(request.limit) * traffic.bytes[next];
  }
  return next_demand;
}

/// How long each access that is as slow as the level waits there, so that `rate` bytes/s of them come to it.
double MemoryLevels::wait_under(std::size_t level, double rate) const {
  // The sum falls and its slope does, too: each step of Newton's is short of the solution.
  constexpr int steps = 30;
  double wait_ns = 0;
  for (int step = 0; step < steps; ++step) {
    double too_much = -rate;
    double slope = 0;
    for (const std::uint32_t slot : active_) {
      const Traffic& traffic = traffic_[slot];
      if (!traffic.of_grid) continue;
      const double latency_ns = traffic.loaded_ns + traffic.slow[level] * wait_ns;
      const double come = traffic.in_flight * 1e9 / latency_ns * traffic.bytes[level];
      too_much += come;
      slope += come * traffic.slow[level] / latency_ns;
    }
    const double further_ns = too_much / slope;
    wait_ns += std::max(0.0, further_ns);
    if (further_ns <= wait_ns * 1e-12) break;
  }
  return wait_ns;
}

/// Weighted max-min fair shares of all levels' rates at once.
void MemoryLevels::share_levels() {
  const std::size_t count = flows().size();
  bool alike = true;
  for (std::size_t i = 1; i < count && alike; ++i) {
    if (flows()[i].transfer.traffic == flows()[0].transfer.traffic) continue;
    alike = traffic_of(flows()[i]).costs == traffic_of(flows()[0]).costs;
  }
  if (alike) {
    const std::uint64_t rate = count > 0 ? shares_.rate_of(traffic_of(flows()[0]).costs) : 0;
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
  costs_.clear();
  for (const Flow& flow : flows()) costs_.push_back(traffic_of(flow).costs);
  shares_.share(requests(), costs_, rates_);
  for (std::size_t i = 0; i < count; ++i) flows()[i].rate = rates_[i];
}

void MemoryLevels::log_rate() {
  Channel::log_rate();
  for (std::size_t level = 1; level <= vram(); ++level) {
    Wide moved = 0;
    for (const Flow& flow : flows()) moved += Wide{flow.rate} * traffic_of(flow).costs[level];
    Channel::log_rate(tracks_[level], static_cast<std::uint64_t>(moved >> 32));
  }
}

}  // namespace fenceline

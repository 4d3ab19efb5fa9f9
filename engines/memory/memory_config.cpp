// SPDX-License-Identifier: Apache-2.0
#include "engines/memory/memory_config.hpp"

#include "engines/memory/by_level.hpp"
#include "sim/config/fields.hpp"

#include <algorithm>
#include <set>
#include <string>

namespace fenceline {
namespace {

void describe_l2(Fields& f, CacheConfig& c, double& hits_wait) {
  f.optional("l2", static_cast<ChannelConfig&>(c), "the last-level cache, which all traffic of video memory passes");
  f.optional("l2_hit_bytes", c.hit_bytes,
             "sets of bytes accessed again and again stay in L2 up to this size, those of kernels that run together "
             "added up; 0: L2 keeps nothing",
             between(0, 1e12));
  f.optional("l2_miss_bytes", c.miss_bytes,
             "from this size on nothing of them is found; between the two the part found falls evenly with the "
             "logarithm of the size",
             between(0, 1e12));
  f.check(c.hit_bytes <= c.miss_bytes, "at least l2_hit_bytes = " + std::to_string(c.hit_bytes),
          std::to_string(c.miss_bytes), "l2_miss_bytes");
  f.optional("l2_first_loss", c.first_loss, "the fall begins at this part of l2_hit_bytes already", between(1e-3, 1));
  f.optional("l2_last_hits", c.last_hits, "the fall ends only at this many times l2_miss_bytes", between(1, 1e3));
  f.optional("l2_latency_ns", c.hit_latency_ns, "one access that L2 serves, nanoseconds", between(1e-3, 1e9));
  f.optional("l2_hits_wait", hits_wait,
             "accesses before it that an access found in L2 waits for: if one of them misses, it takes as long as a "
             "miss",
             between(0, 64));
}

/// Tracks of the memory's rates have names of their own.
void check_names(Fields& f, const std::vector<CacheConfig>& caches) {
  std::set<std::string> names = {"l2", "vram", "pcie_to_device", "pcie_to_host", "agenda"};
  for (std::size_t i = 0; i < caches.size(); ++i) {
    const std::string& name = caches[i].name;
    const std::string pointer = "/caches/" + std::to_string(i) + "/name";
    const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char ch) {
      return (ch >= 'a' && ch <= 'z') || (ch >= '0' && ch <= '9') || ch == '_';
    });
    f.check(plain, "a name of small letters, digits and _", "\"" + name + "\"", pointer);
    f.check(names.insert(name).second, "a name of its own", "\"" + name + "\" a second time", pointer);
  }
}

}  // namespace

void describe(Fields& f, MemoryConfig& c) {
  f.about("video memory and PCIe, shared by all engines");
  f.optional("source", c.source, "where the numbers are from");
  f.optional("vram", c.vram, "video memory");
  describe_l2(f, c.l2, c.l2_hits_wait);
  f.optional(
      "caches", c.caches,
      "further caches between L2 and video memory, the one next to L2 first: what none of them has served comes to "
      "the next; 2 at most");
  f.optional("pcie_to_device", c.pcie_to_device, "PCIe, host to device");
  f.optional("pcie_to_host", c.pcie_to_host, "PCIe, device to host");
  f.optional("pcie_write_vram_cost", c.pcie_write_vram_cost,
             "video-memory bytes that one byte arriving over PCIe costs (partial writes)", between(0, 100));
  f.optional("device_copy_gb_per_s", c.device_copy_gb_per_s,
             "reads and writes together of one copy within video memory at most, 1e9 bytes per second",
             between(1e-3, 1e6));
  f.optional("device_copy_setup_ns", c.device_copy_setup_ns,
             "from a copy within video memory until its first byte moves, nanoseconds", between(0, 1e9));
  f.optional("copy_bytes_in_flight", c.copy_bytes_in_flight,
             "outstanding bytes of one copy in video memory: its weight against shader accesses", between(1, 1e9));
  if (!c.caches) return;
  constexpr std::size_t most = max_levels - 2;  // beside L2 and video memory
  f.check(c.caches->size() <= most, "at most " + std::to_string(most) + " caches", std::to_string(c.caches->size()),
          "caches");
  check_names(f, *c.caches);
}

std::vector<CacheConfig> caches_of(const MemoryConfig& memory) {
  std::vector<CacheConfig> caches = {memory.l2};
  if (memory.caches) caches.insert(caches.end(), memory.caches->begin(), memory.caches->end());
  return caches;
}

bool keeps_any(const MemoryConfig& memory) {
  const auto keeps = [](const CacheConfig& cache) { return cache.hit_bytes > 0; };
  return keeps(memory.l2) || (memory.caches && std::any_of(memory.caches->begin(), memory.caches->end(), keeps));
}

}  // namespace fenceline

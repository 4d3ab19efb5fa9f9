// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/config/described.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fenceline {

/// What a published benchmark measured of a GPU.
enum class PublishedKind : std::uint8_t {
  vram_read,          ///< GB/s of a kernel that reads far more than any cache holds
  lattice_boltzmann,  ///< million cells a second of a D3Q19 lattice Boltzmann step in FP32
  fp32,               ///< TFLOP/s of FP32 fused multiply-adds, two operations each
  load_latency,       ///< ns of each of a thread's dependent loads
  pcie_to_device,     ///< GB/s of one large copy
  pcie_to_host,       ///< the same, to the host
  launch_latency,     ///< us from the host's call to the end of an empty kernel on an idle GPU
};
constexpr EnumNames<PublishedKind, 7> enum_names(PublishedKind) {
  return {{{PublishedKind::vram_read, "vram_read_gb_per_s"},
           {PublishedKind::lattice_boltzmann, "lattice_boltzmann_mcells_per_s"},
           {PublishedKind::fp32, "fp32_tflop_per_s"},
           {PublishedKind::load_latency, "load_latency_ns"},
           {PublishedKind::pcie_to_device, "pcie_to_device_gb_per_s"},
           {PublishedKind::pcie_to_host, "pcie_to_host_gb_per_s"},
           {PublishedKind::launch_latency, "launch_latency_us"}}};
}

/// A figure that others published, with where it is from.
struct PublishedFigure {
  PublishedKind figure = PublishedKind::vram_read;
  double value = 1;               ///< in the unit that the figure's name ends in
  std::string source;             ///< author and title
  std::uint32_t year = 0;         ///< of the publication or the measurement
  std::string measured;           ///< what was measured, on which card, how
  std::optional<double> set_mib;  ///< of load_latency: what the loads walk through
};
void describe(Fields& f, PublishedFigure& c);

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#include "api/validation/measured/measured_file.hpp"

#include "sim/config/config.hpp"
#include "sim/config/fields.hpp"

#include <algorithm>

namespace fenceline {

bool MeasuredFile::copies_of_vulkan() const {
  const bool device_copies = std::any_of(copies_us.begin(), copies_us.end(),
                                         [](const MeasuredCopyTime& copy) { return copy.dir == CopyDirection::d2d; });
  return !device_copies && (device.of_vulkan() || !graphics.empty() || !graphics_workloads.empty());
}

void describe(Fields& f, MeasuredFile& c) {
  f.about("measurements of hardware");
  f.optional("source", c.source, "where the numbers are from");
  f.optional("device", c.device, "what was measured");
  f.optional("workloads", c.workloads, "random workloads of several CUDA streams");
  f.optional("graphics_workloads", c.graphics_workloads, "random frames on three Vulkan queues");
  f.optional("copies_us", c.copies_us, "one copy on an idle device");
  describe_keys(f, c.microbenchmarks);
  describe_keys(f, c.graphics);
  describe_keys(f, c.overlaps);
  check_spreads(f, c.graphics, c.overlaps.quantiles);
  describe_keys(f, c.preemption);
  describe_keys(f, c.torch);
  f.optional("published", c.published, "figures that others measured and published");
  f.optional("decode_alone_us", c.decode_alone_us, "a decode step of torch_decode.kineto.json");
  f.optional("train_alone_us", c.train_alone_us, "a training step of torch_train.kineto.json");
}

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
// A stranger's program. Its own main() runs, although SystemC's library brings one.
#include <fenceline/api/machine.hpp>

#include <iostream>
#include <memory>

int main() {
  fenceline::CommandStream stream;
  stream.name = "blur";
  stream.compute_pipelines.emplace_back();
  stream.compute_pipelines.back().work.cycles = 2000;
  stream.commands.emplace_back(fenceline::Dispatch{0, 1024});

  fenceline::Machine machine(fenceline::builtin_machine("h200"));
  const auto fence = machine.create_fence("done");
  fenceline::QueueConfig compute;
  compute.name = "compute";
  compute.type = fenceline::QueueType::compute;
  const auto queue = machine.create_queue(compute);
  machine.execute(queue, std::make_shared<const fenceline::CommandStream>(stream));
  machine.signal(queue, fence, 1);
  if (!machine.run_until(fence, 1)) return 1;
  std::cout << "consumer: the fence came after " << static_cast<double>(machine.now_ps()) / 1e6 << " us\n";
}

// SPDX-License-Identifier: Apache-2.0
// A stranger's program. Its own main() runs, although SystemC's library brings one.
#include <fenceline/fenceline.hpp>

#include <iostream>

int main() {
  fenceline::Machine machine(fenceline::builtin_machine("h200"));
  const auto fence = machine.create_fence("done");
  const auto queue = machine.create_queue({"compute", fenceline::QueueType::compute});
  const auto blur = fenceline::compute_pipeline("blur", 2000);
  machine.execute(queue, fenceline::StreamBuilder("blur").dispatch(blur, 1024).finish());
  machine.signal(queue, fence, 1);
  if (!machine.run_until(fence, 1)) return 1;
  std::cout << "consumer: the fence came after " << static_cast<double>(machine.now_ps()) / 1e6 << " us\n";
}

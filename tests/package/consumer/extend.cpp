// SPDX-License-Identifier: Apache-2.0
// A stranger's program that asks a policy, and looks into a machine.
#include <fenceline/extend.hpp>
#include <fenceline/fenceline.hpp>

#include <iostream>

int main() {
  const fenceline::PolicyTraits& policy = fenceline::traits_of(fenceline::SchedulingPolicy::strict_priority);
  fenceline::Candidate low;
  fenceline::Candidate high;
  low.packet = 1;
  high.packet = 2;
  high.rank.level = 1;
  fenceline::Machine machine(fenceline::builtin_machine("tiny"));
  machine.create_queue({"compute", fenceline::QueueType::compute});
  const bool known = machine.scheduler().contexts() == 1 && machine.fences().count() == 0;
  if (fenceline::choose_context(policy, {low, high}) != 1 || !known) return 1;
  std::cout << "extend: the higher one is next\n";
}

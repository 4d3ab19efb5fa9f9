// SPDX-License-Identifier: Apache-2.0
// A random scenario as a document that people read.
#include "sim/config/config.hpp"
#include "tests/fuzz/random_scenario.hpp"
#include "tests/support/units.hpp"

#include <algorithm>

namespace fenceline::testing {
namespace {

nlohmann::ordered_json json_of(const Command& command, const CommandStream& list) {
  nlohmann::ordered_json json = {{"command", name_of(command)}};
  struct Fill {
    nlohmann::ordered_json& json;
    void draw(const Draw& draw) const {
      json["pipeline"] = draw.pipeline;
      json["vertices"] = draw.vertices;
      json["instances"] = draw.instances;
      json["triangles"] = draw.triangles;
      json["pixels"] = draw.pixels;
      json["extent_pixels"] = draw.extent_pixels;
    }
    void copy(CopyRoute route) const { json["route"] = static_cast<int>(route); }
    void operator()(const Draw& c) const { draw(c); }
    void operator()(const DrawIndexed& c) const {
      draw(c.draw);
      json["unique_vertices"] = c.unique_vertices;
    }
    void operator()(const Dispatch& c) const {
      json["pipeline"] = c.pipeline;
      json["groups"] = c.groups;
    }
    void operator()(const CopyBuffer& c) const {
      copy(c.route);
      json["bytes"] = c.bytes;
    }
    void operator()(const CopyTexture& c) const {
      copy(c.route);
      json["row_bytes"] = c.row_bytes;
      json["rows"] = c.rows;
    }
    void operator()(const Clear& c) const { json["bytes"] = c.bytes; }
    void operator()(const Barrier&) const {}
    void operator()(const Discard&) const {}
    void operator()(const Timestamp& c) const { json["slot"] = c.slot; }
    void operator()(const Resolve& c) const {
      json["bytes"] = c.bytes;
      json["samples"] = c.samples;
    }
    void operator()(const BeginQuery&) const {}
    void operator()(const EndQuery&) const {}
    void operator()(const Hang&) const {}
    void operator()(const PageFault& c) const { json["access"] = c.access; }
    void operator()(const ResolveQueryData& c) const {
      copy(c.route);
      json["bytes"] = c.bytes;
    }
    void operator()(const SetPredication& c) const {
      json["skip"] = c.skip;
      json["reads"] = c.reads;
    }
    void operator()(const BeginRenderPass& c) const { json["clear_bytes"] = c.clear_bytes; }
    void operator()(const EndRenderPass& c) const { json["resolve_bytes"] = c.resolve_bytes; }
    void operator()(const ExecuteIndirect&) const {}
  };
  std::visit(Fill{json}, command);
  if (const auto* indirect = std::get_if<ExecuteIndirect>(&command)) {
    const IndirectCall& call = list.indirect_calls[indirect->call];
    json["repeats"] = json_of(call.command, list);
    json["count"] = call.count;
    json["arguments_in_host"] = call.arguments_in_host;
  }
  return json;
}

}  // namespace

nlohmann::ordered_json json_of(const Scenario& scenario) {
  using Json = nlohmann::ordered_json;
  Json json;
  json["machine"] = dump_config(scenario.machine);
  for (const ProcessConfig& process : scenario.processes) json["processes"].push_back(dump_config(process));
  for (const QueueConfig& queue : scenario.queues) {
    json["queues"].push_back({{"name", queue.name},
                              {"type", name_of(queue.type)},
                              {"priority", static_cast<int>(queue.priority)},
                              {"path", queue.path},
                              {"process", queue.process}});
    Json& one = json["queues"].back();
    if (queue.in_process_priority) one["in_process_priority"] = *queue.in_process_priority;
    if (queue.disable_gpu_timeout) one["disable_gpu_timeout"] = true;
    if (queue.node_mask != 1) one["node_mask"] = queue.node_mask;
    if (queue.quantum_us) one["quantum_us"] = *queue.quantum_us;
    if (queue.grace_us) one["grace_us"] = *queue.grace_us;
    if (queue.grace_same_priority_us) one["grace_same_priority_us"] = *queue.grace_same_priority_us;
  }
  for (const ScenarioScreen& screen : scenario.screens) {
    Json one = {{"output", screen.output}};
    if (screen.composed_by) one["composed_by"] = *screen.composed_by;
    json["screens"].push_back(one);
  }
  for (std::size_t i = 0; i < scenario.lists.size(); ++i) {
    const auto used = [&](const Step& step) { return step.what == Step::What::execute && step.list == i; };
    if (std::none_of(scenario.steps.begin(), scenario.steps.end(), used)) continue;
    const CommandStream& list = *scenario.lists[i];
    Json pipelines = Json::array();
    for (const ComputePipeline& pipeline : list.compute_pipelines) {
      pipelines.push_back({{"threads", pipeline.group.threads},
                           {"registers_per_thread", pipeline.group.registers_per_thread},
                           {"shared_bytes", pipeline.group.shared_bytes},
                           {"cycles", pipeline.work.cycles},
                           {"alu_instructions", pipeline.work.shader.alu_instructions},
                           {"sfu_instructions", pipeline.work.shader.sfu_instructions},
                           {"vram_bytes", pipeline.work.vram_bytes},
                           {"working_set_bytes", pipeline.work.working_set_bytes}});
    }
    Json commands = Json::array();
    for (const Command& command : list.commands) commands.push_back(json_of(command, list));
    json["lists"].push_back({{"list", i}, {"compute_pipelines", pipelines}, {"commands", commands}});
    if (list.splits.offsets) json["lists"].back()["split_offsets"] = *list.splits.offsets;
    if (!list.splits.bundles.empty()) json["lists"].back()["bundles"] = list.splits.bundles;
    for (const AllocationUse& use : list.memory.uses) {
      json["lists"].back()["uses"].push_back(
          {use.command == AllocationUse::of_list ? -1 : static_cast<std::int64_t>(use.command), use.allocation});
    }
    for (const PatchLocation& patch : list.splits.patches) {
      json["lists"].back()["patches"].push_back({patch.command, patch.slot, patch.bound});
    }
  }
  for (const AllocationConfig& one : scenario.allocations) {
    json["allocations"].push_back({{"name", one.name},
                                   {"bytes", one.bytes},
                                   {"priority", one.priority},
                                   {"written", one.written},
                                   {"not_resident", one.not_resident},
                                   {"fill", one.fill},
                                   {"paging_hangs", one.paging_hangs}});
  }
  for (const auto& [process, known] : scenario.known) json["known"][process] = known;
  for (const Step& step : scenario.steps) {
    Json one = {{"at_us", static_cast<double>(step.at_ps) / static_cast<double>(us)}};
    switch (step.what) {
      case Step::What::execute: one["execute"] = step.list; break;
      case Step::What::signal: one["signal"] = step.fence; break;
      case Step::What::wait: one["wait"] = step.fence; break;
      case Step::What::cpu_signal: one["cpu_signal"] = step.fence; break;
      case Step::What::preempt: one["preempt"] = true; break;
      case Step::What::focus: one["focus"] = true; break;  // to the queue's process
      case Step::What::set_priority: one["in_process_priority"] = step.priority; break;
      case Step::What::set_process_priority: one["process_priority"] = step.priority; break;  // of the queue's process
      case Step::What::suspend: one["suspend"] = true; break;
      case Step::What::resume: one["resume"] = true; break;
      case Step::What::present: one[step.tearing ? "present, tearing" : "present"] = true; break;
      case Step::What::compose: one["compose"] = true; break;
      case Step::What::create_device: one["create_device"] = true; break;       // of the queue's process
      case Step::What::make_resident: one["make_resident"] = step.list; break;  // the same
      case Step::What::evict: one["evict"] = step.list; break;                  // the same
      case Step::What::set_residency_priority: one["set_residency_priority"] = step.list; break;
      case Step::What::reserve: one["reserve"] = true; break;  // for the queue's process
    }
    if (step.what != Step::What::cpu_signal) one["queue"] = step.queue;
    if (step.value > 0) one["value"] = step.value;
    json["steps"].push_back(one);
  }
  return json;
}

}  // namespace fenceline::testing

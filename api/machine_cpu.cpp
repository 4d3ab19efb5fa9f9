// SPDX-License-Identifier: Apache-2.0
// Machine, its CPU side: cores, and background processing of each process's device.
#include "api/machine_parts.hpp"

#include <stdexcept>
#include <utility>

namespace fenceline {
BackgroundProcessing& Machine::Parts::background_of(const std::string& process) {
  std::unique_ptr<BackgroundProcessing>& one = background[process];
  if (one == nullptr) {
    const std::string track = process.empty() ? "adapter.background" : "adapter.background." + process;
    one = std::make_unique<BackgroundProcessing>(config.background_processing, hardware->cpu, log, track);
  }
  return *one;
}

void Machine::compute(std::uint64_t work_ps, Callback done, std::uint64_t thread) {
  if (!done) throw std::invalid_argument("compute: no callback");
  inside([&](Hardware& hardware) { hardware.cpu.start(work_ps, CpuPriority::normal, done, thread); });
}

ModeAnswer Machine::set_background_processing_mode(const std::string& process, const ModeRequest& request,
                                                   std::function<void()> completed) {
  ModeAnswer answer;
  inside([&](Hardware&) { answer = parts_->background_of(process).runtime().set_mode(request, std::move(completed)); });
  return answer;
}

bool Machine::queue_processing_work(const std::string& process, TaskMethod callback, TaskMethod cancel, void* context,
                                    const TaskInfo& info) {
  bool queued = false;
  inside([&](Hardware&) {
    queued = parts_->background_of(process).tasks().queue_processing_work(callback, cancel, context, info);
  });
  return queued;
}

PgoDriver* Machine::pgo_driver(const std::string& process) {
  if (!parts_->config.background_processing.supported) return nullptr;
  return parts_->background_of(process).driver();
}

void Machine::name_task_subject(const std::string& process, std::uint64_t subject, const std::string& name) {
  parts_->background_of(process).name_subject(subject, name);
}

std::map<std::string, BackgroundStatistics> Machine::background_statistics() const {
  std::map<std::string, BackgroundStatistics> statistics;
  for (const auto& [process, background] : parts_->background) statistics[process] = background->statistics();
  return statistics;
}

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
// Machine, its CPU side: cores, and background processing of each process's device.
#include "api/machine_parts.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace fenceline {
BackgroundProcessing& Machine::Parts::background_of(const std::string& process) {
  std::unique_ptr<BackgroundProcessing>& one = background[process];
  if (one == nullptr) {
    const std::string track = process.empty() ? "adapter.background" : "adapter.background." + process;
    one = std::make_unique<BackgroundProcessing>(config.background_processing, hardware->cpu, log, track, when_news);
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
  inside([&](Hardware&) { answer = parts_->background_of(process).set_mode(request, std::move(completed)); });
  return answer;
}

void Machine::end_background_processing() {
  inside([this](Hardware&) {
    for (const auto& [process, background] : parts_->background) background->end();
  });
}

bool Machine::queue_processing_work(const std::string& process, TaskMethod callback, TaskMethod cancel, void* context,
                                    const TaskInfo& info) {
  bool queued = false;
  inside([&](Hardware&) {
    BackgroundProcessing& background = parts_->background_of(process);
    queued = background.tasks().queue_processing_work(callback, cancel, context, info);
    background.take_news();
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

bool Machine::Parts::tasks_have_news() const {
  return std::any_of(background.begin(), background.end(), [](const auto& one) { return one.second->has_news(); });
}

bool Machine::has_news() const { return !failed() && (fences().has_news() || parts_->tasks_have_news()); }

void Machine::take_news() {
  inside([this](Hardware& hardware) {
    hardware.fences.take_news();
    for (const auto& [process, background] : parts_->background) background->take_news();
  });
}

bool Machine::working_elsewhere() const {
  const auto& all = parts_->background;
  // In this order: what a worker has told before it came to rest is there.
  return std::any_of(all.begin(), all.end(), [](const auto& one) { return one.second->working(); }) ||
         parts_->tasks_have_news();
}

void Machine::when_news(std::function<void()> call) { parts_->when_news = std::move(call); }

/// Nothing is left in simulated time. True: host threads had news, which have been taken.
bool Machine::await_news() {
  while (working_elsewhere()) {
    if (parts_->tasks_have_news()) {
      take_news();
      return true;
    }
    for (const auto& [process, background] : parts_->background) {
      if (background->working()) background->wait_for_news();
    }
  }
  return false;
}

PipelineCreations& Machine::pipeline_creations(const std::string& process, const std::string& program) {
  std::unique_ptr<PipelineCreations>& one = parts_->pipeline_creations[process];
  if (one != nullptr) return *one;
  std::unique_ptr<ImplicitCaches>& caches = parts_->implicit_caches[program];
  if (caches == nullptr) {
    caches = std::make_unique<ImplicitCaches>(config().shader_cache, CacheDriver{config().name, parts_->driver_version},
                                              program);
  }
  one = std::make_unique<PipelineCreations>(*caches, parts_->log,
                                            "adapter.pipelines" + (process.empty() ? "" : "." + process));
  return *one;
}

void Machine::update_driver() {
  ++parts_->driver_version;
  for (const auto& [program, caches] : parts_->implicit_caches) {
    caches->update_driver({config().name, parts_->driver_version});
  }
}

std::map<std::string, CreationStatistics> Machine::creation_statistics() const {
  std::map<std::string, CreationStatistics> statistics;
  for (const auto& [process, one] : parts_->pipeline_creations) {
    if (one->statistics().created > 0) statistics[process] = one->statistics();
  }
  return statistics;
}

std::map<std::string, BackgroundStatistics> Machine::background_statistics() const {
  std::map<std::string, BackgroundStatistics> statistics;
  for (const auto& [process, background] : parts_->background) statistics[process] = background->statistics();
  return statistics;
}

}  // namespace fenceline

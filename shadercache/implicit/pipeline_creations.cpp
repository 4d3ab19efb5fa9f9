// SPDX-License-Identifier: Apache-2.0
#include "shadercache/implicit/pipeline_creations.hpp"

#include <utility>

namespace fenceline {

PipelineCreations::PipelineCreations(ImplicitCaches& caches, EventLog& log, const std::string& track)
    : caches_(caches), log_(log), track_(log.name(track)) {}

BegunCreation PipelineCreations::begin(CreatedPipeline pipeline, const std::string& name, std::uint64_t now_ps) {
  return {caches_.begin(std::move(pipeline)), name, now_ps};
}

void PipelineCreations::end(const BegunCreation& creation, std::uint64_t now_ps) {
  const PipelineCreation& takes = creation.takes;
  caches_.end(takes);
  ++statistics_.created;
  if (takes.compiles) ++statistics_.compiled;
  for (const bool converts : takes.converts) ++(converts ? statistics_.converted : statistics_.conversions_found);
  statistics_.cpu_ps += takes.cpu_ps;
  if (!log_.enabled()) return;
  const char* const what = takes.compiles ? "compile " : "look up ";
  log_.span({track_, SpanKind::pipeline, log_.name(what + creation.name), creation.began_ps, now_ps, 0});
}

}  // namespace fenceline

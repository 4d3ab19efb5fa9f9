// SPDX-License-Identifier: Apache-2.0
#include "engines/memory/access_cost.hpp"

namespace fenceline {

std::optional<std::uint64_t> access_bytes(const Command& command) {
  if (const auto* clear = std::get_if<Clear>(&command)) return clear->bytes;
  if (const auto* resolve = std::get_if<Resolve>(&command)) return resolve->bytes * (resolve->samples + 1ull);
  if (const auto* begin = std::get_if<BeginRenderPass>(&command)) return begin->clear_bytes;
  if (const auto* end = std::get_if<EndRenderPass>(&command)) return end->resolve_bytes;
  return std::nullopt;
}

}  // namespace fenceline

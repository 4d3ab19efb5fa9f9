// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/import/kineto_trace.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>

namespace fenceline {

/// Reads a trace from front to back in memory that grows with the GPU's operations (about 100 bytes each) and with the
/// distinct kernel names, not with the file. `progress` hears of bytes read and the file's size. Everything that is no
/// GPU work is skipped, whatever it holds; numbers may be written as strings. Throws ConfigError for text that is no
/// JSON (with the byte offset), a document that is no trace, and GPU operations with missing or impossible members.
KinetoTrace read_kineto(const std::filesystem::path& file,
                        const std::function<void(std::uint64_t, std::uint64_t)>& progress = {});

}  // namespace fenceline

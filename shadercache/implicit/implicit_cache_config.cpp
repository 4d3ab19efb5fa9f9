// SPDX-License-Identifier: Apache-2.0
#include "shadercache/implicit/implicit_cache_config.hpp"

#include "sim/config/fields.hpp"
#include "sim/config_error.hpp"

namespace fenceline {

void describe(Fields& f, ImplicitCacheConfig& c) {
  f.about("what creating pipeline states costs, and the implicit shader caches that spare it");
  f.optional("source", c.source, "where the numbers are from");
  f.optional(
      "start", c.start,
      "what the caches hold when a run begins: nothing, all that will be asked for, or after a driver update all "
      "conversions and no compilation");
  f.optional("directory", c.directory,
             "a directory of cache files that a run begins with and leaves for the next one; empty: in memory, gone "
             "with the run; with --set alone: no document says where a run writes");
  f.optional("compilations_kept_by", c.compilations_kept_by,
             "whose cache has what the driver compiled: D3D12's for the driver, the driver's own, or nobody's");
  f.optional("converts_dxbc", c.converts_dxbc,
             "the driver takes DXIL alone, so that D3D12 converts DXBC shaders and keeps the results");
  f.optional("compile_us", c.compile_us, "CPU time of a compilation by the driver, and besides, us", between(0, 1e9));
  f.optional("compile_us_per_instruction", c.compile_us_per_instruction,
             "for each instruction of the pipeline state's programs (code_instructions), us", between(0, 1e6));
  f.optional("convert_us", c.convert_us, "CPU time of a shader's conversion from DXBC to DXIL, and besides, us",
             between(0, 1e9));
  f.optional("convert_us_per_instruction", c.convert_us_per_instruction,
             "for each instruction of the shader's program, us", between(0, 1e6));
  f.optional("look_up_us", c.look_up_us, "CPU time where a cache has the result, and besides, us", between(0, 1e9));
  f.optional("look_up_us_per_instruction", c.look_up_us_per_instruction,
             "for each instruction of what was compiled or converted, us", between(0, 1e6));
  f.optional("driver_revision", c.driver_revision, "last word of the driver's version", between(0, 65535));
  f.check(c.directory.empty() || c.start == CacheStart::cold, "nothing beside start", in_quotes(c.directory),
          "directory");
}

}  // namespace fenceline

// SPDX-License-Identifier: Apache-2.0
#include "api/workload/pipelines/pipeline_info.hpp"

#include "sim/config/fields.hpp"

#include <optional>
#include <string>

namespace fenceline {
namespace {

void describe_folded(Fields& f, std::optional<FoldedParts>& folded) {
  f.optional("folded", folded,
             "what a variant for the root constants that are bound saves; absent: the machine's "
             "/background_processing/folded");
}

void describe_shader(Fields& f, ShaderCost& c) {
  const Range per_thread = between(0, 1e9);
  f.optional("alu_instructions", c.alu_instructions, "FP32 and INT32 instructions of a thread", per_thread);
  f.optional("sfu_instructions", c.sfu_instructions, "transcendental instructions of a thread", per_thread);
  f.optional("texture_samples", c.texture_samples, "bilinear texture samples of a thread", per_thread);
  f.optional("shared_accesses", c.shared_accesses, "4-byte accesses of a thread to group-shared memory", per_thread);
  f.optional("code_instructions", c.code_instructions,
             "instructions of the program, each once, however often loops execute it: what compiling takes goes by it; "
             "0: those that a thread executes, at most 4,096",
             per_thread);
  f.optional("texture_bytes_per_sample", c.texture_bytes_per_sample,
             "bytes of a texture sample that the texture caches of the SMs do not hold: they pass L2",
             between(0, 1024));
  f.optional("texture_working_set_bytes", c.texture_working_set_bytes,
             "bytes of textures that the draw or dispatch samples again and again, so that L2 may serve them; 0: every "
             "byte once",
             between(0, 1e13));
}

void describe_dxbc(Fields& f, bool& dxbc) {
  f.optional("dxbc", dxbc,
             "its code is DXBC: creating it converts that for drivers that take DXIL alone; where absent, bytecode "
             "says it, else it is DXIL");
}

void describe_label(Fields& f, std::string& label) {
  f.optional("label", label,
             "what files of a run call it, where names have to differ and those do not; empty: its name");
}

}  // namespace

void describe(Fields& f, ShaderCost& c) {
  f.about("instruction mix of a shader, per thread");
  describe_shader(f, c);
}

void describe(Fields& f, ComputePipeline& c) {
  f.about("a compute pipeline state: what one thread group needs and costs");
  f.required("name", c.name, "name of the pipeline state");
  f.optional("threads", c.group.threads, "threads of a group", between(1, 1024));
  f.optional("registers_per_thread", c.group.registers_per_thread, "32-bit registers", between(0, 255));
  f.optional("shared_bytes", c.group.shared_bytes, "group-shared memory of a group", between(0, 1e7));
  f.optional("group_cycles", c.work.cycles, "SM cycles a group takes", between(0, 1e15));
  describe_shader(f, c.work.shader);
  f.optional("group_bytes", c.work.vram_bytes, "bytes of video memory a group streams", between(0, 1e12));
  f.optional("working_set_bytes", c.work.working_set_bytes,
             "bytes that the dispatch accesses again and again, so that L2 may serve them; 0: every byte once",
             between(0, 1e13));
  f.optional("bytes_in_flight_per_thread", c.work.bytes_in_flight_per_thread,
             "outstanding memory accesses of a thread, bytes", between(1, 65536));
}

void describe(Fields& f, GraphicsPipeline& c) {
  f.about("a graphics pipeline state: what vertices and pixels cost");
  f.required("name", c.name, "name of the pipeline state");
  f.optional("vertex_shader", c.vertex_shader, "of each vertex");
  f.optional("pixel_shader", c.pixel_shader, "of each pixel");
  f.optional("registers_per_thread", c.registers_per_thread, "32-bit registers", between(0, 255));
  f.optional("bytes_per_pixel", c.bytes_per_pixel, "written to the render targets, all samples", between(0, 4096));
  f.optional("bytes_per_vertex", c.bytes_per_vertex, "fetched from vertex buffers", between(0, 4096));
  f.optional("depth_bytes_per_pixel", c.depth_bytes_per_pixel,
             "read and written by the depth test, all samples; 0: none", between(0, 256));
  f.optional("blend", c.blend, "render targets are read as well as written");
}

void describe(Fields& f, ComputePipelineInfo& c) {
  describe(f, static_cast<ComputePipeline&>(c));
  describe_label(f, c.label);
  f.optional(
      "bytecode", c.bytecode,
      "file beside the workload with compiled code (a DXBC container) whose STAT part says alu_instructions, "
      "texture_samples and registers_per_thread where they are absent here; loops count once; code without these "
      "statistics, DXIL for one, leaves the defaults");
  describe_dxbc(f, c.dxbc);
  describe_folded(f, c.folded);
}

void describe(Fields& f, GraphicsPipelineInfo& c) {
  describe(f, static_cast<GraphicsPipeline&>(c));
  describe_label(f, c.label);
  f.optional(
      "vertex_bytecode", c.vertex_bytecode,
      "file beside the workload with compiled code of the vertex shader, for what is absent in vertex_shader and "
      "registers_per_thread, as bytecode of a compute pipeline");
  f.optional("pixel_bytecode", c.pixel_bytecode,
             "the same of the pixel shader; the shader with more registers decides, up to 64");
  describe_dxbc(f, c.dxbc);
  describe_folded(f, c.folded);
}

}  // namespace fenceline

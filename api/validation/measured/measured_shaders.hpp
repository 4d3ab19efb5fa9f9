// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// What one thread of the measured shaders and kernels executes, as ShaderCost counts it. The files in bench/hardware
/// say how often each shader loops; what a loop and the rest of a shader cost is said here and nowhere else.
namespace fenceline::measured_shaders {

/// One loop is two dependent FMAs and the loop's own instructions. graphics.json, compute_loops_us: from 9 to 80 groups
/// on each SM a group takes 5.51 SM cycles a loop, and an SM issues 4 warp instructions a cycle: 5.51 * 4 / 8 warps.
constexpr double alu_per_loop = 2.755;
/// The rest of a thread of the looping dispatches. Assumption: index, bounds check, store.
constexpr double compute_fixed_alu = 55;
/// The rest of a pixel. graphics.json, pixel_fill_us: where a loop begins to show.
constexpr double pixel_fixed_alu = 39;
/// A vertex. Assumption: position from the vertex's number.
constexpr double vertex_fixed_alu = 10;

/// Threads of a group of the dispatches.
constexpr std::uint32_t group_threads = 256;
/// The render target, over which the triangles of a draw are spread.
constexpr std::uint64_t target_pixels = std::uint64_t{4096} * 4096;
/// RGBA8.
constexpr std::uint32_t bytes_per_pixel = 4;
/// draw_calls_us: each draw has so many triangles. Their size was not written down: as triangles_us of this edge they
/// cost less than the measured time of a draw, while those of 8 pixels would cost more.
constexpr std::uint64_t triangles_of_small_draw = 10;
constexpr double small_triangle_edge_px = 1.5;

/// copies_us: what the host takes for a copy over PCIe beyond any other call. The event before it has passed on the
/// idle device long before, so that this shows: 10.0 us for 4 KiB, of which workloads.json shows 5.5 as the copy's own.
constexpr double copy_call_us = 1.2;

/// launch: threads of the empty kernels (1056 groups of them fill every SM once). Assumption.
constexpr std::uint32_t empty_kernel_threads = 256;
/// bandwidth_sharing: the kernel that reads 8 GiB, an assumption: so many full waves of groups of 256 threads, one
/// 16-byte load in flight per thread.
constexpr std::uint64_t streaming_groups = std::uint64_t{132} * 8 * 8;
constexpr std::uint64_t streaming_bytes = std::uint64_t{8} << 30;

/// l2_us: of the 16 bytes of a load so many are in flight on average. Assumption: in the rest of its time a thread
/// works out where in the set its next load is, a remainder. Beside it the L2 latency that other kernels showed holds.
constexpr std::uint32_t walk_bytes_in_flight = 13;

/// async_overlap: the draw is two draws with so many loops (spread.json).
constexpr std::uint64_t overlapped_draws = 2;
constexpr std::uint64_t overlapped_draw_loops = 64;

/// fill_overlap.json: pixels of the large triangle. Eight such draws without loops take 1199.7 us, as pixel_fill_us
/// says of this many.
constexpr std::uint64_t large_triangle_pixels = 2'097'152;

/// context_preemption.json: pixels of each draw of the background. Not written down; as long as a list's draws take on
/// another H200, where each was half of a 2048x2048 target.
constexpr std::uint64_t background_draw_pixels = 2'097'152;
/// context_preemption.json: between two samples the host sleeps at least so long, and up to so much longer.
constexpr double least_sleep_us = 3000;
constexpr double sleep_range_us = 4286;

/// gv100: a kernel takes so many times its `kernel_time`. level1.dat: the plateau of the long kernels, eight kernels
/// deep.
constexpr double gv100_kernel_stretch = 1.292;
/// gv100, level1.dat: how many kernels the hardware holds at most.
constexpr double gv100_kernels_held = 8;
/// level2.dat: the queue is asked to stop at most so long after it has gone on. What is left of a kernel of
/// 1900 us is never less than 1.6 ms.
constexpr double gv100_longest_rest_us = 870;

}  // namespace fenceline::measured_shaders

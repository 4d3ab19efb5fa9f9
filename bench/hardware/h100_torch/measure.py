# SPDX-License-Identifier: Apache-2.0
"""Two PyTorch jobs in two streams of one process, measured on this machine's GPU: what each takes alone, and beside the
other. Writes OUT/torch_mixes.json, a Kineto trace of each job alone (OUT/traces/JOB.kineto.json.gz: five steps)
and, with --traces, of each pair. bench/hardware/README.md says what the figures are.

usage: measure.py OUT [--samples N] [--traces] [--only JOB]      (--only: runs JOB a few times and ends, for a profiler)
"""
import argparse
import gzip
import json
import os
import threading
import time

import torch
import torch.nn.functional as F
from torch import nn

DEVICE = "cuda"
SLEEP_S = 3e-3


class Bottleneck(nn.Module):
    def __init__(self, inside, width, stride):
        super().__init__()
        out = 4 * width
        self.a = nn.Sequential(nn.Conv2d(inside, width, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(inplace=True))
        self.b = nn.Sequential(nn.Conv2d(width, width, 3, stride, 1, bias=False), nn.BatchNorm2d(width),
                               nn.ReLU(inplace=True))
        self.c = nn.Sequential(nn.Conv2d(width, out, 1, bias=False), nn.BatchNorm2d(out))
        self.skip = None
        if stride != 1 or inside != out:
            self.skip = nn.Sequential(nn.Conv2d(inside, out, 1, stride, bias=False), nn.BatchNorm2d(out))

    def forward(self, x):
        skip = x if self.skip is None else self.skip(x)
        return F.relu(self.c(self.b(self.a(x))) + skip, inplace=True)


def resnet(blocks=(3, 4, 6, 3)):
    layers = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1)]
    inside = 64
    for stage, count in enumerate(blocks):
        width = 64 << stage
        for i in range(count):
            layers.append(Bottleneck(inside, width, 2 if stage > 0 and i == 0 else 1))
            inside = 4 * width
    layers += [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inside, 1000)]
    return nn.Sequential(*layers).to(DEVICE, torch.bfloat16).to(memory_format=torch.channels_last)


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x, cache=None):
        batch, tokens, width = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(batch, tokens, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        if cache is not None:
            k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
        a = F.scaled_dot_product_attention(q, k, v, is_causal=cache is None)
        x = x + self.out(a.transpose(1, 2).reshape(batch, tokens, width))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


def transformer(layers, width, heads):
    return nn.ModuleList([Block(width, heads) for _ in range(layers)]).to(DEVICE, torch.bfloat16)


def decode_job(batch, layers, width, heads, tokens):
    """One token for each of `batch` sequences, whose keys and values of `tokens` tokens are appended to."""
    blocks = transformer(layers, width, heads).eval()
    x = torch.randn(batch, 1, width, device=DEVICE, dtype=torch.bfloat16)
    caches = [[torch.randn(batch, heads, tokens, width // heads, device=DEVICE, dtype=torch.bfloat16) for _ in "kv"]
              for _ in blocks]

    @torch.no_grad()
    def step():
        y = x
        for block, cache in zip(blocks, caches):
            y = block(y, cache)
        return y

    return step


def prefill_job(batch, layers, width, heads, tokens):
    blocks = transformer(layers, width, heads).eval()
    x = torch.randn(batch, tokens, width, device=DEVICE, dtype=torch.bfloat16)

    @torch.no_grad()
    def step():
        y = x
        for block in blocks:
            y = block(y)
        return y

    return step


def language_train_job(batch, layers, width, heads, tokens):
    blocks = transformer(layers, width, heads)
    x = torch.randn(batch, tokens, width, device=DEVICE, dtype=torch.bfloat16)
    optimizer = torch.optim.AdamW(blocks.parameters(), lr=1e-4, capturable=True, foreach=True)

    def step():
        optimizer.zero_grad(set_to_none=False)
        y = x
        for block in blocks:
            y = block(y)
        y.float().pow(2).mean().backward()
        optimizer.step()

    return step


def vision_train_job(batch):
    model = resnet()
    x = torch.randn(batch, 3, 224, 224, device=DEVICE, dtype=torch.bfloat16).to(memory_format=torch.channels_last)
    wanted = torch.randint(0, 1000, (batch,), device=DEVICE)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9, foreach=True)

    def step():
        optimizer.zero_grad(set_to_none=False)
        F.cross_entropy(model(x).float(), wanted).backward()
        optimizer.step()

    return step


def vision_job(batch):
    model = resnet().eval()
    x = torch.randn(batch, 3, 224, 224, device=DEVICE, dtype=torch.bfloat16).to(memory_format=torch.channels_last)

    @torch.no_grad()
    def step():
        return model(x)

    return step


def stream_job(mib, rounds):
    """Element by element through tensors that no cache holds: bound by device memory."""
    a, b, c = (torch.randn(mib << 18, device=DEVICE) for _ in range(3))

    @torch.no_grad()
    def step():
        for _ in range(rounds):
            torch.add(a, b, out=c)
            torch.mul(c, b, out=a)
            a.clamp_(-1, 1)

    return step


JOBS = {
    "decode": lambda: decode_job(4, 16, 2048, 16, 2048),
    "decode_wide": lambda: decode_job(32, 12, 1024, 16, 512),
    "vision": lambda: vision_job(16),
    "prefill": lambda: prefill_job(1, 6, 2048, 16, 2048),
    "train": lambda: vision_train_job(96),
    "language_train": lambda: language_train_job(8, 6, 1024, 16, 512),
    "stream": lambda: stream_job(192, 4),
}
# the job whose steps are asked for one by one, the one that runs all the time
PAIRS = [
    ("decode", "train"), ("decode", "language_train"), ("decode", "prefill"), ("decode", "stream"),
    ("decode_wide", "train"), ("decode_wide", "language_train"), ("decode_wide", "prefill"),
    ("vision", "train"), ("vision", "language_train"), ("vision", "stream"),
    ("prefill", "train"), ("prefill", "language_train"),
]
# a third, that no model was fitted to
KEPT_OUT = [("decode", "language_train"), ("decode_wide", "prefill"), ("vision", "train"), ("prefill", "train")]


class Job:
    """A step as a CUDA graph. Kernels of a graph have the priority of the stream that it was captured in."""

    def __init__(self, step, priority):
        self.stream = torch.cuda.Stream(priority=priority)
        with torch.cuda.stream(self.stream):
            for _ in range(3):
                step()
        torch.cuda.synchronize()
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph, stream=self.stream):
            self.kept = step()
        torch.cuda.synchronize()

    def run(self):
        """Enqueues a step between two events."""
        before, after = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        with torch.cuda.stream(self.stream):
            before.record()
            self.graph.replay()
            after.record()
        return before, after


def asked_for(job, samples):
    times = []
    for i in range(samples):
        before, after = job.run()
        after.synchronize()
        times.append(before.elapsed_time(after) * 1e3)
        time.sleep(SLEEP_S * (1 + i % 7 / 7))
    return times


def kept_going(job, stop, times):
    """Two steps are always enqueued: where one has ended, the next goes behind the other."""
    enqueued = [job.run(), job.run()]
    while not stop.is_set():
        before, after = enqueued.pop(0)
        after.synchronize()
        enqueued.append(job.run())
        times.append(before.elapsed_time(after) * 1e3)
    torch.cuda.synchronize()


def beside(one, other, samples):
    stop, times = threading.Event(), []
    thread = threading.Thread(target=kept_going, args=(other, stop, times))
    thread.start()
    time.sleep(0.2)
    del times[:]
    mine = asked_for(one, samples)
    theirs = list(times)
    stop.set()
    thread.join()
    torch.cuda.synchronize()
    return mine, theirs


def quantiles(values):
    values = sorted(values)
    at = lambda q: values[min(len(values) - 1, int(q * len(values)))]
    return {"n": len(values), "min": values[0], "p50": at(.5), "p90": at(.9), "p99": at(.99),
            "max": values[-1], "mean": sum(values) / len(values)}


WANTED = ("device", "stream", "correlation", "registers per thread", "shared memory", "grid", "block", "bytes")


def profiled(run, path):
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profiler:
        run()
        torch.cuda.synchronize()
    whole = path + ".whole"
    profiler.export_chrome_trace(whole)
    with open(whole) as file:
        events = json.load(file)["traceEvents"]
    os.remove(whole)
    kept = [{**{k: e[k] for k in ("ph", "cat", "name", "ts", "dur", "pid", "tid")},
             "args": {k: v for k, v in e["args"].items() if k in WANTED}}
            for e in events if e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset")]
    with gzip.open(path, "wt") as file:
        json.dump({"traceEvents": kept}, file, separators=(",", ":"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("--samples", type=int, default=200)
    parser.add_argument("--traces", action="store_true")
    parser.add_argument("--only")
    options = parser.parse_args()
    torch.manual_seed(1)
    torch.backends.cudnn.benchmark = True
    if options.only:
        step = JOBS[options.only]()
        for _ in range(4):
            step()
        torch.cuda.synchronize()
        torch.cuda.profiler.start()
        step()
        torch.cuda.synchronize()
        torch.cuda.profiler.stop()
        return
    traces = f"{options.out}/traces"
    os.makedirs(traces, exist_ok=True)
    steps = {name: make() for name, make in JOBS.items()}
    equal = {name: Job(step, 0) for name, step in steps.items()}
    high = {name: Job(steps[name], -1) for name in sorted({one for one, _ in PAIRS})}
    result = {"source": f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}, measure.py",
              "torch_jobs": [], "torch_pairs": []}
    for name, job in equal.items():
        asked_for(job, 20)
        asked_us = quantiles(asked_for(job, options.samples))
        trace = f"{name}.kineto.json.gz"
        profiled(lambda: asked_for(job, 5), f"{traces}/{trace}")
        times, stop = [], threading.Event()
        threading.Timer(1.0, stop.set).start()
        kept_going(job, stop, times)
        result["torch_jobs"].append({"job": name, "trace_file": f"traces/{trace}", "asked_us": asked_us,
                                     "kept_us": quantiles(times[2:])})
        print(result["torch_jobs"][-1], flush=True)
    for priority, jobs in (("equal", equal), ("high", high)):
        for one, other in PAIRS:
            mine, theirs = beside(jobs[one], equal[other], options.samples)
            result["torch_pairs"].append({"asked": one, "kept": other, "priority": priority,
                                          "kept_out": (one, other) in KEPT_OUT, "asked_us": quantiles(mine),
                                          "kept_us": quantiles(theirs)})
            print(result["torch_pairs"][-1], flush=True)
            if options.traces:
                profiled(lambda: beside(jobs[one], equal[other], 4),
                         f"{traces}/{one}+{other}.{priority}.kineto.json.gz")
    with open(f"{options.out}/torch_mixes.json", "w") as file:
        json.dump(result, file, indent=1)


if __name__ == "__main__":
    main()

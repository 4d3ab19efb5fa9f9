// SPDX-License-Identifier: Apache-2.0
#include "api/validation/measured/measured_torch.hpp"

#include "api/import/read_kineto.hpp"
#include "sim/config/fields.hpp"
#include "sim/config_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace fenceline {

void describe(Fields& f, MeasuredTorchJob& c) {
  f.required("job", c.job, "its name");
  f.required("trace_file", c.trace_file, "a Kineto trace of some of its steps alone, relative to this file");
  f.required("asked_us", c.asked_us, "a step that is asked for, waited for, and followed by a sleep");
  f.required("kept_us", c.kept_us, "a step of which two are always enqueued");
}

void describe(Fields& f, MeasuredTorchPair& c) {
  f.required("asked", c.asked, "the job whose steps are asked for one by one");
  f.required("kept", c.kept, "the job that is kept going");
  f.required("priority", c.priority, "of the asked job's stream");
  f.optional("kept_out", c.kept_out, "not among what the model was fitted to");
  f.required("asked_us", c.asked_us, "a step that is asked for");
  f.required("kept_us", c.kept_us, "a step of the job that is kept going");
}

void describe_keys(Fields& f, MeasuredTorch& c) {
  f.optional("torch_jobs", c.jobs, "PyTorch jobs, each alone");
  f.optional("torch_pairs", c.pairs, "two of these jobs in two streams of one process");
}

void read_traces(MeasuredTorch& torch, const std::string& file) {
  const std::filesystem::path directory = std::filesystem::path(file).parent_path();
  for (std::size_t i = 0; i < torch.jobs.size(); ++i) {
    MeasuredTorchJob& job = torch.jobs[i];
    const std::filesystem::path path = directory / job.trace_file;
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) {
      throw ConfigError(file, fmt::format("/torch_jobs/{}/trace_file", i), "a Kineto trace beside this file",
                        in_quotes(job.trace_file));
    }
    job.trace = std::make_shared<const KinetoTrace>(read_kineto(path));
  }
  for (std::size_t i = 0; i < torch.pairs.size(); ++i) {
    const auto check = [&](const char* key, const std::string& name) {
      const bool known = std::any_of(torch.jobs.begin(), torch.jobs.end(),
                                     [&](const MeasuredTorchJob& job) { return job.job == name; });
      if (known) return;
      throw ConfigError(file, fmt::format("/torch_pairs/{}/{}", i, key), "one of the jobs of torch_jobs",
                        in_quotes(name));
    };
    check("asked", torch.pairs[i].asked);
    check("kept", torch.pairs[i].kept);
  }
}

}  // namespace fenceline

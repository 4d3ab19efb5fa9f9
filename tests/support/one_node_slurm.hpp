// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/temporary_directory.hpp"

#include <fmt/format.h>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>

namespace fenceline::testing {

/// A Slurm of one node, with daemons and files of its own, as the present user on the loopback interface. `SLURM_CONF`
/// leads this process and its children there while it lives.
class OneNodeSlurm {
 public:
  explicit OneNodeSlurm(unsigned processors) {
    for (const char* const program : {"munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "sinfo"}) {
      if (std::system(fmt::format("command -v {} >/dev/null", program).c_str()) != 0) {
        why_not_ = fmt::format("{} is not installed (Debian: slurm-wlm munge)", program);
        return;
      }
    }
    for (const char* const folder : {"state", "spool"}) std::filesystem::create_directory(place_ / folder);
    write_file(place_ / "slurm.conf", configuration(processors));
    ::setenv("SLURM_CONF", (place_ / "slurm.conf").c_str(), 1);
    const std::string steps[] = {
        "head -c 1024 /dev/urandom >{0}/munge.key && chmod 600 {0}/munge.key",
        "munged --key-file={0}/munge.key --socket={0}/munge.socket --pid-file={0}/munged.pid --log-file={0}/munged.log "
        "--seed-file={0}/munge.seed --force",
        "slurmctld -f {0}/slurm.conf", "slurmd -f {0}/slurm.conf"};
    for (const std::string& step : steps) {
      const std::string command = fmt::format(fmt::runtime(step), (place_ / "").string());
      if (std::system(("{ " + command + "; } >>" + (place_ / "said").string() + " 2>&1").c_str()) != 0) {
        why_not_ = command + ": " + contents_of(place_ / "said");
        return;
      }
    }
    for (int i = 0; i < 300; ++i) {
      if (std::system("sinfo --noheader --format=%T 2>/dev/null | grep -q idle") == 0) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    why_not_ = "its node does not become idle";
  }
  ~OneNodeSlurm() {
    for (const char* const daemon : {"slurmd", "slurmctld", "munged"}) {
      std::ifstream file(place_ / (std::string(daemon) + ".pid"));
      ::pid_t process = 0;
      if (!(file >> process) || process <= 1) continue;
      ::kill(process, SIGTERM);
      for (int i = 0; i < 200 && ::kill(process, 0) == 0; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
      }
      if (::kill(process, 0) == 0) ::kill(process, SIGKILL);
    }
    ::unsetenv("SLURM_CONF");
  }
  OneNodeSlurm(const OneNodeSlurm&) = delete;
  OneNodeSlurm& operator=(const OneNodeSlurm&) = delete;

  bool runs() const { return why_not_.empty(); }
  /// What stands in the way.
  const std::string& why_not() const { return why_not_; }

 private:
  std::string configuration(unsigned processors) const {
    char host[256] = {};
    ::gethostname(host, sizeof host - 1);
    std::string name = host;
    name.resize(std::min(name.find('.'), name.size()));
    const auto [one, other] = free_ports();
    const std::string at = (place_ / "").string();
    return fmt::format(
        "ClusterName=fenceline\nSlurmctldHost={0}(127.0.0.1)\nSlurmUser={1}\nSlurmdUser={1}\nAuthType=auth/munge\n"
        "AuthInfo=socket={2}munge.socket\nStateSaveLocation={2}state\nSlurmdSpoolDir={2}spool\n"
        "SlurmctldPidFile={2}slurmctld.pid\nSlurmdPidFile={2}slurmd.pid\nSlurmctldLogFile={2}slurmctld.log\n"
        "SlurmdLogFile={2}slurmd.log\nSlurmctldPort={3}\nSlurmdPort={4}\nProctrackType=proctrack/linuxproc\n"
        "TaskPlugin=task/none\nSelectType=select/cons_tres\nReturnToService=2\n"
        "NodeName={0} NodeAddr=127.0.0.1 CPUs={5} State=UNKNOWN\n"
        "PartitionName=p Nodes={0} Default=YES MaxTime=INFINITE State=UP\n",
        name, user(), at, one, other, processors);
  }
  static std::string user() {
    std::string text;
    if (FILE* const pipe = ::popen("id -un", "r")) {
      for (int c = std::fgetc(pipe); c != EOF && c != '\n'; c = std::fgetc(pipe)) text += static_cast<char>(c);
      ::pclose(pipe);
    }
    return text;
  }
  /// Two that nobody listens at.
  static std::pair<unsigned, unsigned> free_ports() {
    unsigned ports[2] = {};
    int sockets[2] = {-1, -1};
    for (int i = 0; i < 2; ++i) {
      sockets[i] = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      ::sockaddr_in address{};
      address.sin_family = AF_INET;
      address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      ::socklen_t size = sizeof address;
      ::bind(sockets[i], reinterpret_cast<::sockaddr*>(&address), size);
      ::getsockname(sockets[i], reinterpret_cast<::sockaddr*>(&address), &size);
      ports[i] = ntohs(address.sin_port);
    }
    for (const int one : sockets) ::close(one);
    return {ports[0], ports[1]};
  }

  TemporaryDirectory place_;
  std::string why_not_;
};

}  // namespace fenceline::testing

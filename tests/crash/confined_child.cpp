// SPDX-License-Identifier: Apache-2.0
#include "tests/crash/confined_child.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace fenceline::testing {
namespace {

constexpr uid_t nobody = 65534;

bool write_text(const char* path, const std::string& text) {
  const int file = ::open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool done = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::close(file);
  return done;
}

/// Mounts that only this process sees: as root, or as the root of a name space of users.
bool enter_own_mounts() {
  const uid_t user = ::geteuid();
  const gid_t group = ::getegid();
  if (::unshare(CLONE_NEWNS) != 0) {
    if (::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
    write_text("/proc/self/setgroups", "deny");
    if (!write_text("/proc/self/uid_map", fmt::format("0 {} 1", user)) ||
        !write_text("/proc/self/gid_map", fmt::format("0 {} 1", group))) {
      return false;
    }
  }
  return ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

std::string options(std::uint64_t bytes, std::uint64_t files) {
  return fmt::format("size={},nr_inodes={}", bytes, files);
}

}  // namespace

bool become_plain_user(const std::filesystem::path& directory) {
  if (::geteuid() != 0) return true;
  if (::chown(directory.c_str(), nobody, nobody) != 0) return false;
  // Not glibc's, which tells all threads: a sanitizer's has no ear.
  if (::syscall(SYS_setgroups, 0, nullptr) != 0 || ::syscall(SYS_setresgid, nobody, nobody, nobody) != 0 ||
      ::syscall(SYS_setresuid, nobody, nobody, nobody) != 0) {
    return false;
  }
  return ::access(directory.c_str(), R_OK | W_OK | X_OK) == 0;
}

SmallDisk::SmallDisk(const std::filesystem::path& at, std::uint64_t bytes, std::uint64_t files) : at_(at) {
  if (!enter_own_mounts() ||
      ::mount("tmpfs", at.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, options(bytes, files).c_str()) != 0) {
    reason_ = std::strerror(errno);
  }
}

bool SmallDisk::resize(std::uint64_t bytes, std::uint64_t files) {
  return ::mount("tmpfs", at_.c_str(), "tmpfs", MS_NOSUID | MS_NODEV | MS_REMOUNT, options(bytes, files).c_str()) == 0;
}

void limit_files(std::uint64_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);
  ::rlimit limits{};
  ::getrlimit(RLIMIT_FSIZE, &limits);
  limits.rlim_cur = bytes == no_limit ? limits.rlim_max : bytes;
  ::setrlimit(RLIMIT_FSIZE, &limits);
}

}  // namespace fenceline::testing

// SPDX-License-Identifier: Apache-2.0
#include "api/windows_compat/include/wrl.h"
#include "api/windows_compat/path.hpp"
#include "tests/support/temporary_directory.hpp"

#include <catch2/catch.hpp>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

using namespace fenceline::testing;
using Microsoft::WRL::Wrappers::FileHandle;

namespace {

struct Files {
  TemporaryDirectory directory;
  std::wstring name(const std::wstring& file) const {
    return fenceline::windows_compat::program_path((directory / "").string()) + file;
  }
  void put(const std::string& file, const std::string& text) const { write_file(directory / file, text); }
};

}  // namespace

TEST_CASE("files: a program reads one as a whole, by its size", "[windows_compat]") {
  const Files files;
  const std::string text(100'000, 'x');
  files.put("data.bin", text);
  FileHandle file(CreateFile2(files.name(L"data.bin").c_str(), GENERIC_READ, FILE_SHARE_READ, OPEN_EXISTING, nullptr));
  REQUIRE(file.IsValid());
  FILE_STANDARD_INFO info{};
  REQUIRE(GetFileInformationByHandleEx(file.Get(), FileStandardInfo, &info, sizeof info));
  CHECK(info.EndOfFile.QuadPart == 100'000);
  CHECK(info.EndOfFile.HighPart == 0);
  CHECK(info.Directory == 0);
  std::string found(info.EndOfFile.LowPart, '?');
  DWORD bytes = 0;
  REQUIRE(ReadFile(file.Get(), found.data(), info.EndOfFile.LowPart, &bytes, nullptr));
  CHECK(bytes == 100'000);
  CHECK(found == text);
  CHECK(ReadFile(file.Get(), found.data(), 1, &bytes, nullptr));  // at the end: nothing, and no error
  CHECK(bytes == 0);
  CHECK_FALSE(GetFileInformationByHandleEx(file.Get(), FileStandardInfo, &info, 4));
  CHECK(GetLastError() == ERROR_INVALID_PARAMETER);
  CHECK_FALSE(WriteFile(file.Get(), "y", 1, &bytes, nullptr));
  file.Close();
  CHECK_FALSE(file.IsValid());
}

TEST_CASE("files: what the process may not write is an error, and no signal to it", "[windows_compat]") {
  const Files files;
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_DFL);
    const rlimit limit{4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    int wrong = 0;
    const std::string text(10'000, 'x');
    FileHandle file(CreateFile2(files.name(L"long").c_str(), GENERIC_READ | GENERIC_WRITE, 0, CREATE_NEW, nullptr));
    DWORD bytes = 1;
    if (WriteFile(file.Get(), text.data(), 10'000, &bytes, nullptr) || GetLastError() != ERROR_DISK_FULL) wrong += 1;
    if (CreateFileMappingW(file.Get(), nullptr, PAGE_READWRITE, 0, 8192, nullptr) != nullptr ||
        GetLastError() != ERROR_DISK_FULL) {
      wrong += 2;
    }
    sigset_t pending;
    ::sigpending(&pending);
    if (sigismember(&pending, SIGXFSZ) == 1) wrong += 4;
    ::_exit(wrong);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("files: each disposition opens what it should, and says why not", "[windows_compat]") {
  const Files files;
  files.put("there", "old");
  struct Case {
    DWORD disposition;
    bool of_there, of_new;
    DWORD error_there, error_new;
    std::string left;
  };
  const Case cases[] = {
      {CREATE_NEW, false, true, ERROR_FILE_EXISTS, ERROR_SUCCESS, "old"},
      {CREATE_ALWAYS, true, true, ERROR_ALREADY_EXISTS, ERROR_SUCCESS, ""},
      {OPEN_EXISTING, true, false, ERROR_SUCCESS, ERROR_FILE_NOT_FOUND, "old"},
      {OPEN_ALWAYS, true, true, ERROR_ALREADY_EXISTS, ERROR_SUCCESS, "old"},
      {TRUNCATE_EXISTING, true, false, ERROR_SUCCESS, ERROR_FILE_NOT_FOUND, ""},
  };
  for (const Case& one : cases) {
    CAPTURE(one.disposition);
    files.put("there", "old");
    std::filesystem::remove(files.directory / "new");
    const auto open = [&](const wchar_t* name) {
      const HANDLE file = CreateFileW(files.name(name).c_str(), GENERIC_READ | GENERIC_WRITE, 0, nullptr,
                                      one.disposition, FILE_ATTRIBUTE_NORMAL, nullptr);
      const DWORD error = GetLastError();
      if (file != INVALID_HANDLE_VALUE) CloseHandle(file);
      return std::pair(file != INVALID_HANDLE_VALUE, error);
    };
    CHECK(open(L"there") == std::pair(one.of_there, one.error_there));
    CHECK(contents_of(files.directory / "there") == one.left);
    CHECK(open(L"new") == std::pair(one.of_new, one.error_new));
  }
  CHECK(CreateFileW(files.name(L"there").c_str(), GENERIC_READ, 0, nullptr, 77, 0, nullptr) == INVALID_HANDLE_VALUE);
  CHECK(GetLastError() == ERROR_INVALID_PARAMETER);
}

TEST_CASE("files: what is written can be read at any place, and deleted", "[windows_compat]") {
  const Files files;
  const std::wstring name = files.name(L"out.txt");
  FileHandle file(CreateFileW(name.c_str(), GENERIC_READ | GENERIC_WRITE, 0, nullptr, CREATE_NEW, 0, nullptr));
  DWORD bytes = 0;
  REQUIRE(WriteFile(file.Get(), "0123456789", 10, &bytes, nullptr));
  CHECK(bytes == 10);
  LARGE_INTEGER distance{};
  LARGE_INTEGER place{};
  distance.QuadPart = -3;
  REQUIRE(SetFilePointerEx(file.Get(), distance, &place, FILE_END));
  CHECK(place.QuadPart == 7);
  char text[8] = {};
  REQUIRE(ReadFile(file.Get(), text, 8, &bytes, nullptr));
  CHECK(std::string(text, bytes) == "789");
  LARGE_INTEGER size{};
  REQUIRE(GetFileSizeEx(file.Get(), &size));
  CHECK(size.QuadPart == 10);
  file.Close();
  CHECK(DeleteFile(name.c_str()));
  CHECK_FALSE(DeleteFile(name.c_str()));
  CHECK(GetLastError() == ERROR_FILE_NOT_FOUND);
}

TEST_CASE("file mappings: a file grows to the size that is asked for, and keeps what is written", "[windows_compat]") {
  const Files files;
  const std::wstring name = files.name(L"cache");
  const HANDLE file = CreateFile2(name.c_str(), GENERIC_READ | GENERIC_WRITE, 0, CREATE_NEW, nullptr);
  REQUIRE(file != INVALID_HANDLE_VALUE);
  CHECK(CreateFileMapping(file, nullptr, PAGE_READWRITE, 0, 0, nullptr) == nullptr);  // nothing to map
  CHECK(GetLastError() == ERROR_INVALID_PARAMETER);
  const HANDLE mapping = CreateFileMapping(file, nullptr, PAGE_READWRITE, 0, 5000, nullptr);
  REQUIRE(mapping != nullptr);
  void* const view = MapViewOfFile(mapping, FILE_MAP_ALL_ACCESS, 0, 0, 5000);
  REQUIRE(view != nullptr);
  std::memcpy(static_cast<char*>(view) + 4990, "fence", 5);
  CHECK(FlushViewOfFile(view, 0));
  CHECK(CloseHandle(file));  // the mapping stays
  CHECK(UnmapViewOfFile(view));
  CHECK_FALSE(UnmapViewOfFile(view));
  CHECK(CloseHandle(mapping));
  const std::string text = contents_of(files.directory / "cache");
  CHECK(text.size() == 5000);
  CHECK(text.substr(4990) == std::string("fence\0\0\0\0\0", 10));

  const HANDLE memory = CreateFileMapping(INVALID_HANDLE_VALUE, nullptr, PAGE_READWRITE, 0, 4096, nullptr);
  auto* const bytes = static_cast<char*>(MapViewOfFile(memory, FILE_MAP_WRITE, 0, 0, 0));
  auto* const same = static_cast<char*>(MapViewOfFile(memory, FILE_MAP_READ, 0, 0, 0));
  bytes[4095] = 7;
  CHECK(same[4095] == 7);
  CHECK(UnmapViewOfFile(bytes));
  CHECK(UnmapViewOfFile(same));
  CHECK(CloseHandle(memory));
}

TEST_CASE("file searches: names with stars, in order", "[windows_compat]") {
  const Files files;
  for (const char* name : {"b.cso", "a.cso", "c.bin"}) files.put(name, name);
  WIN32_FIND_DATA data{};
  std::vector<std::wstring> found;
  const HANDLE search = FindFirstFile(files.name(L"*.cso").c_str(), &data);
  REQUIRE(search != INVALID_HANDLE_VALUE);
  do found.emplace_back(data.cFileName);
  while (FindNextFile(search, &data));
  CHECK(GetLastError() == ERROR_NO_MORE_FILES);
  CHECK(FindClose(search));
  CHECK(found == std::vector<std::wstring>{L"a.cso", L"b.cso"});
  CHECK(data.nFileSizeLow == 5);
  CHECK(FindFirstFileEx(files.name(L"d.bin").c_str(), FindExInfoBasic, &data, FindExSearchNameMatch, nullptr, 0) ==
        INVALID_HANDLE_VALUE);
  CHECK(GetLastError() == ERROR_FILE_NOT_FOUND);
}

TEST_CASE("files: where standard streams are closed no handle gets their numbers", "[windows_compat]") {
  const Files files;
  files.put("there", "text");
  const std::wstring name = files.name(L"there");
  const pid_t child = ::fork();
  if (child == 0) {
    for (int stream = 0; stream < 3; ++stream) ::close(stream);
    const auto number = [](HANDLE handle) { return reinterpret_cast<std::intptr_t>(handle); };
    const HANDLE file = CreateFileW(name.c_str(), GENERIC_READ, 0, nullptr, OPEN_EXISTING, 0, nullptr);
    const HANDLE mapping = CreateFileMappingW(file, nullptr, PAGE_READONLY, 0, 0, nullptr);
    const HANDLE memory = CreateFileMappingW(INVALID_HANDLE_VALUE, nullptr, PAGE_READWRITE, 0, 4096, nullptr);
    ::_exit(number(file) > 2 && number(mapping) > 2 && number(memory) > 2 ? 7 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 7);
}

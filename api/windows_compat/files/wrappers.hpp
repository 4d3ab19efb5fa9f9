// SPDX-License-Identifier: Apache-2.0
#pragma once
#pragma GCC system_header  // names that WRL's headers have

// WRL's owners of handles.
#include "api/windows_compat/files/file.hpp"
#include "api/windows_compat/threads/thread.hpp"

#ifdef __cplusplus
namespace Microsoft::WRL::Wrappers {

namespace HandleTraits {
struct HANDLETraits {
  static HANDLE GetInvalidValue() { return INVALID_HANDLE_VALUE; }
};
struct HANDLENullTraits {
  static HANDLE GetInvalidValue() { return nullptr; }
};
struct FileHandleTraits : HANDLETraits {};
struct EventTraits : HANDLENullTraits {};
struct MutexTraits : HANDLENullTraits {};
struct SemaphoreTraits : HANDLENullTraits {};
}  // namespace HandleTraits

/// Closes its handle.
template <class Traits>
class HandleT {
 public:
  explicit HandleT(HANDLE handle = Traits::GetInvalidValue()) : handle_(handle) {}
  HandleT(HandleT&& other) : handle_(other.Detach()) {}
  HandleT& operator=(HandleT&& other) {
    if (this != &other) Attach(other.Detach());
    return *this;
  }
  HandleT(const HandleT&) = delete;
  HandleT& operator=(const HandleT&) = delete;
  ~HandleT() { Close(); }

  HANDLE Get() const { return handle_; }
  bool IsValid() const { return handle_ != Traits::GetInvalidValue(); }
  void Attach(HANDLE handle) {
    Close();
    handle_ = handle;
  }
  HANDLE Detach() {
    const HANDLE handle = handle_;
    handle_ = Traits::GetInvalidValue();
    return handle;
  }
  void Close() {
    if (IsValid()) CloseHandle(Detach());
  }
  HANDLE* GetAddressOf() { return &handle_; }

 protected:
  HANDLE handle_;
};

using FileHandle = HandleT<HandleTraits::FileHandleTraits>;
class Event : public HandleT<HandleTraits::EventTraits> {
 public:
  using HandleT::HandleT;
};
class Semaphore : public HandleT<HandleTraits::SemaphoreTraits> {
 public:
  using HandleT::HandleT;
};
class Mutex : public HandleT<HandleTraits::MutexTraits> {
 public:
  using HandleT::HandleT;

  /// Holds a mutex as long as it lives.
  class SyncLock {
   public:
    explicit SyncLock(HANDLE mutex) : mutex_(mutex) {}
    SyncLock(SyncLock&& other) : mutex_(other.mutex_) { other.mutex_ = nullptr; }
    SyncLock(const SyncLock&) = delete;
    SyncLock& operator=(const SyncLock&) = delete;
    ~SyncLock() { Unlock(); }
    bool IsLocked() const { return mutex_ != nullptr; }
    void Unlock() {
      if (mutex_ != nullptr) ReleaseMutex(mutex_);
      mutex_ = nullptr;
    }

   private:
    HANDLE mutex_;
  };
  SyncLock Lock(DWORD milliseconds = INFINITE) { return Lock(handle_, milliseconds); }
  static SyncLock Lock(HANDLE mutex, DWORD milliseconds = INFINITE) {
    return SyncLock(WaitForSingleObject(mutex, milliseconds) == WAIT_OBJECT_0 ? mutex : nullptr);
  }
};

/// Holds itself as long as its lock lives.
class CriticalSection {
 public:
  explicit CriticalSection(DWORD spins = 0) { InitializeCriticalSectionAndSpinCount(&section_, spins); }
  CriticalSection(const CriticalSection&) = delete;
  CriticalSection& operator=(const CriticalSection&) = delete;
  ~CriticalSection() { DeleteCriticalSection(&section_); }

  class SyncLock {
   public:
    explicit SyncLock(CRITICAL_SECTION* section) : section_(section) {}
    SyncLock(SyncLock&& other) : section_(other.section_) { other.section_ = nullptr; }
    SyncLock(const SyncLock&) = delete;
    SyncLock& operator=(const SyncLock&) = delete;
    ~SyncLock() { Unlock(); }
    bool IsLocked() const { return section_ != nullptr; }
    void Unlock() {
      if (section_ != nullptr) LeaveCriticalSection(section_);
      section_ = nullptr;
    }

   private:
    CRITICAL_SECTION* section_;
  };
  SyncLock Lock() {
    EnterCriticalSection(&section_);
    return SyncLock(&section_);
  }
  SyncLock TryLock() { return SyncLock(TryEnterCriticalSection(&section_) ? &section_ : nullptr); }

 private:
  CRITICAL_SECTION section_;
};

}  // namespace Microsoft::WRL::Wrappers
#endif

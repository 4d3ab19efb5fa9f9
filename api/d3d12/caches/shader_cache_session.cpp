// SPDX-License-Identifier: Apache-2.0
#include "api/d3d12/caches/shader_cache_session.hpp"

#include "api/d3d12/caches/cache_desc.hpp"
#include "api/d3d12/pipelines/pipeline_creation.hpp"
#include "api/driver_version.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fenceline::d3d12 {
namespace {

/// What the debug layer says.
struct Told {
  D3D12_MESSAGE_SEVERITY severity;
  D3D12_MESSAGE_ID id;
  std::string text;
};

/// Of a call that went so; nothing of one that went well.
std::optional<Told> told_of(CacheStatus status, bool stores) {
  constexpr auto info = D3D12_MESSAGE_SEVERITY_INFO;
  constexpr auto warning = D3D12_MESSAGE_SEVERITY_WARNING;
  switch (status) {
    case CacheStatus::not_found:
      return Told{info, D3D12_MESSAGE_ID_SHADERCACHESESSION_FINDVALUE_NOTFOUND, "no entry has the key"};
    case CacheStatus::already_exists:
      return Told{info, D3D12_MESSAGE_ID_SHADERCACHESESSION_STOREVALUE_ALREADYPRESENT, "the key has a value"};
    case CacheStatus::hash_collision:
      if (!stores) return {};
      return Told{warning, D3D12_MESSAGE_ID_SHADERCACHESESSION_STOREVALUE_HASHCOLLISION,
                  "another key has the same hash"};
    case CacheStatus::full:
      return Told{warning, D3D12_MESSAGE_ID_SHADERCACHESESSION_STOREVALUE_CACHEFULL,
                  "the cache would be larger than its maximum"};
    case CacheStatus::disabled:
      return Told{warning, D3D12_MESSAGE_ID_SHADERCACHESESSION_DISABLED, "the application's caches are disabled"};
    case CacheStatus::unavailable:
      return Told{warning, D3D12_MESSAGE_ID_SHADERCACHESESSION_DISABLED, "another process writes to it for too long"};
    case CacheStatus::corrupt:
      return Told{warning, D3D12_MESSAGE_ID_SHADERCACHESESSION_CORRUPT, "its files can be neither used nor reset"};
    default: return {};
  }
}

D3D12_MESSAGE_ID id_of_refused(CacheStatus status) {
  if (status == CacheStatus::disabled || status == CacheStatus::unavailable) {
    return D3D12_MESSAGE_ID_CREATESHADERCACHESESSION_DISABLED;
  }
  if (status == CacheStatus::already_exists) return D3D12_MESSAGE_ID_CREATESHADERCACHESESSION_ALREADYOPEN;
  return D3D12_MESSAGE_ID_SHADERCACHESESSION_CORRUPT;
}

/// An implicit cache as D3D12 calls it.
struct ImplicitKind {
  D3D12_SHADER_CACHE_KIND_FLAGS flag;
  ImplicitCacheKind kind;
  const char* name;
};
constexpr std::array<ImplicitKind, 3> implicit_kinds{
    {{D3D12_SHADER_CACHE_KIND_FLAG_IMPLICIT_D3D_CACHE_FOR_DRIVER, ImplicitCacheKind::d3d_cache_for_driver,
      "D3D cache for the driver"},
     {D3D12_SHADER_CACHE_KIND_FLAG_IMPLICIT_D3D_CONVERSIONS, ImplicitCacheKind::d3d_conversions,
      "cache of conversions"},
     {D3D12_SHADER_CACHE_KIND_FLAG_IMPLICIT_DRIVER_MANAGED, ImplicitCacheKind::driver_managed,
      "cache of the driver's own"}}};

CacheDriver driver_of(const DeviceCore& device) {
  const MachineConfig& machine = device.machine().config();
  return {machine.name, driver_version(machine)};
}

}  // namespace

ShaderCaches& process_caches() {
  static auto* const all = new ShaderCaches;  // sessions may outlive static objects
  return *all;
}

void ShaderCacheSession::tell(CacheStatus status, const char* method) {
  const std::optional<Told> told = told_of(status, method[0] == 'S');
  if (told)
    device().message(told->severity, told->id, fmt::format("ID3D12ShaderCacheSession::{}: {}", method, told->text));
}

HRESULT ShaderCacheSession::FindValue(const void* key, UINT key_bytes, void* value, UINT* value_bytes) {
  Host::spend(device().costs().call_ps);
  const CacheStatus status = session_->find_value(key, key_bytes, value, value_bytes);
  tell(status, "FindValue");
  return result_of(status);
}

HRESULT ShaderCacheSession::StoreValue(const void* key, UINT key_bytes, const void* value, UINT value_bytes) {
  Host::spend(device().costs().call_ps);
  const CacheStatus status = session_->store_value(key, key_bytes, value, value_bytes);
  tell(status, "StoreValue");
  return result_of(status);
}

void ShaderCacheSession::SetDeleteOnDestroy() {
  Host::spend(device().costs().call_ps);
  session_->set_delete_on_destroy();
}

D3D12_SHADER_CACHE_SESSION_DESC ShaderCacheSession::GetDesc() { return desc_of(session_->description()); }

HRESULT create_shader_cache_session(DeviceCore& device, const D3D12_SHADER_CACHE_SESSION_DESC* desc, REFIID iid,
                                    void** session) {
  const char* const method = "ID3D12Device9::CreateShaderCacheSession";
  Host::spend(device.costs().call_ps);
  if (session != nullptr) *session = nullptr;
  if (const std::string refusal = refusal_of(desc); !refusal.empty()) {
    device.message(D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_CREATESHADERCACHESESSION_INVALIDARGS,
                   fmt::format("{}: expected {}", method, refusal));
    return E_INVALIDARG;
  }
  if (device.removed()) return DXGI_ERROR_DEVICE_REMOVED;
  OpenedCache opened;
  if (session == nullptr) {  // nothing is opened, which might clear it
    if (process_caches().enabled()) return S_FALSE;
    opened = {CacheStatus::disabled, "shader caches of applications are disabled", nullptr};
  } else if (!ShaderCacheSessionFace::answers(iid) && iid != __uuidof(IUnknown)) {
    return E_NOINTERFACE;
  } else {
    opened = process_caches().open(description_of(*desc), driver_of(device));
  }
  if (opened.status != CacheStatus::ok) {
    device.message(D3D12_MESSAGE_SEVERITY_WARNING, id_of_refused(opened.status),
                   fmt::format("{}: {}", method, opened.reason));
    return result_of(opened.status);
  }
  return give_out(new ShaderCacheSession(device, std::move(opened.session)), iid, session);
}

namespace {

constexpr UINT disable = D3D12_SHADER_CACHE_CONTROL_FLAG_DISABLE;
constexpr UINT enable = D3D12_SHADER_CACHE_CONTROL_FLAG_ENABLE;
constexpr UINT clear = D3D12_SHADER_CACHE_CONTROL_FLAG_CLEAR;

/// A cache that is so already.
void tell_if_set(std::vector<Told>& told, const char* which, bool is_enabled, UINT bits) {
  if ((bits & (disable | enable)) == 0 || is_enabled != ((bits & enable) != 0)) return;
  told.push_back({D3D12_MESSAGE_SEVERITY_INFO, D3D12_MESSAGE_ID_SHADERCACHECONTROL_STATEALREADYSET,
                  fmt::format("{} is {} already", which, is_enabled ? "enabled" : "disabled")});
}

std::vector<Told> control_implicit(DeviceCore& device, UINT kinds, UINT bits) {
  std::vector<Told> told;
  const Host::Lock lock = device.enter(0);
  ImplicitCaches& caches = creations_of(device).caches();
  for (const ImplicitKind& one : implicit_kinds) {
    if ((kinds & static_cast<UINT>(one.flag)) == 0) continue;
    if (!caches.has(one.kind)) {
      told.push_back({D3D12_MESSAGE_SEVERITY_INFO, D3D12_MESSAGE_ID_SHADERCACHECONTROL_IGNOREDFLAG,
                      fmt::format("there is no {}", one.name)});
      continue;
    }
    tell_if_set(told, one.name, caches.enabled(one.kind), bits);
    caches.control(one.kind, bits);
  }
  return told;
}

std::vector<Told> control_applications(UINT bits) {
  std::vector<Told> told;
  ShaderCaches& caches = process_caches();
  tell_if_set(told, "the application's cache", caches.enabled(), bits);
  if ((bits & clear) != 0 && !caches.clear()) {
    told.push_back({D3D12_MESSAGE_SEVERITY_WARNING, D3D12_MESSAGE_ID_SHADERCACHESESSION_CORRUPT,
                    "files of the application's caches could not be cleared"});
  }
  if ((bits & (disable | enable)) != 0) caches.set_enabled((bits & enable) != 0);
  return told;
}

}  // namespace

HRESULT control_shader_caches(DeviceCore& device, D3D12_SHADER_CACHE_KIND_FLAGS kinds,
                              D3D12_SHADER_CACHE_CONTROL_FLAGS control) {
  constexpr UINT implicit = D3D12_SHADER_CACHE_KIND_FLAG_IMPLICIT_D3D_CACHE_FOR_DRIVER |
                            D3D12_SHADER_CACHE_KIND_FLAG_IMPLICIT_D3D_CONVERSIONS |
                            D3D12_SHADER_CACHE_KIND_FLAG_IMPLICIT_DRIVER_MANAGED;
  constexpr UINT application = D3D12_SHADER_CACHE_KIND_FLAG_APPLICATION_MANAGED;
  // A message's callback may call D3D12: no lock is held here.
  const auto tell = [&](const Told& one) {
    device.message(one.severity, one.id, "ID3D12Device9::ShaderCacheControl: " + one.text);
  };
  Host::spend(device.costs().call_ps);
  const auto kind_bits = static_cast<UINT>(kinds);
  const auto bits = static_cast<UINT>(control);
  if (kind_bits == 0 || (kind_bits & ~(implicit | application)) != 0 || bits == 0 ||
      (bits & ~(disable | enable | clear)) != 0 || (bits & (disable | enable)) == (disable | enable)) {
    tell({D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_SHADERCACHECONTROL_INVALIDFLAGS,
          fmt::format("expected kinds of 1 to 15 and CLEAR, DISABLE or ENABLE, not both of these, found {} and {}",
                      kind_bits, bits)});
    return E_INVALIDARG;
  }
  if (!device.machine().config().background_processing.developer_mode) {
    tell({D3D12_MESSAGE_SEVERITY_ERROR, D3D12_MESSAGE_ID_SHADERCACHECONTROL_DEVELOPERMODE,
          "the system is not in developer mode"});
    return E_ACCESSDENIED;
  }
  if ((kind_bits & implicit) != 0) {
    for (const Told& one : control_implicit(device, kind_bits, bits)) tell(one);
  }
  if ((kind_bits & application) != 0) {
    for (const Told& one : control_applications(bits)) tell(one);
  }
  return S_OK;
}

}  // namespace fenceline::d3d12

// SPDX-License-Identifier: Apache-2.0
#pragma once

// FENCELINE_ADDRESS_SANITIZER and FENCELINE_THREAD_SANITIZER are defined where the code is built with them: g++ says so
// by a macro of its own, clang++ by a feature.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FENCELINE_ADDRESS_SANITIZER
#endif
#if __has_feature(thread_sanitizer)
#define FENCELINE_THREAD_SANITIZER
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) && !defined(FENCELINE_ADDRESS_SANITIZER)
#define FENCELINE_ADDRESS_SANITIZER
#endif
#if defined(__SANITIZE_THREAD__) && !defined(FENCELINE_THREAD_SANITIZER)
#define FENCELINE_THREAD_SANITIZER
#endif

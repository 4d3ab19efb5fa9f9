/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#ifndef INITGUID
#define INITGUID
#endif

/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* Annotations of Microsoft's code analysis: nothing. <wsl/winadapter.h> has most of them. */
#include <wsl/winadapter.h>

#define _Printf_format_string_
#define _Frees_ptr_
#define _Frees_ptr_opt_
#define _Pre_
#define _Post_
#define _Pre_maybenull_
#define _Post_maybenull_
#define _Ret_notnull_
#define _Ret_maybenull_
#define _Ret_range_(low, high)
#define _Must_inspect_result_
#define _In_reads_or_z_(count)
#define _In_reads_bytes_or_z_(count)
#define _In_reads_z_(count)
#define _In_reads_to_ptr_(pointer)
#define _Inout_z_
#define _Inout_opt_z_
#define _Inout_updates_opt_(count)
#define _Inout_updates_all_(count)
#define _Inout_updates_all_opt_(count)
#define _Inout_updates_z_(count)
#define _Inout_updates_to_(count, used)
#define _Inout_updates_bytes_all_(bytes)
#define _Inout_updates_bytes_opt_(bytes)
#define _Out_range_(low, high)
#define _Out_writes_to_(count, used)
#define _Out_writes_bytes_to_(bytes, used)
#define _Out_writes_bytes_to_opt_(bytes, used)
#define _Outptr_opt_
#define _Outptr_result_z_
#define _Outptr_opt_result_maybenull_
#define _Outptr_result_buffer_(count)
#define _Outptr_result_bytebuffer_(bytes)
#define _Deref_out_
#define _Deref_out_opt_
#define _Reserved_
#define _Unreferenced_parameter_
#define _When_(condition, annotation)
#define _Guarded_by_(lock)
#define _Requires_lock_held_(lock)
#define _Acquires_lock_(lock)
#define _Releases_lock_(lock)
#define _Interlocked_operand_

/* source_format.h: explains bytes that are no program in the format that a client declares, before
 * a reader meets them: the readers' messages would show bytes that are no text. Pure functions,
 * thread-safe. */
#ifndef GANTRY_COMPILER_DRIVER_SOURCE_FORMAT_H
#define GANTRY_COMPILER_DRIVER_SOURCE_FORMAT_H

#include <stddef.h>

#include "base/error.h"

/* INVALID_ARGUMENT unless the bytes can be MLIR text, which is UTF-8 without control characters.
 * Names what they are instead (HLO text, a serialized HloModuleProto, a compressed file ...) and
 * what to do. */
struct error *source_format_check_text(const char *bytes, size_t size);
/* The same for an HloModuleProto: MLIR and HLO text are rejected. */
struct error *source_format_check_hlo(const char *bytes, size_t size);

#endif

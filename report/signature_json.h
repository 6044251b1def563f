/* signature_json.h: the functions of a program as JSON for ext_gantry. Thread-safe.
 *
 *   module     its name
 *   functions  in the order of the program: name, public, entry (whether it is @main), and
 *              arguments and results: lists of {"dtype": "f32", "dims": [4, 8]}. Quantized
 *              values have the type that is stored. */
#ifndef GANTRY_REPORT_SIGNATURE_JSON_H
#define GANTRY_REPORT_SIGNATURE_JSON_H

#include <cjson/cJSON.h>

#include "compiler/driver/compile_source.h"

/* *out is owned: cJSON_Delete. Reads the program on a compile thread. Errors: those of
 * compile_source_read(), CANCELLED. A module without @main is no error. */
struct error *signature_json(const struct compile_source *source /*borrowed for the call*/,
                             cJSON **out);

#endif

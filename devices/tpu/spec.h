/* spec.h: the generations of TPUs (spec.def) as data. All functions are thread-safe; their results
 * are static. */
#ifndef GANTRY_DEVICES_TPU_SPEC_H
#define GANTRY_DEVICES_TPU_SPEC_H

#include <stddef.h>

#include "base/error.h"
#include "compiler/accelerator.h"

struct text;

struct tpu_spec { /* a generation in one chip configuration; spec.def has the meanings */
    const char *name, *aliases, *kind, *accelerator_types, *configs;
    int type_units; /* units of a chip that the number in an accelerator type counts */
    int dimensions; /* 2 or 3 */
    int host[3];    /* default chips_per_host_bounds */
    int pod[3];     /* bounds of the largest slice */
    struct accelerator accelerator;
};

/* NULL unless 0 <= index < the number of rows. */
const struct tpu_spec *tpu_spec_at(int index);

/* The row of a generation and a chip configuration; `name` has `size` bytes: the name or an alias,
 * with "TPU " before it or not. config NULL or "": the default. INVALID_ARGUMENT for an unknown
 * name (the message lists the known ones), NOT_FOUND for a configuration that it does not have. */
struct error *tpu_spec_find(const char *name, size_t size, const char *config,
                            const struct tpu_spec **out);

/* The row of an accelerator type's prefix ("v5litepod" of "v5litepod-16"), or NULL. */
const struct tpu_spec *tpu_spec_of_accelerator_type(const char *prefix, size_t size);

/* Appends the names of all generations, separated by commas. */
void tpu_spec_list(struct text *text);

#endif

/* named_values.h: checks of the lists of names and values that plugins, devices and topologies
 * have. */
#ifndef GANTRY_CONFORMANCE_NAMED_VALUES_H
#define GANTRY_CONFORMANCE_NAMED_VALUES_H

#include "conformance/cts/rule_context.h"

/* Each has a name, a struct_size, a type that PJRT defines, and memory where its type needs it. */
void named_values_check(struct rule_context *t, const PJRT_NamedValue *values, size_t count);
/* No name is there twice. */
void named_values_check_unique(struct rule_context *t, const PJRT_NamedValue *values, size_t count);
/* The value of that name, or NULL. */
const PJRT_NamedValue *named_values_find(const PJRT_NamedValue *values, size_t count,
                                         const char *name);
bool named_values_equal(const PJRT_NamedValue *a, const PJRT_NamedValue *b);

#endif

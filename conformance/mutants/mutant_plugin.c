/* mutant_plugin.c: mutants of area 5: initialization and attributes. */
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "conformance/mutants/mutant.h"

enum { MOST = 64 };
static PJRT_NamedValue values[MOST]; /* a changed copy of the attributes */

MUTANT_OF(initialize_fails, Plugin_Initialize)
{
    (void)args;
    return mutant_error();
}

MUTANT_OF(initializes_once, Plugin_Initialize)
{
    static atomic_int calls;
    return atomic_fetch_add(&calls, 1) ? mutant_error() : real.PJRT_Plugin_Initialize(args);
}

MUTANT_OF(initializes_loudly, Plugin_Initialize)
{
    (void)!write(1, "initialized\n", 12);
    return real.PJRT_Plugin_Initialize(args);
}

MUTANT_OF(initialize_leaks, Plugin_Initialize)
{
    mutant_leak(4096);
    return real.PJRT_Plugin_Initialize(args);
}

MUTANT_OF(no_attributes, Plugin_Attributes)
{
    (void)args;
    return mutant_error();
}

/* Fills `values` with the attributes, and shows it. */
static PJRT_Error *copy_attributes(PJRT_Plugin_Attributes_Args *args)
{
    REAL(Plugin_Attributes);
    if (args->num_attributes > MOST - 1)
        args->num_attributes = MOST - 1;
    memcpy(values, args->attributes, args->num_attributes * sizeof *values);
    args->attributes = values;
    return NULL;
}

MUTANT_OF(nameless_attributes, Plugin_Attributes)
{
    PJRT_Error *error = copy_attributes(args);
    values[0].name_size = 0;
    return error;
}

MUTANT_OF(attributes_of_no_type, Plugin_Attributes)
{
    PJRT_Error *error = copy_attributes(args);
    values[0].type = (PJRT_NamedValue_Type)77;
    return error;
}

MUTANT_OF(attribute_twice, Plugin_Attributes)
{
    PJRT_Error *error = copy_attributes(args);
    if (!error)
        values[args->num_attributes++] = values[0];
    return error;
}

MUTANT_OF(attributes_move, Plugin_Attributes)
{
    static PJRT_NamedValue copies[2][MOST];
    static atomic_int next;
    PJRT_Error *error = copy_attributes(args);
    args->attributes = memcpy(copies[atomic_fetch_add(&next, 1) % 2], values, sizeof values);
    return error;
}

static PJRT_NamedValue *find(const PJRT_Plugin_Attributes_Args *args, const char *name)
{
    for (size_t i = 0; i < args->num_attributes; i++)
        if (values[i].name_size == strlen(name) && !memcmp(values[i].name, name, strlen(name)))
            return &values[i];
    return &values[MOST - 1];
}

MUTANT_OF(short_stablehlo_version, Plugin_Attributes)
{
    PJRT_Error *error = copy_attributes(args);
    if (!error)
        find(args, "stablehlo_current_version")->value_size = 2;
    return error;
}

MUTANT_OF(future_minimum_version, Plugin_Attributes)
{
    static const int64_t future[] = {1000, 0, 0};
    PJRT_Error *error = copy_attributes(args);
    if (!error)
        find(args, "stablehlo_minimum_version")->int64_array_value = future;
    return error;
}

/* pjrt_functions.h: PJRT's functions and struct sizes by minor version, from pjrt_functions.def and
 * struct_sizes.def. Static tables, thread-safe. */
#ifndef GANTRY_CONFORMANCE_PJRT_FUNCTIONS_H
#define GANTRY_CONFORMANCE_PJRT_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>

enum { OLDEST_MINOR = 45, NEWEST_MINOR = 117 }; /* the versions that the suite knows */

enum function {
#define FUNCTION(name, since) FUNCTION_##name,
#include "conformance/cts/pjrt_functions.def"
#undef FUNCTION
    FUNCTION_COUNT
};

struct function_info {
    const char *name; /* "PJRT_Client_Create" */
    int since;        /* the minor version that added it */
    size_t offset;    /* of its pointer in PJRT_Api */
};
extern const struct function_info pjrt_functions[FUNCTION_COUNT];

/* The smallest size of PJRT_Api that has all functions of the minor version. */
size_t pjrt_functions_table_size(int minor);

/* The struct_size of `struct PJRT_<name>` in the header of a minor version; `newest` is the size in
 * today's header. FUNCTIONS_SIZE(Client_Create_Args, 60). */
size_t pjrt_functions_struct_size(const char *name, int minor, size_t newest);
#define FUNCTIONS_SIZE(Struct, minor)                                                              \
    pjrt_functions_struct_size(#Struct, (minor), PJRT_##Struct##_STRUCT_SIZE)

#endif

/* mutant.h: a plugin that wraps another one and breaks one rule, to test that the suite notices.
 * The library has GetPjrtApi and a copy of the other plugin's table, of which one mutant of
 * mutants.def replaces functions or data.
 *
 * Environment: MUTANT_PLUGIN, the path of the plugin to wrap; MUTANT, the name of the mutant;
 * without it, the wrapper is harmless: it has to pass whatever the plugin passes. */
#ifndef GANTRY_CONFORMANCE_MUTANT_H
#define GANTRY_CONFORMANCE_MUTANT_H

#include <stdbool.h>
#include <stddef.h>

#include "pjrt_c_api.h"

/* The plugin's own table, as it was when it was opened. Static. */
extern PJRT_Api real;

/* An error of the plugin (owned by the caller of the table's function). */
PJRT_Error *mutant_error(void);

/* Destroys an error of the plugin; accepts NULL. */
void mutant_drop(PJRT_Error *error);
/* Memory that stays behind. Thread-safe. */
void mutant_leak(size_t bytes);

/* Defines a mutant that replaces one function of the table:
 *   MUTANT_OF(process_seven, Client_ProcessIndex) { ...; return NULL; } */
#define MUTANT_OF(mutant, Function)                                                                \
    static PJRT_Error *call_##mutant(PJRT_##Function##_Args *args);                                \
    void mutant_##mutant(PJRT_Api *api)                                                            \
    {                                                                                              \
        api->PJRT_##Function = call_##mutant;                                                      \
    }                                                                                              \
    static PJRT_Error *call_##mutant(PJRT_##Function##_Args *args)
/* Calls the plugin's function with the arguments of the mutant's, and returns its error if any. */
#define REAL(Function)                                                                             \
    do {                                                                                           \
        PJRT_Error *error_ = real.PJRT_##Function(args);                                           \
        if (error_)                                                                                \
            return error_;                                                                         \
    } while (0)

/* The mutants change the table that the client gets. */
#define MUTANT(name, breaks, rules) void mutant_##name(PJRT_Api *api);
#include "conformance/mutants/mutants.def"
#undef MUTANT

/* Mutants of GetPjrtApi itself: what it does besides returning the table. */
bool mutant_is(const char *name);

#endif

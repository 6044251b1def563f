/* plugin.c: fills the tables. Three functions of the ABI depend on the device library, but no
 * argument identifies it. Each table therefore has its own wrappers of them, which pass the
 * library. */
#include "plugin/plugin.h"

#include <string.h>

#include "base/fork.h"
#include "plugin/api.h"
#include "plugin/api_args.h"
#include "plugin/ext_tpu_topology.h"
#include "plugin/ffi/ext_ffi.h"

struct slot {
    char name[32]; /* name of the library, which may be unloaded and reloaded at another address */
    _Atomic(const struct device_library *) library;
    PJRT_Api table;
};

static struct slot slots[PLUGIN_LIBRARIES];
/* guards filling the slots */
static struct fork_lock lock = FORK_LOCK(FORK_PLUGIN, NULL);

/* ---- unsupported members ---- */
#define API(member, function)
#define ERROR_API(member, function)
#define LIBRARY(member, function)
#define UNSUPPORTED(member)                                                                        \
    static PJRT_Error *member##_unsupported(member##_Args *args)                                   \
    {                                                                                              \
        (void)args;                                                                                \
        return API_ERROR(ERROR(UNIMPLEMENTED, #member " is unsupported by Gantry"));               \
    }
#include "plugin/api.def"
#undef LIBRARY
#undef UNSUPPORTED

/* ---- members that are passed the library of their slot ---- */
#define UNSUPPORTED(member)
#define SLOT(number, member, function)                                                             \
    static PJRT_Error *function##_##number(member##_Args *args)                                    \
    {                                                                                              \
        return function(slots[number].library, args);                                              \
    }
#define LIBRARY(member, function)                                                                  \
    SLOT(0, member, function)                                                                      \
    SLOT(1, member, function)                                                                      \
    SLOT(2, member, function)                                                                      \
    SLOT(3, member, function)                                                                      \
    SLOT(4, member, function)                                                                      \
    SLOT(5, member, function) SLOT(6, member, function) SLOT(7, member, function)
#include "plugin/api.def"
#undef API
#undef ERROR_API
#undef LIBRARY
#undef UNSUPPORTED
_Static_assert(PLUGIN_LIBRARIES == 8, "SLOT() is written out for 8 slots");

/* ---- the table ---- */
#define API(member, function) .member = function,
#define ERROR_API(member, function) .member = function,
#define LIBRARY(member, function)
#define UNSUPPORTED(member) .member = member##_unsupported,
static const PJRT_Api common = {
    .struct_size = PJRT_Api_STRUCT_SIZE,
    .extension_start = &ext_ffi.table.base,
    .pjrt_api_version = {.struct_size = PJRT_Api_Version_STRUCT_SIZE,
                         .major_version = PJRT_API_MAJOR,
                         .minor_version = PJRT_API_MINOR},
#include "plugin/api.def"
};
#undef API
#undef ERROR_API
#undef LIBRARY
#undef UNSUPPORTED

#define API(member, function)
#define ERROR_API(member, function)
#define UNSUPPORTED(member)
#define LIBRARY(member, function)                                                                  \
    static member *const function##_slots[PLUGIN_LIBRARIES] = {                                    \
        function##_0, function##_1, function##_2, function##_3,                                    \
        function##_4, function##_5, function##_6, function##_7};
#include "plugin/api.def"
#undef LIBRARY

static void fill(int slot)
{
    PJRT_Api *table = &slots[slot].table;
    *table = common;
    if (slots[slot].library->has_grid)
        table->extension_start = &ext_tpu_topology.table.base;
#define LIBRARY(member, function) table->member = function##_slots[slot];
#include "plugin/api.def"
#include "version.h"
#undef LIBRARY
}

static int find_slot(const char *name)
{
    for (int i = 0; i < PLUGIN_LIBRARIES; i++)
        if (!slots[i].name[0] || !strcmp(slots[i].name, name))
            return i;
    return -1;
}

const char *plugin_build(void)
{
    return GANTRY_BUILD_ID;
}

const PJRT_Api *plugin_api(const struct device_library *library)
{
    fork_lock_take(&lock);
    int slot = strlen(library->name) < sizeof slots->name ? find_slot(library->name) : -1;
    if (slot >= 0) {
        slots[slot].library = library;
        if (!slots[slot].name[0]) {
            fill(slot);
            strcpy(slots[slot].name, library->name);
        }
    }
    fork_lock_release(&lock);
    return slot < 0 ? NULL : &slots[slot].table;
}

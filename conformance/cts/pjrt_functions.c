/* pjrt_functions.c: the tables of pjrt_functions.h. */
#include "conformance/cts/pjrt_functions.h"

#include <string.h>

#include "pjrt_c_api.h"

const struct function_info pjrt_functions[FUNCTION_COUNT] = {
#define FUNCTION(name, since) {"PJRT_" #name, since, offsetof(PJRT_Api, PJRT_##name)},
#include "conformance/cts/pjrt_functions.def"
#undef FUNCTION
};

static const struct {
    const char *name;
    int since;
    size_t size;
} sizes[] = {
#define SIZE(Struct, since, last) {#Struct, since, PJRT_STRUCT_SIZE(PJRT_##Struct, last)},
#include "conformance/cts/struct_sizes.def"
#undef SIZE
};

size_t pjrt_functions_table_size(int minor)
{
    size_t end = offsetof(PJRT_Api, PJRT_Error_Destroy);
    for (int i = 0; i < FUNCTION_COUNT; i++)
        if (pjrt_functions[i].since <= minor)
            end = pjrt_functions[i].offset + sizeof(void *);
    return end;
}

size_t pjrt_functions_struct_size(const char *name, int minor, size_t newest)
{
    size_t size = newest;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i].since <= minor && !strcmp(sizes[i].name, name))
            size = sizes[i].size;
    return size;
}

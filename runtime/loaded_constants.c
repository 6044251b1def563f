/* loaded_constants.c: see loaded_constants.h. */
#include "runtime/loaded_constants.h"

#include "base/alloc.h"
#include "memory/storage.h"

static void print_constants(const void *program, int index, struct text *out)
{
    (void)index;
    text_add(out, "constants of '%s'", ((const struct program *)program)->name);
}

static const struct label_kind label_of_constants = {.print = print_constants};

struct error *loaded_constants_reserve(struct loaded_executable *loaded)
{
    const struct program *program = loaded->executable->program;
    uint64_t bytes = program->model ? 0 : program_constant_bytes(program); /* the plan has them */
    struct label label = {&label_of_constants, (void *)(uintptr_t)program, 0};
    TRY(alloc_array((size_t)loaded->device_count, sizeof *loaded->constants, &loaded->constants));
    for (int i = 0; i < loaded->device_count && bytes; i++)
        if (client_device_is_local(loaded->devices[i]))
            TRY(space_reserve(loaded->devices[i]->device->spaces[MEMORY_DEVICE], bytes, &label,
                              &loaded->constants[i]));
    return NULL;
}

void loaded_constants_release(struct loaded_executable *loaded)
{
    for (int i = 0; i < loaded->device_count && loaded->constants; i++)
        storage_release(loaded->constants[i]);
    alloc_free(loaded->constants);
}

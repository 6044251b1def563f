/* memory_check.c: see memory_check.h. */
#include "compiler/memory_check.h"

typedef unsigned long long count; /* of bytes, as printed */

/* Sums saturate: sizes of a program that was not checked yet may be anything. */
static void add(uint64_t *sum, uint64_t bytes)
{
    if (__builtin_add_overflow(*sum, bytes, sum))
        *sum = UINT64_MAX;
}

static uint64_t device_bytes(const struct program_value *value)
{
    return value->shape.memory == MEMORY_DEVICE ? value->bytes : 0;
}

struct error *memory_check(const struct program *program, const struct target *target)
{
    uint64_t arguments = 0, results = 0;
    for (int i = 0; i < program->parameter_count; i++)
        add(&arguments, device_bytes(&program->parameters[i]));
    for (int i = 0; i < program->result_count; i++)
        if (program->results[i].alias < 0)
            add(&results, device_bytes(&program->results[i]));
    uint64_t total = arguments, constants = program->constants_size;
    add(&constants, program->tables_size);
    add(&total, results);
    add(&total, program->temp_size);
    add(&total, constants);
    if (!target->memory_bytes || total <= target->memory_bytes)
        return NULL;
    return ERROR(RESOURCE_EXHAUSTED,
                 "%s needs %llu bytes of device memory (arguments %llu, results %llu, temporaries "
                 "%llu, constants %llu), %s has %llu",
                 program->name, (count)total, (count)arguments, (count)results,
                 (count)program->temp_size, (count)constants, target->name,
                 (count)target->memory_bytes);
}

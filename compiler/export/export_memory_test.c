/* export_memory_test.c: the memory plan of a step with very many results, and of as many
 * parameters. */
#include "compiler/export/export_memory.h"

#include <criterion/criterion.h>
#include <string.h>
#include <time.h>

#include "compiler/export/export_fields.h"
#include "compiler/export/export_hlo.h"

enum { MANY = 100000, BYTES = 64, MOST_SECONDS = 5 };

static char name[] = "many", label[] = "fusion: f", contents[] = "f32[16]";
static const int64_t sixteen = 16;
static struct allocation allocations[MANY + 1];
static struct program_value parameters[MANY];
static struct slice slices[MANY];
static struct program_buffer buffers[MANY];
static struct step step = {.label = label, .slice_count = MANY, .slices = slices, .plan = -1};
static struct program program = {.name = name,
                                 .num_replicas = 1,
                                 .num_partitions = 1,
                                 .parameter_count = MANY,
                                 .parameters = parameters,
                                 .allocation_count = MANY + 1,
                                 .allocations = allocations,
                                 .buffer_count = MANY,
                                 .buffers = buffers,
                                 .steps = {1, &step}};

/* Parameter i has allocation i; result i is at i * BYTES in the temporaries, which are last. */
static void make_program(void)
{
    const struct shape shape = {.dtype = DTYPE_F32, .rank = 1, .dims = &sixteen};
    for (int i = 0; i < MANY; i++) {
        allocations[i] = (struct allocation){ALLOCATION_PARAMETER, i, BYTES, MEMORY_DEVICE};
        parameters[i] = (struct program_value){.shape = shape, .alias = -1};
        slices[i] = (struct slice){MANY, (uint64_t)i * BYTES, BYTES};
        buffers[i] = (struct program_buffer){slices[i], 0, 0, contents};
    }
    allocations[MANY] =
        (struct allocation){ALLOCATION_TEMP, 0, (uint64_t)MANY * BYTES, MEMORY_DEVICE};
}

static struct error *write(void *context)
{
    struct proto *assignment = context, module = {.arena = assignment->arena};
    struct map *names = map_create(assignment->arena);
    export_hlo_module(&module, PROTO_MODULE, &program, "main", 1, names);
    export_memory(assignment, PROTO_ASSIGNMENT, &program, names);
    return NULL;
}

/* How often the bytes are in the message. */
static int count_of(const struct proto *message, const void *bytes, size_t size)
{
    const unsigned char *at = message->bytes, *end = at + message->size;
    int count = 0;
    while ((at = memmem(at, (size_t)(end - at), bytes, size))) {
        count++;
        at += size;
    }
    return count;
}

Test(export_memory, many_results_and_parameters_take_linear_time)
{
    struct proto assignment = {0};
    make_program();
    cr_assert_null(arena_create(&assignment.arena));
    clock_t begin = clock();
    cr_assert_null(arena_run(assignment.arena, write, &assignment));
    cr_expect_lt(clock() - begin, MOST_SECONDS * CLOCKS_PER_SEC);
    /* Shape index (field 3) 99999 as a packed varint: the last result. */
    static const unsigned char last[] = {3 << 3 | 2, 3, 0x9f, 0x8d, 0x06};
    cr_expect_eq(count_of(&assignment, last, sizeof last), 1);
    arena_destroy(assignment.arena);
}

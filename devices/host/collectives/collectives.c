/* collectives.c: see collectives.h. All loops run over one linear range, the elements or bytes that
 * the group's results have together, so that the pool can split it anywhere. */
#include "devices/host/collectives/collectives.h"

#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/pool.h"
#include "devices/host/collectives/collective_types.h"

enum {
    BLOCK_BYTES = 16 << 10, /* of an accumulator, in the first-level cache */
    GRAIN_BYTES = 64 << 10, /* of the range that a thread claims */
    STREAM_BYTES = 32 << 20 /* results of all members, from which caches do not help */
};

struct work { /* one array of a collective */
    const struct collective_spec *spec;
    const struct collective_array *array;
    int index, members;
    void *const *const *buffers;
    void **operands; /* addresses of the members' */
    const int *sources;
    int64_t element; /* bytes */
    bool streams;    /* the results are larger than the caches */
    struct collective_type type;
};

static char *operand_of(const struct work *work, int member)
{
    return work->operands[member];
}

static char *result_of(const struct work *work, int member)
{
    return work->buffers[member][work->spec->array_count + work->index];
}

/* Whether the member's result is in the memory of the first member's, and so written with it. */
static bool shares_result(const struct work *work, int member)
{
    return member > 0 && result_of(work, member) == result_of(work, 0);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- reducing -------------------------------------------------------------------------------- */
/* Elements that fit an accumulator, whose own are at least 4 bytes wide if it converts. */
static int64_t block_of(const struct work *work)
{
    return BLOCK_BYTES / (work->type.store ? (int64_t)sizeof(float) : work->element);
}

/* Combines `count` <= block_of() elements at byte `from` of all operands. Returns them as the
 * results store them, in `accumulator` or `rounded`. */
static const char *combine_block(const struct work *work, int64_t from, int64_t count,
                                 char *accumulator, char *rounded)
{
    struct collective_operands operands = {work->members, work->operands};
    work->type.combine(accumulator, &operands, (size_t)from, (size_t)count);
    if (!work->type.store)
        return accumulator;
    work->type.store(rounded, accumulator, (size_t)count);
    return rounded;
}

/* Copies past the caches, since the result is too large for them: a normal store would first read
 * what it overwrites. Streaming stores of several threads are ordered by the pool and the
 * rendezvous only after a fence. */
static void copy_streaming(char *to, const char *from, int64_t size)
{
#if defined(__SSE2__)
    if ((uintptr_t)to % 16 == 0) {
        for (; size >= 64; size -= 64, to += 64, from += 64)
            for (int i = 0; i < 64; i += 16)
                _mm_stream_si128((__m128i *)(to + i), _mm_load_si128((const __m128i *)(from + i)));
        _mm_sfence();
    }
#endif
    memcpy(to, from, (size_t)size);
}

/* Elements [begin, end) of all results, which may be in the memory of the operands. */
static void all_reduce_range(void *context, int64_t begin, int64_t end)
{
    const struct work *work = context;
    _Alignas(64) char accumulator[BLOCK_BYTES], rounded[BLOCK_BYTES];
    for (int64_t count; begin < end; begin += count) {
        count = least(block_of(work), end - begin);
        int64_t offset = begin * work->element, size = count * work->element;
        const char *sums = combine_block(work, offset, count, accumulator, rounded);
        for (int i = 0; i < work->members; i++) {
            char *to = result_of(work, i) + offset;
            if (shares_result(work, i))
                continue;
            if (work->streams && to != operand_of(work, i) + offset)
                copy_streaming(to, sums, size);
            else
                memcpy(to, sums, (size_t)size);
        }
    }
}

/* Elements [begin, end) of the results of all members, one member after the other. */
static void reduce_scatter_range(void *context, int64_t begin, int64_t end)
{
    const struct work *work = context;
    _Alignas(64) char accumulator[BLOCK_BYTES], rounded[BLOCK_BYTES];
    int64_t inner = work->array->inner, outer = work->array->outer, size = work->element;
    for (int64_t count; begin < end; begin += count) {
        int64_t column = begin % inner, row = begin / inner % outer, member = begin / inner / outer;
        count = least(least(block_of(work), end - begin), inner - column);
        const char *sums =
            combine_block(work, ((row * work->members + member) * inner + column) * size, count,
                          accumulator, rounded);
        memcpy(result_of(work, (int)member) + (row * inner + column) * size, sums,
               (size_t)(count * size));
    }
}

/* ---- moving ---------------------------------------------------------------------------------- */
struct place { /* a row of `inner` elements */
    int64_t from, to;
};

/* Where row `row` of what member `sender` sends to `receiver` is, in rows. */
static struct place place_of(const struct work *work, int64_t row, int sender, int receiver)
{
    int64_t parts = work->members, middle = work->array->middle;
    int64_t outer = row / middle, m = row % middle;
    if (work->spec->kind == COLLECTIVE_ALL_GATHER)
        return (struct place){row, row * parts + sender};
    if (work->spec->concatenates_outside)
        return (struct place){row * parts + receiver, (outer * parts + sender) * middle + m};
    return (struct place){(outer * parts + receiver) * middle + m, row * parts + sender};
}

/* Bytes [begin, end) of what the members receive: receiver, sender, row, byte in the row. */
static void exchange_range(void *context, int64_t begin, int64_t end)
{
    const struct work *work = context;
    int64_t width = work->array->inner * work->element, members = work->members,
            rows = work->array->outer * work->array->middle;
    for (int64_t count; begin < end; begin += count) {
        int64_t column = begin % width, row = begin / width % rows, pair = begin / width / rows;
        int sender = (int)(pair % members), receiver = (int)(pair / members);
        if (shares_result(work, receiver)) {
            count = least(end, (receiver + 1) * members * rows * width) - begin;
            continue;
        }
        struct place place = place_of(work, row, sender, receiver);
        count = least(end - begin, width - column);
        memcpy(result_of(work, receiver) + place.to * width + column,
               operand_of(work, sender) + place.from * width + column, (size_t)count);
    }
}

/* Bytes [begin, end) of the results of all members. */
static void permute_range(void *context, int64_t begin, int64_t end)
{
    const struct work *work = context;
    int64_t width = work->array->inner * work->element;
    for (int64_t count; begin < end; begin += count) {
        int64_t column = begin % width;
        int receiver = (int)(begin / width), sender = work->sources[receiver];
        char *to = result_of(work, receiver) + column;
        count = least(end - begin, width - column);
        if (sender < 0)
            memset(to, 0, (size_t)count);
        else
            memcpy(to, operand_of(work, sender) + column, (size_t)count);
    }
}

/* ---- entry points ---------------------------------------------------------------------------- */
/* Elements of an operand or result, without the parts. */
static int64_t elements_of(const struct collective_array *array)
{
    return array->outer * array->middle * array->inner;
}

/* Divides [0, count), items of `size` bytes, among threads. */
static void run_range(struct work *work, int64_t count, int64_t size,
                      void (*body)(void *context, int64_t begin, int64_t end))
{
    pool_parallel(pool_shared(), count, GRAIN_BYTES / size, body, work);
}

static void run_array(struct work *work)
{
    int64_t elements = elements_of(work->array), bytes = elements * work->element,
            members = work->members;
    switch (work->spec->kind) {
    case COLLECTIVE_ALL_REDUCE: run_range(work, elements, work->element, all_reduce_range); break;
    case COLLECTIVE_REDUCE_SCATTER:
        run_range(work, members * elements, work->element, reduce_scatter_range);
        break;
    case COLLECTIVE_ALL_GATHER:
    case COLLECTIVE_ALL_TO_ALL:
        run_range(work, members * members * bytes, 1, exchange_range);
        break;
    case COLLECTIVE_PERMUTE:
    case COLLECTIVE_BROADCAST: run_range(work, members * bytes, 1, permute_range); break;
    case COLLECTIVE_SEND:
    case COLLECTIVE_RECEIVE: break; /* messages.h */
    case COLLECTIVE_PARTITION_ID:
    case COLLECTIVE_REPLICA_ID: break;
    }
}

void collectives_run(const struct step *step, int members, void *const *const *buffers,
                     const int *sources, void **scratch)
{
    const struct collective_spec *spec = &step->collective;
    bool reduces = spec->kind == COLLECTIVE_ALL_REDUCE || spec->kind == COLLECTIVE_REDUCE_SCATTER;
    for (int i = 0; i < spec->array_count; i++) {
        const struct collective_array *array = &spec->arrays[i];
        struct work work = {.spec = spec,
                            .array = array,
                            .index = i,
                            .members = members,
                            .buffers = buffers,
                            .operands = scratch,
                            .sources = sources,
                            .element = dtype_bytes(array->dtype)};
        work.streams = elements_of(array) * work.element * members > STREAM_BYTES;
        if (reduces)
            work.type = collective_types_get(spec->reducer, array->dtype);
        for (int m = 0; m < members; m++)
            scratch[m] = buffers[m][i];
        if (elements_of(array))
            run_array(&work);
    }
}

void collectives_clear(const struct step *step, void *const *buffers)
{
    const struct collective_spec *spec = &step->collective;
    for (int i = 0; i < spec->array_count; i++) {
        int64_t bytes = elements_of(&spec->arrays[i]) * dtype_bytes(spec->arrays[i].dtype);
        if (bytes)
            memset(buffers[spec->array_count + i], 0, (size_t)bytes);
    }
}

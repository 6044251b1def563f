/* stress_model.c: see stress_model.h. */
#include "conformance/stress_model.h"

#include <stdatomic.h>
#include <stdlib.h>

enum {
    PERIOD = 64,
    MAX_OPERAND = 1 << 15, /* maximum |base| and |step| of operands: 64 times that is exact */
    MAX_OPEN = 1 << 12,
    MAX_DEPTH = 8,
};

/* If `x` is set, the value is that of x, or 2 * x + y; otherwise it is `contents`. An open value
 * has neither until x is set, once. */
struct stress_value {
    atomic_int refs;
    struct stress_contents contents;
    _Atomic(struct stress_value *) x;
    struct stress_value *y;
    int64_t bound; /* >= |base| and |step| once it is known */
    int depth;
};

static struct stress_value *make(struct stress_contents contents, int64_t bound)
{
    struct stress_value *value = calloc(1, sizeof *value);
    if (!value)
        abort();
    atomic_init(&value->refs, 1);
    value->contents = contents;
    value->bound = bound;
    return value;
}

struct stress_value *stress_model_known(int64_t base, int64_t step)
{
    int64_t bound = llabs(base) > llabs(step) ? llabs(base) : llabs(step);
    return make((struct stress_contents){STRESS_KNOWN, base, step}, bound);
}

struct stress_value *stress_model_any(void)
{
    return make((struct stress_contents){.state = STRESS_ANY}, 0);
}

struct stress_value *stress_model_error(void)
{
    return make((struct stress_contents){.state = STRESS_ERROR}, 0);
}

struct stress_value *stress_model_open(void)
{
    return make((struct stress_contents){.state = STRESS_OPEN}, MAX_OPEN);
}

static struct stress_contents combine(struct stress_contents x, struct stress_contents y)
{
    static const enum stress_state order[] = {STRESS_ERROR, STRESS_OPEN, STRESS_ANY};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (x.state == order[i] || y.state == order[i])
            return (struct stress_contents){.state = order[i]};
    return (struct stress_contents){STRESS_KNOWN, 2 * x.base + y.base, 2 * x.step + y.step};
}

/* Whether the value does not depend on an open value; an error may. */
static bool is_settled(const struct stress_value *value)
{
    const struct stress_value *x = atomic_load(&value->x);
    if (!x)
        return value->contents.state != STRESS_OPEN;
    return is_settled(x) && (!value->y || is_settled(value->y));
}

struct stress_value *stress_model_computed(struct stress_value *x, struct stress_value *y)
{
    struct stress_contents now = combine(stress_model_contents(x), stress_model_contents(y));
    struct stress_value *value = make(now, 2 * x->bound + y->bound);
    if (!is_settled(x) || !is_settled(y)) {
        value->y = stress_model_retain(y);
        value->depth = 1 + (x->depth > y->depth ? x->depth : y->depth);
        atomic_store(&value->x, stress_model_retain(x));
    }
    return value;
}

struct stress_value *stress_model_retain(struct stress_value *value)
{
    atomic_fetch_add(&value->refs, 1);
    return value;
}

void stress_model_release(struct stress_value *value)
{
    if (!value || atomic_fetch_sub(&value->refs, 1) > 1)
        return;
    stress_model_release(atomic_load(&value->x));
    stress_model_release(value->y);
    free(value);
}

void stress_model_follow(struct stress_value *open, struct stress_value *source)
{
    atomic_store(&open->x, stress_model_retain(source));
}

struct stress_contents stress_model_contents(const struct stress_value *value)
{
    const struct stress_value *x = atomic_load(&value->x);
    if (!x)
        return value->contents;
    struct stress_contents contents = stress_model_contents(x);
    return value->y ? combine(contents, stress_model_contents(value->y)) : contents;
}

bool stress_model_can_compute(const struct stress_value *x, const struct stress_value *y)
{
    return 2 * x->bound + y->bound <= MAX_OPERAND && x->depth < MAX_DEPTH && y->depth < MAX_DEPTH;
}

bool stress_model_can_follow(const struct stress_value *source)
{
    return source->bound <= MAX_OPEN && is_settled(source);
}

static float element(struct stress_contents contents, size_t i)
{
    return (float)(contents.base + contents.step * (int64_t)(i % PERIOD));
}

/* The reference count is stored before the elements. */
enum { HEAD = 64 };

static atomic_int *uses_of(float *elements)
{
    return (atomic_int *)(void *)((char *)elements - HEAD);
}

float *stress_model_elements(const struct stress_value *value, size_t count)
{
    char *memory =
        aligned_alloc(HEAD, (HEAD + count * sizeof(float) + HEAD - 1) & ~(size_t)(HEAD - 1));
    if (!memory)
        abort();
    float *elements = (float *)(void *)(memory + HEAD);
    atomic_init(uses_of(elements), 1);
    if (value) {
        struct stress_contents contents = stress_model_contents(value);
        for (size_t i = 0; i < count; i++)
            elements[i] = element(contents, i);
    }
    return elements;
}

float *stress_model_share(float *elements)
{
    atomic_fetch_add(uses_of(elements), 1);
    return elements;
}

void stress_model_drop(float *elements)
{
    if (atomic_fetch_sub(uses_of(elements), 1) == 1)
        free(uses_of(elements));
}

size_t stress_model_compare(struct stress_contents contents, const float *elements, size_t first,
                            size_t count)
{
    size_t i = contents.state == STRESS_KNOWN ? 0 : count;
    while (i < count && elements[i] == element(contents, first + i))
        i++;
    return i;
}

/* ---- Ranges of memory ------------------------------------------------------------------------ */

static int by_start(const void *a, const void *b)
{
    const struct stress_range *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

size_t stress_model_overlap(struct stress_range *ranges, size_t count)
{
    const struct stress_range *furthest = ranges; /* the earlier range with the greatest end */
    qsort(ranges, count, sizeof *ranges, by_start);
    for (size_t i = 1; i < count; i++) {
        if (ranges[i].start < furthest->end && ranges[i].owner != furthest->owner)
            return i;
        if (ranges[i].end > furthest->end)
            furthest = &ranges[i];
    }
    return count;
}

/* ---- Random numbers -------------------------------------------------------------------------- */

/* splitmix64: any state is valid, including 0. */
uint64_t stress_model_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

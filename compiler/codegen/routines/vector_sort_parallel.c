/* vector_sort_parallel.c: see vector_sort_parallel.h. */
#include "compiler/codegen/routines/vector_sort_parallel.h"

#include "base/pool.h"
#include "compiler/codegen/routines/vector_sort.h"

enum {
    RANGES_A_THREAD = 2,
    MIN_RANGE = 32768, /* numbers of which it pays to tell another thread */
    MAX_LEVELS = 10,
    MAX_RANGES = 1 << MAX_LEVELS
};

struct range {
    int64_t first, count;
    bool is_sorted;
};

struct sorting {
    uint32_t *numbers;
    int64_t total, grain; /* the numbers; the pool's items for each range */
    vector_sort_receiver *receive;
    void *context;
    int count;
    struct range ranges[MAX_RANGES];
    struct range halves[MAX_RANGES][2]; /* of each range that is divided */
};

/* Runs `body` for each range: `begin` is its index times the grain. The pool sees as many items as
 * there are numbers: it remembers how long such calls take. */
static void each_range(struct sorting *s, void (*body)(void *sorting, int64_t begin, int64_t end))
{
    s->grain = (s->total + s->count - 1) / s->count;
    pool_parallel(pool_shared(), s->grain * s->count, s->grain, body, s);
}

static bool is_divided(const struct range *range)
{
    return !range->is_sorted && range->count >= 2 * MIN_RANGE;
}

static void divide_range(void *context, int64_t begin, int64_t end)
{
    (void)end;
    struct sorting *s = context;
    int64_t i = begin / s->grain;
    struct range whole = s->ranges[i];
    bool equal;
    if (!is_divided(&whole))
        return;
    int64_t low = vector_sort_divide(s->numbers + whole.first, whole.count, &equal);
    s->halves[i][0] = (struct range){whole.first, low, equal};
    s->halves[i][1] = (struct range){whole.first + low, whole.count - low, false};
}

static void sort_range(void *context, int64_t begin, int64_t end)
{
    (void)end;
    const struct sorting *s = context;
    const struct range *range = &s->ranges[begin / s->grain];
    uint32_t *numbers = s->numbers + range->first;
    if (!range->is_sorted)
        vector_sort(numbers, range->count);
    s->receive(s->context, numbers, range->first, range->count);
}

/* Divides all long ranges once. */
static void divide_ranges(struct sorting *s)
{
    int more = 0;
    for (int i = 0; i < s->count; i++)
        more += is_divided(&s->ranges[i]);
    if (!more)
        return;
    each_range(s, divide_range);
    for (int i = s->count - 1, to = i + more; i >= 0; i--) {
        bool divided = is_divided(&s->ranges[i]);
        if (divided)
            s->ranges[to--] = s->halves[i][1];
        s->ranges[to--] = divided ? s->halves[i][0] : s->ranges[i];
    }
    s->count += more;
}

/* How often to divide: not at all for one thread. */
static int levels_for(int threads)
{
    int levels = 0;
    while (threads > 1 && levels < MAX_LEVELS && 1 << levels < threads * RANGES_A_THREAD)
        levels++;
    return levels;
}

void vector_sort_parallel(uint32_t *numbers, int64_t count, vector_sort_receiver *receive,
                          void *context)
{
    struct sorting s;
    s.numbers = numbers;
    s.total = count;
    s.receive = receive;
    s.context = context;
    s.count = 1;
    s.ranges[0] = (struct range){0, count, false};
    for (int levels = levels_for(pool_width(pool_shared())); levels; levels--)
        divide_ranges(&s);
    each_range(&s, sort_range);
}

/* box_copy.c: see box_copy.h. */
#include "devices/host/copies/box_copy.h"

#include <string.h>

#include "devices/host/copies/clamped_index.h"

enum { PART = 1 << 20 }; /* bytes between polls of the stop flag */

/* ---- start of the box ------------------------------------------------------------------------ */
void box_copy_starts(const struct copy_spec *spec, void *const *indices,
                     int64_t starts[COPY_MAX_RANK])
{
    for (int i = 0; i < spec->rank; i++) {
        const int64_t last = spec->dims[i] - spec->sizes[i];
        starts[i] = spec->is_indexed ? clamped_index(indices[i], spec->index, last)
                                     : clamped_index_of(spec->starts[i], last);
    }
}

int64_t box_copy_bytes(const struct copy_spec *spec)
{
    int64_t bytes = spec->element;
    for (int i = 0; i < spec->rank; i++)
        bytes *= spec->sizes[i];
    return bytes;
}

/* ---- copying --------------------------------------------------------------------------------- */
struct walk {
    const struct copy_spec *spec;
    const atomic_uint *stop;
    int outer;                      /* number of dimensions outside a contiguous run */
    int64_t run;                    /* bytes per run */
    int64_t strides[COPY_MAX_RANK]; /* byte strides of the array */
    const char *from;
    char *to;
};

static bool is_stopped(const struct walk *w)
{
    return atomic_load_explicit(w->stop, memory_order_relaxed) != 0;
}

static void copy_run(const struct walk *w, const char *from, char *to)
{
    for (int64_t at = 0; at < w->run && !is_stopped(w); at += PART)
        memcpy(to + at, from + at, (size_t)(w->run - at < PART ? w->run - at : PART));
}

/* Iterates over the contiguous runs of the box, in order; `index` is the position in the outer
 * dimensions. */
static void copy_runs(const struct walk *w)
{
    int64_t index[COPY_MAX_RANK] = {0}, array = 0, box = 0;
    for (;;) {
        bool updates = w->spec->updates;
        copy_run(w, w->from + (updates ? box : array), w->to + (updates ? array : box));
        box += w->run;
        int i = w->outer - 1;
        for (; i >= 0 && ++index[i] == w->spec->sizes[i]; i--) {
            array -= (w->spec->sizes[i] - 1) * w->strides[i];
            index[i] = 0;
        }
        if (i < 0 || is_stopped(w))
            return;
        array += w->strides[i];
    }
}

/* A run covers the innermost dimensions that are copied whole, and the next one. */
static void find_runs(struct walk *w)
{
    const struct copy_spec *spec = w->spec;
    int64_t stride = spec->element;
    bool whole = true;
    w->outer = 0;
    w->run = spec->element;
    for (int i = spec->rank - 1; i >= 0; i--) {
        w->strides[i] = stride;
        stride *= spec->dims[i];
        if (whole)
            w->run *= spec->sizes[i];
        else if (!w->outer)
            w->outer = i + 1;
        whole = whole && spec->sizes[i] == spec->dims[i];
    }
}

void box_copy_run(const struct copy_spec *spec, const int64_t starts[COPY_MAX_RANK],
                  const void *from, void *to, const atomic_uint *stop)
{
    struct walk w = {.spec = spec, .stop = stop, .from = from, .to = to};
    int64_t offset = 0;
    if (!box_copy_bytes(spec))
        return;
    find_runs(&w);
    for (int i = 0; i < spec->rank; i++)
        offset += starts[i] * w.strides[i];
    if (spec->updates)
        w.to += offset;
    else
        w.from += offset;
    copy_runs(&w);
}

#include "devices/host/kernel_machine/kernel_shadow.h"

#include <string.h>

#include "devices/host/kernel_machine/kernel_move.h"

struct kernel_view kernel_shadow_plain(const struct kernel_view *view, int *bytes)
{
    struct kernel_view plain = *view;
    int axis = view->rank >= 2 ? view->rank - 2 : 0;
    int stored = view->stored_bits < 8 ? 1 : view->stored_bits / 8;
    if (view->pack > 1 && view->rank < KERNEL_MAX_RANK) {
        *bytes = stored;
        plain.dims[plain.rank] = view->pack;
        plain.strides[plain.rank++] = view->pack_stride;
    } else if (view->split > 1) {
        int64_t first = view->pack_stride / view->split;
        int64_t end = (view->pack_stride + view->dims[axis] + view->split - 1) / view->split;
        plain.offset += first * view->strides[axis];
        plain.dims[axis] = end - first;
        *bytes = stored;
    }
    plain.pack = plain.split = 1;
    return plain;
}

/* ---- rows ------------------------------------------------------------------------------------ */
/* The box of a plain view as rows of adjacent bytes. */
struct rows {
    struct kernel_box box; /* outer dimensions: from = strides */
    int64_t row;           /* bytes */
};

static struct rows rows_of(const struct kernel_view *plain, int bytes)
{
    struct rows rows = {.box = {.rank = plain->rank}, .row = bytes};
    for (int i = 0; i < plain->rank; i++) {
        rows.box.dims[i] = plain->dims[i];
        rows.box.from[i] = rows.box.to[i] = plain->strides[i];
    }
    kernel_move_simplify(&rows.box);
    int last = rows.box.rank - 1;
    if (last >= 0 && rows.box.from[last] == bytes) {
        rows.row = rows.box.dims[last] * bytes;
        rows.box.rank--;
    }
    return rows;
}

static bool is_empty(const struct kernel_view *view)
{
    for (int i = 0; i < view->rank; i++)
        if (view->dims[i] == 0)
            return true;
    return false;
}

/* All bytes equal the first one. */
static bool row_is_defined(const unsigned char *shadow, int64_t count)
{
    return count == 0 ||
           (shadow[0] == KERNEL_DEFINED && memcmp(shadow, shadow + 1, (size_t)count - 1) == 0);
}

static bool row_has_no_poison(const unsigned char *shadow, int64_t count)
{
    return !memchr(shadow, KERNEL_POISONED, (size_t)count);
}

static bool every_row(const struct rows *rows, int dim, const unsigned char *shadow,
                      bool (*is_so)(const unsigned char *shadow, int64_t count))
{
    if (dim == rows->box.rank)
        return is_so(shadow, rows->row);
    for (int64_t i = 0; i < rows->box.dims[dim]; i++)
        if (!every_row(rows, dim + 1, shadow + i * rows->box.from[dim], is_so))
            return false;
    return true;
}

static void set_rows(const struct rows *rows, int dim, unsigned char *shadow, int state)
{
    if (dim == rows->box.rank) {
        memset(shadow, state, (size_t)rows->row);
        return;
    }
    for (int64_t i = 0; i < rows->box.dims[dim]; i++)
        set_rows(rows, dim + 1, shadow + i * rows->box.from[dim], state);
}

static unsigned char *shadow_of(const struct kernel_view *view)
{
    return view->buffer->same->shadow;
}

static bool every_row_of(const struct kernel_view *box, int bytes,
                         bool (*is_so)(const unsigned char *shadow, int64_t count))
{
    struct kernel_view plain = kernel_shadow_plain(box, &bytes);
    struct rows rows = rows_of(&plain, bytes);
    return !shadow_of(box) || is_empty(&plain) ||
           every_row(&rows, 0, shadow_of(box) + plain.offset, is_so);
}

bool kernel_shadow_is_defined(const struct kernel_view *box, int bytes)
{
    return every_row_of(box, bytes, row_is_defined);
}

bool kernel_shadow_is_poisoned(const struct kernel_view *box, int bytes)
{
    return !every_row_of(box, bytes, row_has_no_poison);
}

/* ---- elements -------------------------------------------------------------------------------- */
static bool next(const struct kernel_view *view, int64_t *index)
{
    for (int i = view->rank - 1; i >= 0; i--) {
        if (++index[i] < view->dims[i])
            return true;
        index[i] = 0;
    }
    return false;
}

/* The first byte of an element; parts of stored numbers have that of the number. */
static int64_t offset_of(const struct kernel_view *view, const int64_t *index)
{
    int axis = view->rank >= 2 ? view->rank - 2 : 0;
    int64_t offset = view->offset;
    for (int i = 0; i < view->rank; i++) {
        int64_t at = index[i];
        if (view->split > 1 && i == axis)
            at = (at + view->pack_stride) / view->split;
        offset += at * view->strides[i];
    }
    return offset;
}

/* Bytes of a stored number that an element takes a part of, or that is a part of it. */
static int part_bytes(const struct kernel_view *view, int bytes)
{
    if (view->pack == 1 && view->split == 1)
        return bytes;
    return view->stored_bits < 8 ? 1 : view->stored_bits / 8;
}

bool kernel_shadow_read(const struct kernel_view *box, int bytes, uint8_t *out)
{
    const unsigned char *shadow = shadow_of(box);
    int64_t index[KERNEL_MAX_RANK] = {0}, i = 0;
    bool any = false;
    if (is_empty(box))
        return false;
    do {
        const unsigned char *at = shadow + offset_of(box, index);
        int state = KERNEL_DEFINED;
        for (int part = 0; part < box->pack; part++)
            for (int k = 0; k < part_bytes(box, bytes); k++) {
                int byte = at[part * box->pack_stride + k];
                if (byte != KERNEL_DEFINED && state != KERNEL_POISONED)
                    state = byte;
            }
        any |= state != KERNEL_DEFINED;
        out[i++] = (uint8_t)state;
    } while (next(box, index));
    return any;
}

static void write_elements(const struct kernel_view *box, int bytes, const uint8_t *states,
                           enum kernel_definedness state, const uint8_t *mask)
{
    unsigned char *shadow = shadow_of(box);
    int64_t index[KERNEL_MAX_RANK] = {0}, i = -1;
    do {
        i++;
        if (mask && !mask[i])
            continue;
        for (int part = 0; part < box->pack; part++)
            memset(shadow + offset_of(box, index) + part * box->pack_stride,
                   states ? states[i] : (int)state, (size_t)part_bytes(box, bytes));
    } while (next(box, index));
}

void kernel_shadow_write(const struct kernel_view *box, int bytes, const uint8_t *states,
                         enum kernel_definedness state, const uint8_t *mask)
{
    if (!shadow_of(box) || is_empty(box))
        return;
    if (states || mask) {
        write_elements(box, bytes, states, state, mask);
        return;
    }
    struct kernel_view plain = kernel_shadow_plain(box, &bytes);
    struct rows rows = rows_of(&plain, bytes);
    set_rows(&rows, 0, shadow_of(box) + plain.offset, state);
}

void kernel_shadow_copy(const struct kernel_view *from, const struct kernel_view *to, int bytes)
{
    if (!shadow_of(to) || is_empty(to))
        return;
    if (!shadow_of(from) || from->pack > 1 || from->split > 1 || to->pack > 1 || to->split > 1) {
        kernel_shadow_write(to, bytes, NULL, KERNEL_DEFINED, NULL);
        return;
    }
    struct kernel_box box = {.rank = from->rank};
    for (int i = 0; i < from->rank; i++) {
        box.dims[i] = from->dims[i];
        box.from[i] = from->strides[i];
        box.to[i] = to->strides[i];
    }
    kernel_move_box(&box, (const char *)shadow_of(from) + from->offset,
                    (char *)shadow_of(to) + to->offset, bytes);
}

/* ---- overlap --------------------------------------------------------------------------------- */
/* Bytes from the first to behind the last of the dimensions from `dim` on. */
static int64_t extent(const struct kernel_view *view, int dim, int bytes)
{
    int64_t size = bytes;
    for (int i = dim; i < view->rank; i++)
        size += (view->dims[i] - 1) * view->strides[i];
    return size;
}

/* Whether an element of the view is in the bytes [low, high). */
static bool hits(const struct kernel_view *view, int dim, int64_t base, int bytes, int64_t low,
                 int64_t high)
{
    int64_t inner = extent(view, dim, bytes);
    if (base >= high || base + inner <= low)
        return false;
    if (dim == view->rank || (base >= low && base + bytes <= high))
        return true;
    int64_t stride = view->strides[dim] > 0 ? view->strides[dim] : 1;
    int64_t part = extent(view, dim + 1, bytes);
    int64_t first = low > base + part ? (low - base - part) / stride : 0;
    for (int64_t i = first; i < view->dims[dim] && base + i * view->strides[dim] < high; i++)
        if (hits(view, dim + 1, base + i * view->strides[dim], bytes, low, high))
            return true;
    return false;
}

static bool rows_hit(const struct rows *rows, int dim, int64_t base, const struct kernel_view *view,
                     int bytes)
{
    if (dim == rows->box.rank)
        return hits(view, 0, view->offset, bytes, base, base + rows->row);
    for (int64_t i = 0; i < rows->box.dims[dim]; i++)
        if (rows_hit(rows, dim + 1, base + i * rows->box.from[dim], view, bytes))
            return true;
    return false;
}

bool kernel_shadow_overlap(const struct kernel_view *a, int a_bytes, const struct kernel_view *b,
                           int b_bytes)
{
    if (a->buffer->same != b->buffer->same)
        return false;
    struct kernel_view x = kernel_shadow_plain(a, &a_bytes), y = kernel_shadow_plain(b, &b_bytes);
    if (is_empty(&x) || is_empty(&y) || x.offset >= y.offset + extent(&y, 0, b_bytes) ||
        y.offset >= x.offset + extent(&x, 0, a_bytes))
        return false;
    struct rows rows = rows_of(&x, a_bytes);
    return rows_hit(&rows, 0, x.offset, &y, b_bytes);
}

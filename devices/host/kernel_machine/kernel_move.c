#include "devices/host/kernel_machine/kernel_move.h"

#include <string.h>

void kernel_move_simplify(struct kernel_box *box)
{
    int rank = 0;
    for (int i = 0; i < box->rank; i++) {
        if (box->dims[i] == 1)
            continue;
        bool merges = rank > 0 && box->from[rank - 1] == box->from[i] * box->dims[i] &&
                      box->to[rank - 1] == box->to[i] * box->dims[i];
        int at = merges ? rank - 1 : rank++;
        box->dims[at] = merges ? box->dims[at] * box->dims[i] : box->dims[i];
        box->from[at] = box->from[i];
        box->to[at] = box->to[i];
    }
    box->rank = rank;
}

/* ---- the innermost dimension ----------------------------------------------------------------- */
#define STRIDED(name, T)                                                                           \
    static void name(const char *from, int64_t from_stride, char *to, int64_t to_stride,           \
                     int64_t count)                                                                \
    {                                                                                              \
        for (int64_t i = 0; i < count; i++)                                                        \
            memcpy(to + i * to_stride, from + i * from_stride, sizeof(T));                         \
    }                                                                                              \
    static void name##_fill(const char *from, char *restrict to, int64_t count)                    \
    {                                                                                              \
        T value, *out = (T *)(void *)to;                                                           \
        memcpy(&value, from, sizeof value);                                                        \
        for (int64_t i = 0; i < count; i++)                                                        \
            out[i] = value;                                                                        \
    }
STRIDED(strided_8, uint8_t)
STRIDED(strided_16, uint16_t)
STRIDED(strided_32, uint32_t)
STRIDED(strided_64, uint64_t)

static void move_line(const char *from, int64_t from_stride, char *to, int64_t to_stride,
                      int64_t count, int bytes)
{
    if (from_stride == bytes && to_stride == bytes) {
        memcpy(to, from, (size_t)(count * bytes));
    } else if (from_stride == 0 && to_stride == bytes) {
        switch (bytes) {
        case 1: strided_8_fill(from, to, count); return;
        case 2: strided_16_fill(from, to, count); return;
        case 4: strided_32_fill(from, to, count); return;
        default: strided_64_fill(from, to, count);
        }
    } else {
        switch (bytes) {
        case 1: strided_8(from, from_stride, to, to_stride, count); return;
        case 2: strided_16(from, from_stride, to, to_stride, count); return;
        case 4: strided_32(from, from_stride, to, to_stride, count); return;
        default: strided_64(from, from_stride, to, to_stride, count);
        }
    }
}

/* ---- boxes ----------------------------------------------------------------------------------- */
static void move_dims(const struct kernel_box *box, int dim, const char *from, char *to, int bytes)
{
    if (dim == box->rank - 1) {
        move_line(from, box->from[dim], to, box->to[dim], box->dims[dim], bytes);
        return;
    }
    for (int64_t i = 0; i < box->dims[dim]; i++)
        move_dims(box, dim + 1, from + i * box->from[dim], to + i * box->to[dim], bytes);
}

void kernel_move_box(const struct kernel_box *box, const char *from, char *to, int bytes)
{
    struct kernel_box simple = *box;
    kernel_move_simplify(&simple);
    if (simple.rank == 0)
        memcpy(to, from, (size_t)bytes);
    else
        move_dims(&simple, 0, from, to, bytes);
}

void kernel_move_run(const struct kernel_move *move, const char *from, char *to, int bytes)
{
    struct kernel_box box = {.rank = move->rank};
    for (int i = 0; i < move->rank; i++) {
        box.dims[i] = move->dims[i];
        box.from[i] = move->from[i] * bytes;
        box.to[i] = move->to[i] * bytes;
    }
    kernel_move_box(&box, from + move->from_offset * bytes, to + move->to_offset * bytes, bytes);
}

/* host_copy.c: see host_copy.h. If elements change their layout or form, an end that the host
 * cannot address is staged: bytes are read to a buffer before the copy, or written from one after
 * it. */
#include "devices/host/copies/host_copy.h"

#include "base/alloc.h"
#include "base/pool.h"
#include "devices/host/copies/strided_copy.h"
#include "memory/storage.h"

/* block size of a copy between two ranges that the host cannot address */
enum { BLOCK_BYTES = 1 << 20 };

struct task { /* a copy on another thread */
    struct device_copy copy;
    const struct host_copy_access *access;
};

/* The host address of an end, or NULL if there is none. */
static char *address_of(const struct copy_end *end, const struct host_copy_access *access)
{
    if (!end->device)
        return (char *)end->host + end->offset;
    return access ? NULL : (char *)end->storage->address + end->offset;
}

/* ---- copies between host addresses ----------------------------------------------------------- */
static const int64_t *strides_of(const struct copy_end *end, int64_t *computed)
{
    if (end->byte_strides)
        return end->byte_strides;
    shape_byte_strides(end->shape, computed);
    return computed;
}

static void convert(const struct device_copy *copy, char *to, const char *from)
{
    int64_t to_strides[SHAPE_MAX_RANK], from_strides[SHAPE_MAX_RANK];
    strided_copy(copy->to.shape, to, strides_of(&copy->to, to_strides), from,
                 strides_of(&copy->from, from_strides));
}

static bool converts(const struct device_copy *copy)
{
    const struct shape *shape = copy->to.shape;
    return shape && (copy->from.byte_strides || copy->to.byte_strides ||
                     !shape_same_layout(shape, copy->from.shape));
}

/* Whether elements on the host may need normalization. */
static bool normalizes(const struct device_copy *copy)
{
    return copy->to.shape && !copy->from.device && dtype_info(copy->to.shape->dtype)->bits < 8;
}

static void copy_bytes(const struct device_copy *copy, char *to, const char *from)
{
    if (converts(copy))
        convert(copy, to, from);
    else
        strided_copy_dense(to, from, copy->size);
    if (normalizes(copy))
        strided_copy_normalize(copy->to.shape->dtype, to, copy->size);
}

/* ---- staged copies --------------------------------------------------------------------------- */
/* One end is the host; bytes are not converted. */
static struct error *copy_direct(const struct device_copy *copy,
                                 const struct host_copy_access *access, const char *from, char *to)
{
    return from ? access->write(copy->to.storage, copy->to.offset, from, copy->size)
                : access->read(copy->from.storage, copy->from.offset, to, copy->size);
}

/* Both ends are on devices; bytes are not converted, and are moved in blocks. */
static struct error *copy_by_blocks(const struct device_copy *copy,
                                    const struct host_copy_access *access)
{
    char *block;
    struct error *error = NULL;
    uint64_t block_size = copy->size < BLOCK_BYTES ? copy->size : BLOCK_BYTES;
    TRY(alloc_aligned(block_size, &block));
    for (uint64_t at = 0; at < copy->size && !error; at += block_size) {
        uint64_t size = copy->size - at < block_size ? copy->size - at : block_size;
        error = access->read(copy->from.storage, copy->from.offset + at, block, size);
        if (!error)
            error = access->write(copy->to.storage, copy->to.offset + at, block, size);
    }
    alloc_free(block);
    return error;
}

/* `from` must be addressable by the host; `staging` has copy->size bytes if `to` is not. */
static struct error *copy_to(const struct device_copy *copy, const struct host_copy_access *access,
                             const char *from, char *to, char *staging)
{
    copy_bytes(copy, to ? to : staging, from);
    return to ? NULL : access->write(copy->to.storage, copy->to.offset, staging, copy->size);
}

static struct error *copy_staged(const struct device_copy *copy,
                                 const struct host_copy_access *access, const char *from, char *to)
{
    char *read = NULL, *written = NULL;
    uint64_t size = copy->size;
    struct error *error = NULL;
    if (!from) {
        error = alloc_aligned(size, &read);
        if (!error)
            error = access->read(copy->from.storage, copy->from.offset, read, size);
    }
    if (!error && !to)
        error = alloc_aligned(size, &written);
    if (!error)
        error = copy_to(copy, access, from ? from : read, to, written);
    alloc_free(read);
    alloc_free(written);
    return error;
}

static struct error *run(const struct device_copy *copy, const struct host_copy_access *access)
{
    const char *from = address_of(&copy->from, access);
    char *to = address_of(&copy->to, access);
    if (!copy->size)
        return NULL;
    if (from && to)
        copy_bytes(copy, to, from);
    else if (converts(copy) || normalizes(copy))
        return copy_staged(copy, access, from, to);
    else if (from || to)
        return copy_direct(copy, access, from, to);
    else
        return copy_by_blocks(copy, access);
    return NULL;
}

/* ---- the method ------------------------------------------------------------------------------ */
static void run_task(void *context)
{
    struct task task = *(struct task *)context;
    alloc_free(context);
    task.copy.done(run(&task.copy, task.access), task.copy.context);
}

static struct error *check_layouts(const struct device_copy *copy)
{
    if (!copy->to.shape || !(copy->to.shape->tile_count || copy->from.shape->tile_count))
        return NULL;
    return ERROR(UNIMPLEMENTED, "tiled layouts are unsupported: use a layout without tiles");
}

struct error *host_copy(const struct device_copy *copy, const struct host_copy_access *access)
{
    struct task *task;
    TRY(check_layouts(copy));
    if (!copy->done)
        return run(copy, access);
    TRY(alloc_bytes(sizeof *task, &task));
    *task = (struct task){*copy, access};
    struct error *error = pool_submit(pool_shared(), run_task, task);
    if (error)
        run_task(task); /* no thread is available: copy on the caller's thread */
    error_free(error);
    return NULL;
}

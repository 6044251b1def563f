/* near_memory.c: see near_memory.h. */
#include "devices/host/net/near_memory.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "devices/host/net/net_cursor.h"

enum { RANGES = 256 /* of a call */, CALL = 8 << 20 /* bytes, between two looks at the proof */ };

struct reading { /* one call */
    struct iovec to[RANGES + 1], from[RANGES + 1];
    size_t count;
    uint64_t size;
};

static void add(struct reading *reading, void *to, void *from, uint64_t size)
{
    reading->to[reading->count] = (struct iovec){to, size};
    reading->from[reading->count++] = (struct iovec){from, size};
    reading->size += size;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Adds the next ranges, at most `limit` bytes. */
static void add_ranges(struct reading *reading, struct net_cursor *to, struct net_cursor *from,
                       uint64_t limit)
{
    while (reading->count < RANGES && reading->size < limit) {
        uint64_t size =
            least(least(net_cursor_run(to), net_cursor_run(from)), limit - reading->size);
        add(reading, net_cursor_take(to, size), net_cursor_take(from, size), size);
    }
}

bool near_memory_allow(enum near_reader reader)
{
    unsigned long whom =
        reader == NEAR_READER_LAUNCHER ? (unsigned long)getppid() : PR_SET_PTRACER_ANY;
    return whom && !prctl(PR_SET_PTRACER, whom, 0, 0, 0);
}

enum near_memory near_memory_read(const struct net_offer *offer, const struct net_piece *to,
                                  uint64_t total)
{
    struct net_cursor to_at = {.piece = to}, from_at = {.piece = offer->pieces};
    while (total) {
        struct reading reading = {.count = 0};
        uint64_t proof = 0;
        add_ranges(&reading, &to_at, &from_at, least(total, CALL));
        total -= reading.size;
        add(&reading, &proof, (void *)(uintptr_t)offer->proof_at, sizeof proof);
        ssize_t size = process_vm_readv((pid_t)offer->process, reading.to, reading.count,
                                        reading.from, reading.count, 0);
        if (size < 0 && (errno == EPERM || errno == ENOSYS || errno == ESRCH))
            return NEAR_MEMORY_FORBIDDEN;
        if (size != (ssize_t)reading.size || proof != offer->proof)
            return NEAR_MEMORY_FAILED;
    }
    return NEAR_MEMORY_READ;
}

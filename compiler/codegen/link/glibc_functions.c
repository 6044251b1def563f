/* glibc_functions.c: see glibc_functions.h. */
#include "compiler/codegen/link/glibc_functions.h"

#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

uint32_t __wrap_arc4random(void)
{
    uint32_t value;
    ssize_t size;
    do
        size = getrandom(&value, sizeof value, 0);
    while (size < 0 && errno == EINTR);
    if (size == sizeof value)
        return value;
    struct timespec now; /* a kernel or a sandbox without the call; here it need not be secret */
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint32_t)now.tv_nsec * 2654435761u ^ (uint32_t)(uintptr_t)&now;
}

#ifdef DLFO_STRUCT_HAS_EH_DBASE
struct search {
    uintptr_t address;
    struct dl_find_object *out;
    bool found;
};

/* Stores the range of the object's segments in *out; whether one of them contains the address. */
static bool contains(const struct dl_phdr_info *info, uintptr_t address, struct dl_find_object *out)
{
    uintptr_t start = UINTPTR_MAX, end = 0;
    bool inside = false;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t at = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type != PT_LOAD)
            continue;
        inside = inside || address - at < segment->p_memsz;
        start = at < start ? at : start;
        end = at + segment->p_memsz > end ? at + segment->p_memsz : end;
    }
    out->dlfo_map_start = (void *)start;
    out->dlfo_map_end = (void *)end;
    return inside;
}

static int look(struct dl_phdr_info *info, size_t size, void *opaque)
{
    struct search *search = opaque;
    (void)size;
    if (!contains(info, search->address, search->out))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME) {
            search->out->dlfo_eh_frame = (void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
            search->found = true;
        }
    return 1;
}

int __wrap__dl_find_object(void *address, struct dl_find_object *out)
{
    struct search search = {(uintptr_t)address, out, false};
    memset(out, 0, sizeof *out);
    dl_iterate_phdr(look, &search);
    return search.found ? 0 : -1;
}
#endif

#include "base/memory_file.h"

#include <errno.h>
#include <sys/mman.h>

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8U /* Linux 6.3 */
#endif

int memory_file_create(const char *name, bool inherited)
{
    unsigned flags = inherited ? 0 : MFD_CLOEXEC;
    int file = memfd_create(name, flags | MFD_NOEXEC_SEAL);
    return file < 0 && errno == EINVAL ? memfd_create(name, flags) : file; /* an older Linux */
}

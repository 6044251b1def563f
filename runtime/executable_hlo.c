#include "runtime/executable_hlo.h"

#include "base/fork.h"
#include "compiler/export/export_hlo.h"

struct error *executable_hlo(struct executable *executable, const char **bytes, size_t *size)
{
    static struct fork_lock lock = FORK_LOCK(FORK_PLUGIN, NULL);
    struct error *error = NULL;
    fork_lock_take(&lock);
    if (!executable->hlo)
        error = export_hlo(executable->program, &executable->hlo, &executable->hlo_size);
    fork_lock_release(&lock);
    *bytes = executable->hlo;
    *size = executable->hlo_size;
    return error;
}

#include "runtime/executable_shardings.h"

#include "base/fork.h"

struct error *executable_shardings(struct executable *executable, bool of_results,
                                   const struct sharding_list **out)
{
    static struct fork_lock lock = FORK_LOCK(FORK_PLUGIN, NULL);
    struct sharding_list *list = &executable->shardings[of_results];
    struct error *error = NULL;
    fork_lock_take(&lock);
    if (!list->shardings)
        error = export_sharding_list(executable->program, of_results, list);
    fork_lock_release(&lock);
    *out = list;
    return error;
}

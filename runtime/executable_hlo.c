#include "runtime/executable_hlo.h"

#include <pthread.h>

#include "compiler/export/export_hlo.h"

struct error *executable_hlo(struct executable *executable, const char **bytes, size_t *size)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct error *error = NULL;
    pthread_mutex_lock(&lock);
    if (!executable->hlo)
        error = export_hlo(executable->program, &executable->hlo, &executable->hlo_size);
    pthread_mutex_unlock(&lock);
    *bytes = executable->hlo;
    *size = executable->hlo_size;
    return error;
}

/* net_library.c: see net_library.h. */
#include "devices/host/net/net_library.h"

#include <signal.h>

#include "base/fork.h"
#include "base/library.h"

static struct fork_lock lock = FORK_LOCK(FORK_LIBRARY, NULL);
static const struct transport_ops *ops;

static struct error *open_library(void)
{
    static const char *const names[] = {"net_transport"};
    void *symbols[1];
    TRY(library_open("libgantry_net.so", "net_build", 1, names, symbols));
    ops = ((net_transport_function *)symbols[0])();
    return NULL;
}

struct error *net_library(const struct transport_ops **out)
{
    fork_lock_take(&lock);
    struct error *error = ops ? NULL : open_library();
    *out = ops;
    fork_lock_release(&lock);
    return error;
}

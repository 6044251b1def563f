/* client_call.c: see client_call.h. */
#include "devices/host/client_call.h"

static bool describe(struct watchdog_wait *wait, struct text *out)
{
    const struct client_call *call = (const struct client_call *)wait;
    const struct launch *launch = call->launch;
    text_add(out,
             "'%s' on %s called the client's function of %s %lld s ago, and continues when that "
             "has returned. It never returns if it waits for this execution, or for one that was "
             "started on the same device after it",
             launch->program->name, launch->where ? launch->where : "a device", call->step->label,
             (long long)watchdog_seconds());
    return true;
}

static void note(const struct launch *launch, bool calls_client)
{
    if (launch->progress)
        atomic_store(&launch->progress->calls_client, calls_client);
}

void client_call_begin(struct client_call *call, const struct launch *launch,
                       const struct step *step)
{
    call->launch = launch;
    call->step = step;
    call->mode = fpu_current();
    watchdog_begin(&call->wait, describe);
    note(launch, true);
    fpu_restore(launch->client_mode);
}

void client_call_end(struct client_call *call)
{
    fpu_restore(call->mode);
    note(call->launch, false);
    watchdog_end(&call->wait);
}

#include "runtime/clients.h"

#include "base/fork.h"
#include "runtime/metrics.h"

static struct fork_lock lock = FORK_LOCK(FORK_PLUGIN, NULL);
static struct client *first, **end = &first; /* linked by next_open */

void clients_add(struct client *client)
{
    metrics_begin();
    fork_lock_take(&lock);
    *end = client;
    end = &client->next_open;
    fork_lock_release(&lock);
}

void clients_remove(struct client *client)
{
    fork_lock_take(&lock);
    struct client **at = &first;
    while (*at && *at != client)
        at = &(*at)->next_open;
    if (*at) {
        *at = client->next_open;
        if (end == &client->next_open)
            end = at;
        client->next_open = NULL;
    }
    fork_lock_release(&lock);
}

size_t clients_list(struct client **out, size_t capacity)
{
    size_t count = 0;
    fork_lock_take(&lock);
    for (struct client *client = first; client && count < capacity; client = client->next_open) {
        client_retain(client);
        out[count++] = client;
    }
    fork_lock_release(&lock);
    return count;
}

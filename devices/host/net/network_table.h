/* network_table.h: a hash table of a network's executions, by number; entries are embedded in the
 * objects they describe. Several entries may be of one execution; they are found in the order in
 * which they were added. Not thread-safe. */
#ifndef GANTRY_DEVICES_HOST_NET_NETWORK_TABLE_H
#define GANTRY_DEVICES_HOST_NET_NETWORK_TABLE_H

#include "devices/host/net/net_message.h"

struct network_entry { /* the first field of its owner */
    struct network_entry *next;
    struct net_execution execution; /* set before it is added */
};

struct network_table { /* zeros: empty */
    struct network_entry **buckets;
    size_t capacity, count; /* capacity: 0 or a power of two */
};

/* The entry belongs to the caller, who removes it before freeing it. */
struct error *network_table_add(struct network_table *table, struct network_entry *entry);
/* Accepts an entry that was not added. */
void network_table_remove(struct network_table *table, const struct network_entry *entry);
/* The first entry of the execution, and the next one; NULL: none. */
struct network_entry *network_table_find(const struct network_table *table,
                                         const struct net_execution *execution);
struct network_entry *network_table_next(const struct network_entry *entry);
void network_table_free(struct network_table *table);     /* the entries stay as they are */
void network_table_free_all(struct network_table *table); /* and the entries (alloc_free) */

#endif

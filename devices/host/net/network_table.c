#include "devices/host/net/network_table.h"

#include "base/alloc.h"
#include "base/map.h"

enum { LEAST = 64 };

static bool is_of(const struct network_entry *entry, const struct net_execution *execution)
{
    return entry->execution.scope == execution->scope &&
           entry->execution.sequence == execution->sequence;
}

/* Where the list of an execution begins. */
static struct network_entry **bucket_of(struct network_entry **buckets, size_t capacity,
                                        const struct net_execution *execution)
{
    return &buckets[map_hash(execution, sizeof *execution, 0) & (capacity - 1)];
}

static void append(struct network_entry **at, struct network_entry *entry)
{
    while (*at)
        at = &(*at)->next;
    entry->next = NULL;
    *at = entry;
}

static struct error *grow(struct network_table *table)
{
    size_t capacity = table->capacity ? 2 * table->capacity : LEAST;
    struct network_entry **buckets;
    TRY(alloc_array(capacity, sizeof *buckets, &buckets));
    for (size_t i = 0; i < table->capacity; i++) {
        for (struct network_entry *next, *at = table->buckets[i]; at; at = next) {
            next = at->next;
            append(bucket_of(buckets, capacity, &at->execution), at);
        }
    }
    alloc_free(table->buckets);
    table->buckets = buckets;
    table->capacity = capacity;
    return NULL;
}

struct error *network_table_add(struct network_table *table, struct network_entry *entry)
{
    if (table->count == table->capacity)
        TRY(grow(table));
    append(bucket_of(table->buckets, table->capacity, &entry->execution), entry);
    table->count++;
    return NULL;
}

void network_table_remove(struct network_table *table, const struct network_entry *entry)
{
    if (!table->capacity)
        return;
    struct network_entry **at = bucket_of(table->buckets, table->capacity, &entry->execution);
    while (*at && *at != entry)
        at = &(*at)->next;
    if (!*at)
        return;
    *at = entry->next;
    table->count--;
}

struct network_entry *network_table_find(const struct network_table *table,
                                         const struct net_execution *execution)
{
    struct network_entry *at = NULL;
    if (table->capacity)
        at = *bucket_of(table->buckets, table->capacity, execution);
    while (at && !is_of(at, execution))
        at = at->next;
    return at;
}

struct network_entry *network_table_next(const struct network_entry *entry)
{
    struct network_entry *at = entry->next;
    while (at && !is_of(at, &entry->execution))
        at = at->next;
    return at;
}

void network_table_free(struct network_table *table)
{
    alloc_free(table->buckets);
    *table = (struct network_table){0};
}

void network_table_free_all(struct network_table *table)
{
    for (size_t i = 0; i < table->capacity; i++) {
        for (struct network_entry *next, *at = table->buckets[i]; at; at = next) {
            next = at->next;
            alloc_free(at);
        }
    }
    network_table_free(table);
}

#include "compiler/driver/custom_partitioner.h"

#include <string.h>

#include "base/alloc.h"
#include "base/fork.h"

enum { MAX_NAME = 4096 }; /* bytes */

struct entry {
    struct entry *next;
    struct custom_partitioner *partitioner;
    size_t size;
    char name[];
};

static struct entry *entries;
static struct custom_partitioner *replaced; /* and perhaps still in use */
static struct fork_lock lock = FORK_LOCK(FORK_CALLS, NULL);

void custom_partitioner_release(struct custom_partitioner *partitioner)
{
    if (partitioner)
        atomic_fetch_sub(&partitioner->uses, 1);
}

/* Removes the replaced partitioners that no compile uses, and returns their list. */
static struct custom_partitioner *take_unused(void)
{
    struct custom_partitioner *unused = NULL;
    for (struct custom_partitioner **at = &replaced, *each; (each = *at);) {
        if (atomic_load(&each->uses)) {
            at = &each->next;
            continue;
        }
        *at = each->next;
        each->next = unused;
        unused = each;
    }
    return unused;
}

static void free_all(struct custom_partitioner *list)
{
    for (struct custom_partitioner *next; list; list = next) {
        next = list->next;
        list->destroy(list);
    }
}

static struct entry *find(const char *name, size_t size)
{
    struct entry *entry = entries;
    while (entry && (entry->size != size || memcmp(entry->name, name, size) != 0))
        entry = entry->next;
    return entry;
}

/* Adds the entry unless there is one of its name. Returns that of the name. */
static struct entry *add(struct entry *entry)
{
    struct entry *there = find(entry->name, entry->size);
    if (there)
        return there;
    entry->next = entries;
    return entries = entry;
}

static struct error *create(const char *name, size_t size, struct entry **out)
{
    if (!name || size == 0 || size > MAX_NAME)
        return ERROR(INVALID_ARGUMENT,
                     "the name of a custom call with a partitioner has %zu bytes; it must have 1 "
                     "to %d",
                     name ? size : 0, MAX_NAME);
    TRY(alloc_zeroed(sizeof **out + size, out));
    (*out)->size = size;
    memcpy((*out)->name, name, size);
    return NULL;
}

/* Makes it the entry's; the one before is replaced. */
static void set(struct entry *entry, struct custom_partitioner *partitioner)
{
    if (entry->partitioner) {
        entry->partitioner->next = replaced;
        replaced = entry->partitioner;
    }
    entry->partitioner = partitioner;
}

struct error *custom_partitioner_register(const char *name, size_t size,
                                          struct custom_partitioner *owned)
{
    struct entry *made;
    atomic_store(&owned->uses, 0);
    TRY(create(name, size, &made));
    fork_lock_take(&lock);
    struct entry *entry = add(made);
    set(entry, owned);
    struct custom_partitioner *unused = take_unused();
    fork_lock_release(&lock);
    if (entry != made)
        alloc_free(made);
    free_all(unused);
    return NULL;
}

struct custom_partitioner *custom_partitioner_find(struct string name)
{
    fork_lock_take(&lock);
    struct entry *entry = find(name.data, name.size);
    struct custom_partitioner *found = entry ? entry->partitioner : NULL;
    if (found)
        atomic_fetch_add(&found->uses, 1);
    fork_lock_release(&lock);
    return found;
}

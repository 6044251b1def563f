/* live.h: the list of the process's live storages that have memory of a space, so that a message
 * about exhausted memory can name its users. The list is sharded by storage address. Each shard has
 * its own lock, which is held for a few instructions. Thread-safe. */
#ifndef GANTRY_MEMORY_LIVE_H
#define GANTRY_MEMORY_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "memory/label.h"

struct storage;

/* For space.c: `storage` must be fully initialized from before live_add until after live_remove. */
void live_add(struct storage *storage);
void live_remove(struct storage *storage);

/* Changes the label of a live storage on which the caller has a hold. Retains the new label. */
void live_set_label(struct storage *storage, const struct label *label);
/* The label, retained: label_release. */
struct label live_get_label(struct storage *storage);

struct live_group { /* storages of one size and one label */
    uint64_t size;  /* bytes of each */
    int64_t count;
    struct label label; /* retained: no other label has its address meanwhile */
    char *text;         /* formatted label, owned by the summary; NULL: memory was exhausted */
};

enum { LIVE_GROUPS = 8 };
struct live_summary {
    struct live_group groups[LIVE_GROUPS]; /* largest storages first */
    int group_count;
    int64_t count;  /* of all matching storages */
    uint64_t bytes; /* sum of their sizes */
};

/* Summarizes the storages for which counts(storage, context) is true. O(live storages); for
 * messages. Owned: live_summary_free. */
void live_summarize(bool (*counts)(const struct storage *storage, const void *context),
                    const void *context, struct live_summary *out);
void live_summary_free(struct live_summary *summary);
/* Prints "Largest live buffers:", a line for each group, then one for the rest. */
void live_print(const struct live_summary *summary, struct text *out);

#endif

/* live.c: a doubly linked list of struct storage for each shard. */
#include "memory/live.h"

#include <string.h>

#include "base/alloc.h"
#include "base/fork.h"
#include "memory/storage.h"

enum { PARTS = 16 };

static struct part {
    _Alignas(64) struct fork_lock lock;
    struct storage *first;
} parts[PARTS] = {
#define PART {.lock = FORK_LOCK(FORK_LIVE, NULL)}
    PART, PART, PART, PART, PART, PART, PART, PART, PART,
    PART, PART, PART, PART, PART, PART, PART
#undef PART
};

static struct part *part_of(const struct storage *storage)
{
    return &parts[(uintptr_t)storage / 16 * 0x9E3779B97F4A7C15ULL >> 60];
}

void live_add(struct storage *storage)
{
    struct part *part = part_of(storage);
    label_retain(&storage->label);
    storage->live_before = NULL;
    fork_lock_take(&part->lock);
    storage->live_next = part->first;
    if (part->first)
        part->first->live_before = storage;
    part->first = storage;
    fork_lock_release(&part->lock);
}

void live_remove(struct storage *storage)
{
    struct part *part = part_of(storage);
    fork_lock_take(&part->lock);
    if (storage->live_next)
        storage->live_next->live_before = storage->live_before;
    if (storage->live_before)
        storage->live_before->live_next = storage->live_next;
    else
        part->first = storage->live_next;
    fork_lock_release(&part->lock);
    label_release(&storage->label);
}

void live_set_label(struct storage *storage, const struct label *label)
{
    struct part *part = part_of(storage);
    label_retain(label);
    fork_lock_take(&part->lock);
    struct label before = storage->label;
    storage->label = *label;
    fork_lock_release(&part->lock);
    label_release(&before);
}

struct label live_get_label(struct storage *storage)
{
    struct part *part = part_of(storage);
    fork_lock_take(&part->lock);
    struct label label = storage->label;
    label_retain(&label);
    fork_lock_release(&part->lock);
    return label;
}

/* ---- summaries ------------------------------------------------------------------------------- */
static struct live_group *find_group(struct live_summary *summary, const struct storage *storage)
{
    for (int i = 0; i < summary->group_count; i++)
        if (summary->groups[i].size == storage->counted &&
            label_equal(&summary->groups[i].label, &storage->label))
            return &summary->groups[i];
    return NULL;
}

static char *printed(const struct label *label)
{
    struct text text = {0};
    char *out;
    label_print(label, &text);
    error_free(text_finish(&text, &out, NULL));
    return out;
}

static void drop_group(struct live_group *group)
{
    alloc_free(group->text);
    label_release(&group->label);
}

/* Inserts a group after those of larger storages, and drops the last one when there are too many. A
 * dropped group is never inserted again, since the smallest size in the list never decreases. */
static void add_group(struct live_summary *summary, const struct storage *storage)
{
    int place = summary->group_count;
    while (place > 0 && summary->groups[place - 1].size < storage->counted)
        place--;
    if (place == LIVE_GROUPS)
        return;
    if (summary->group_count == LIVE_GROUPS)
        drop_group(&summary->groups[--summary->group_count]);
    struct live_group *group = &summary->groups[place];
    memmove(group + 1, group, (size_t)(summary->group_count - place) * sizeof *group);
    *group = (struct live_group){storage->counted, 1, storage->label, printed(&storage->label)};
    label_retain(&group->label); /* the storage may be freed before the next shard is read */
    summary->group_count++;
}

/* Whether the storage is smaller than all of a full list. */
static bool is_small(const struct live_summary *summary, const struct storage *storage)
{
    return summary->group_count == LIVE_GROUPS &&
           storage->counted < summary->groups[LIVE_GROUPS - 1].size;
}

static void add_storage(struct live_summary *summary, const struct storage *storage)
{
    summary->count++;
    summary->bytes += storage->counted;
    if (is_small(summary, storage))
        return;
    struct live_group *group = find_group(summary, storage);
    if (group)
        group->count++;
    else
        add_group(summary, storage);
}

void live_summarize(bool (*counts)(const struct storage *storage, const void *context),
                    const void *context, struct live_summary *out)
{
    *out = (struct live_summary){0};
    for (int i = 0; i < PARTS; i++) {
        fork_lock_take(&parts[i].lock);
        for (struct storage *storage = parts[i].first; storage; storage = storage->live_next)
            if (counts(storage, context))
                add_storage(out, storage);
        fork_lock_release(&parts[i].lock);
    }
}

void live_summary_free(struct live_summary *summary)
{
    for (int i = 0; i < summary->group_count; i++)
        drop_group(&summary->groups[i]);
    summary->group_count = 0;
}

void live_print(const struct live_summary *summary, struct text *out)
{
    int64_t count = summary->count;
    uint64_t bytes = summary->bytes;
    if (!count)
        return;
    text_add(out, "Largest live buffers:\n");
    for (int i = 0; i < summary->group_count; i++) {
        const struct live_group *group = &summary->groups[i];
        text_add(out, "  %lld x ", (long long)group->count);
        text_add_size(out, group->size);
        text_add(out, ": %s\n", group->text ? group->text : "?");
        count -= group->count;
        bytes -= group->size * (uint64_t)group->count;
    }
    if (!count)
        return;
    text_add(out, "  %lld more, of ", (long long)count);
    text_add_size(out, bytes);
    text_add(out, " together\n");
}

/* shared_plan.c: see shared_plan.h. A search tree of the C library's behind a lock, without which
 * plans are created: of equal ones that are created at once, the first stays. */
#include "devices/host/shared_plan.h"

#include <search.h>
#include <stdatomic.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fork.h"
#include "devices/host/scratch.h"

static struct fork_lock lock = FORK_LOCK(FORK_OBJECT, NULL);
static void *plans; /* behind the lock: a tree of struct shared_plan */

static int compare(const void *a, const void *b)
{
    const struct shared_plan *left = a, *right = b;
    return memcmp(&left->key, &right->key, sizeof left->key);
}

static void discard(struct shared_plan *shared)
{
    shared->plan->destroy(shared->plan);
    alloc_free(shared);
    scratch_release();
}

static void end_use(struct program_plan *base)
{
    struct shared_plan *shared = (struct shared_plan *)base;
    fork_lock_take(&lock);
    bool is_last = !--shared->uses;
    if (is_last)
        tdelete(shared, &plans, compare);
    fork_lock_release(&lock);
    if (is_last)
        discard(shared);
}

/* NULL: there is no such plan yet. */
static struct shared_plan *find(const struct shared_plan *like)
{
    fork_lock_take(&lock);
    struct shared_plan *const *node = tfind(like, &plans, compare);
    struct shared_plan *found = node ? *node : NULL; /* a deletion of others may move nodes */
    if (found)
        found->uses++;
    fork_lock_release(&lock);
    return found;
}

/* Adds a plan and uses it; or uses an equal one that another thread has added, and discards it. */
static struct error *add(struct shared_plan *made, struct shared_plan **out)
{
    fork_lock_take(&lock);
    struct shared_plan *const *node = tsearch(made, &plans, compare);
    *out = node ? *node : NULL;
    if (node)
        (*out)->uses++;
    fork_lock_release(&lock);
    if (*out != made)
        discard(made);
    return node ? NULL : error_out_of_memory();
}

static struct error *create(const struct step *step, struct shared_plan *out)
{
    static atomic_ullong last_id;
    const struct kernels_library *library;
    TRY(kernels_library(&library));
    out->id = atomic_fetch_add(&last_id, 1) + 1;
    return step->kind == STEP_DOT
               ? library->dot_plan(&step->dot, out->key.threads, &out->plan)
               : library->convolution_plan(&step->convolution, out->key.threads, &out->plan);
}

struct error *shared_plan_use(const struct step *step, int threads, struct shared_plan **out)
{
    struct shared_plan like, *made;
    memset(&like, 0, sizeof like);
    like.base.destroy = end_use;
    like.key.kind = step->kind;
    like.key.threads = threads;
    if (step->kind == STEP_DOT)
        like.key.spec.dot = step->dot;
    else
        like.key.spec.convolution = step->convolution;
    if ((*out = find(&like)))
        return NULL;
    TRY(alloc_bytes(sizeof *made, &made));
    memcpy(made, &like, sizeof like);
    struct error *error = create(step, made);
    if (error) {
        alloc_free(made);
        return error;
    }
    scratch_retain();
    return add(made, out);
}

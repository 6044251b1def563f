/* custom_call.c: see custom_call.h. Handlers are never removed, so pointers to them stay valid. */
#include "devices/host/custom_call.h"

#include <string.h>

#include "base/alloc.h"
#include "base/fork.h"
#include "devices/host/kernels_library.h"
#include "devices/host/builtin_calls.h"

struct entry {
    struct entry *next;
    char *target;
    size_t size;
    struct custom_call_handler handler;
};

static struct fork_lock lock = FORK_LOCK(FORK_CALLS, NULL); /* guards `entries` */
static struct entry *entries;

static const struct custom_call_handler *find_known(const char *target, size_t size)
{
    for (const struct entry *entry = entries; entry; entry = entry->next)
        if (entry->size == size && !memcmp(entry->target, target, size))
            return &entry->handler;
    return builtin_calls_find(target, size);
}

static struct error *add(const char *target, size_t size, const struct custom_call_handler *handler)
{
    struct entry *entry;
    TRY(alloc_zeroed(sizeof *entry, &entry));
    struct error *error = alloc_copy(target, size, &entry->target);
    if (error) {
        alloc_free(entry);
        return error;
    }
    entry->size = size;
    entry->handler = *handler;
    entry->next = entries;
    entries = entry;
    return NULL;
}

static bool is_taken(const char *target, size_t size, const struct custom_call_handler *handler,
                     bool *same)
{
    const struct custom_call_handler *known = find_known(target, size);
    *same = known && known->run == handler->run && known->user == handler->user;
    return known || (handler->foreign && kernels_library_has_call(target, size));
}

struct error *custom_call_register(const char *target, size_t size,
                                   const struct custom_call_handler *handler)
{
    bool same;
    fork_lock_take(&lock);
    bool taken = is_taken(target, size, handler, &same);
    struct error *error = taken ? NULL : add(target, size, handler);
    fork_lock_release(&lock);
    return !taken || same
               ? error
               : ERROR(ALREADY_EXISTS, "custom call %.*s is already registered", (int)size, target);
}

/* Functions of the kernel library are registered at their first lookup. */
static struct error *add_own(const char *target, size_t size)
{
    const struct kernels_library *library;
    struct custom_call_handler handler;
    TRY(kernels_library(&library));
    if (!library->find_call(target, size, &handler))
        return ERROR(INTERNAL, "the kernel library lists custom call %.*s but lacks it", (int)size,
                     target);
    return custom_call_register(target, size, &handler);
}

struct error *custom_call_find(const char *target, size_t size,
                               const struct custom_call_handler **out)
{
    fork_lock_take(&lock);
    *out = find_known(target, size);
    fork_lock_release(&lock);
    if (!*out && kernels_library_has_call(target, size)) {
        TRY(add_own(target, size));
        return custom_call_find(target, size, out);
    }
    if (!*out)
        return ERROR(UNIMPLEMENTED, "no handler is registered for custom call target \"%.*s\"",
                     (int)size, target);
    return NULL;
}

/* ---- calls of a program ---------------------------------------------------------------------- */
static struct error *check_list(const struct step_list *list, struct custom_call_use *use);

static struct error *check_step(const struct step *step, struct custom_call_use *use)
{
    const struct custom_call_handler *handler;
    if (step->kind == STEP_WHILE) {
        TRY(check_list(&step->loop.condition, use));
        return check_list(&step->loop.body, use);
    }
    for (int i = 0; step->kind == STEP_CASE && i < step->branch.count; i++)
        TRY(check_list(&step->branch.branches[i], use));
    if (step->kind != STEP_CUSTOM_CALL)
        return NULL;
    struct error *error = custom_call_find(step->call.target, strlen(step->call.target), &handler);
    if (error)
        return error_prefix(error, "%s", step->label);
    use->foreign |= handler->foreign;
    use->synchronous |= handler->synchronous;
    return NULL;
}

static struct error *check_list(const struct step_list *list, struct custom_call_use *use)
{
    for (int i = 0; i < list->count; i++)
        TRY(check_step(&list->steps[i], use));
    return NULL;
}

struct error *custom_call_check(const struct program *program, struct custom_call_use *use)
{
    *use = (struct custom_call_use){0};
    return check_list(&program->steps, use);
}

/* ---- attributes ------------------------------------------------------------------------------ */
const struct call_attribute *custom_call_attribute(const struct call_spec *spec, const char *name)
{
    for (int i = 0; i < spec->attribute_count; i++)
        if (!strcmp(spec->attributes[i].name, name))
            return &spec->attributes[i];
    return NULL;
}

bool custom_call_integer(const struct call_spec *spec, const char *name, int64_t *out)
{
    const struct call_attribute *at = custom_call_attribute(spec, name);
    if (!at || at->kind != CALL_SCALAR || (!dtype_is_integer(at->dtype) && at->dtype != DTYPE_PRED))
        return false;
    *out = dtype_to_int64(at->dtype, at->data);
    return true;
}

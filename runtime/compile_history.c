#include "runtime/compile_history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fork.h"
#include "base/text.h"

struct types { /* a line each; owned, may be NULL */
    char *arguments, *results;
};

struct past { /* the compilations of a name */
    struct compile_history_entry entry;
    uint64_t used; /* the number of the compilation that was the last one */
    struct types types;
    struct module_outline outline;
};

/* Guards all below. */
static struct fork_lock lock = FORK_LOCK(FORK_PLUGIN, NULL);
static struct past *names[HISTORY_NAMES];
static uint64_t count;

/* ---- why ------------------------------------------------------------------------------------- */
/* "f32[8,4]" and a new line for each value; owned; NULL when memory is exhausted. */
static char *print_types(const struct program_value *values, int value_count)
{
    struct text text = {0};
    char *out = NULL;
    for (int i = 0; i < value_count; i++) {
        const struct shape *shape = &values[i].shape;
        text_add(&text, "%s[", dtype_name(shape->dtype));
        for (int k = 0; k < shape->rank; k++)
            text_add(&text, "%s%lld", k ? "," : "", (long long)shape->dims[k]);
        text_add(&text, "]\n");
    }
    error_free(text_finish(&text, &out, NULL));
    return out;
}

/* Writes the first argument, or result, of another type; false: there is none. */
static bool explain_types(const char *what, const char *before, const char *now,
                          char out[HISTORY_REASON])
{
    for (int i = 0; before && now && (*before || *now); i++) {
        int old_size = (int)strcspn(before, "\n"), new_size = (int)strcspn(now, "\n");
        if (old_size != new_size || memcmp(before, now, (size_t)new_size)) {
            snprintf(out, HISTORY_REASON, "%s %d was %.*s, is %.*s", what, i,
                     old_size ? old_size : 6, old_size ? before : "absent", new_size ? new_size : 6,
                     new_size ? now : "absent");
            return true;
        }
        before += old_size + (before[old_size] != 0);
        now += new_size + (now[new_size] != 0);
    }
    return false;
}

static void explain_constants(const struct module_outline *before, const struct module_outline *now,
                              char out[HISTORY_REASON])
{
    int at = module_outline_changed(before, now);
    if (at < 0) {
        snprintf(out, HISTORY_REASON, "a constant has another value");
        return;
    }
    const struct outline_constant *constant = &now->first[at];
    snprintf(out, HISTORY_REASON, "a constant%s%s was %s, is %s", *constant->place ? " at " : "",
             constant->place, before->first[at].value, constant->value);
}

static void explain(const struct past *past, const struct types *types,
                    const struct module_outline *outline, char out[HISTORY_REASON])
{
    if (explain_types("argument", past->types.arguments, types->arguments, out) ||
        explain_types("result", past->types.results, types->results, out))
        return;
    if (past->outline.operations != outline->operations)
        snprintf(out, HISTORY_REASON, "it has other operations, or attributes");
    else if (past->outline.constants != outline->constants)
        explain_constants(&past->outline, outline, out);
    else
        snprintf(out, HISTORY_REASON, "the client asked again for the same operations");
}

static void free_types(struct types *types)
{
    alloc_free(types->arguments);
    alloc_free(types->results);
}

/* ---- the table ------------------------------------------------------------------------------- */
/* By name; NULL: it is new. *slot: where a new one goes, in place of the one used longest ago. */
static struct past *find(const char *name, struct past ***slot)
{
    *slot = &names[0];
    for (int i = 0; i < HISTORY_NAMES; i++) {
        struct past **at = &names[i];
        if (*at && !strcmp((*at)->entry.name, name))
            return *at;
        if (**slot && (!*at || (*at)->used < (**slot)->used))
            *slot = at;
    }
    return NULL;
}

static struct past *create(const char *name, struct past **slot)
{
    struct past *past;
    struct error *error = alloc_zeroed(sizeof *past, &past);
    if (error) {
        error_free(error);
        return NULL;
    }
    snprintf(past->entry.name, sizeof past->entry.name, "%s", name);
    if (*slot)
        free_types(&(*slot)->types);
    alloc_free(*slot);
    *slot = past;
    return past;
}

/* With the lock. Moves `types`. */
static void add(const char *name, struct types *types, const struct module_outline *outline,
                uint64_t ns)
{
    struct past **slot, *past = find(name, &slot);
    if (past)
        explain(past, types, outline, past->entry.reason);
    else
        past = create(name, slot);
    if (!past) {
        free_types(types);
        return;
    }
    free_types(&past->types);
    past->types = *types;
    past->outline = *outline;
    past->used = ++count;
    past->entry.compilations++;
    past->entry.last_ns = ns;
    past->entry.total_ns += ns;
}

void compile_history_add(const struct program *program, const struct module_outline *outline,
                         uint64_t ns)
{
    char name[HISTORY_NAME];
    struct types types = {print_types(program->parameters, program->parameter_count),
                          print_types(program->results, program->result_count)};
    snprintf(name, sizeof name, "%s", program->name);
    fork_lock_take(&lock);
    add(name, &types, outline, ns);
    fork_lock_release(&lock);
}

static int dearer_first(const void *a, const void *b)
{
    const struct compile_history_entry *x = a, *y = b;
    if (x->total_ns != y->total_ns)
        return x->total_ns > y->total_ns ? -1 : 1;
    return strcmp(x->name, y->name);
}

size_t compile_history_read(struct compile_history_entry *out, size_t capacity)
{
    struct compile_history_entry *all;
    size_t found = 0;
    struct error *error = alloc_array(HISTORY_NAMES, sizeof *all, &all);
    if (error) {
        error_free(error);
        return 0;
    }
    fork_lock_take(&lock);
    for (int i = 0; i < HISTORY_NAMES; i++)
        if (names[i])
            all[found++] = names[i]->entry;
    fork_lock_release(&lock);
    qsort(all, found, sizeof *all, dearer_first);
    if (found > capacity)
        found = capacity;
    if (found)
        memcpy(out, all, found * sizeof *out);
    alloc_free(all);
    return found;
}

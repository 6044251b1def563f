#include "runtime/result_labels.h"

#include <string.h>

#include "base/alloc.h"

struct result_labels {
    struct refs refs;
    int count;
    const char *program;
    const char *steps[]; /* the step that writes each result; the texts follow the array */
};

/* ---- steps that write results ---------------------------------------------------------------- */
/* The lists of steps inside a step. */
static int inner_lists(const struct step *step, const struct step_list **out)
{
    if (step->kind == STEP_WHILE) {
        *out = &step->loop.condition; /* the body follows it */
        return 2;
    }
    *out = step->branch.branches;
    return step->kind == STEP_CASE ? step->branch.count : 0;
}
_Static_assert(offsetof(struct step, loop.body) ==
                   offsetof(struct step, loop.condition) + sizeof(struct step_list),
               "inner_lists() returns both as an array");

/* Finds each result's step: the last one that writes it, which may be in a loop. Lists are nested
 * at most PROGRAM_MAX_NESTING deep. */
static void find_steps(const struct program *program, const struct step_list *list,
                       const char **steps)
{
    for (int i = 0; i < list->count; i++) {
        const struct step *step = &list->steps[i];
        const struct step_list *inner;
        int inner_count = inner_lists(step, &inner);
        for (int k = 0; k < inner_count; k++)
            find_steps(program, &inner[k], steps);
        for (int k = step->operand_count; k < step->slice_count; k++) {
            const struct allocation *written = &program->allocations[step->slices[k].allocation];
            if (written->kind == ALLOCATION_RESULT)
                steps[written->index] = step->label;
        }
    }
}

/* Copies a text to *at and advances *at past it. */
static const char *copy_text(char **at, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = memcpy(*at, text, size);
    *at += size;
    return copy;
}

static struct error *copy_texts(const struct program *program, const char **steps,
                                struct result_labels **out)
{
    size_t count = (size_t)program->result_count, size = strlen(program->name) + 1;
    for (size_t i = 0; i < count; i++)
        size += steps[i] ? strlen(steps[i]) + 1 : 0;
    TRY(alloc_zeroed(sizeof **out + count * sizeof *steps + size, out));
    char *at = (char *)((*out)->steps + count);
    refs_init(&(*out)->refs);
    (*out)->count = program->result_count;
    (*out)->program = copy_text(&at, program->name);
    for (size_t i = 0; i < count; i++)
        (*out)->steps[i] = steps[i] ? copy_text(&at, steps[i]) : NULL;
    return NULL;
}

struct error *result_labels_create(const struct program *program, struct result_labels **out)
{
    const char **steps;
    *out = NULL;
    TRY(alloc_array((size_t)program->result_count, sizeof *steps, &steps));
    find_steps(program, &program->steps, steps);
    struct error *error = copy_texts(program, steps, out);
    alloc_free(steps);
    return error;
}

void result_labels_release(struct result_labels *labels)
{
    if (labels && refs_release(&labels->refs))
        alloc_free(labels);
}

/* ---- labels ---------------------------------------------------------------------------------- */
static void retain(void *object)
{
    refs_retain(&((struct result_labels *)object)->refs);
}

static void release(void *object)
{
    result_labels_release(object);
}

static void print_result(const void *object, int index, struct text *out)
{
    const struct result_labels *labels = object;
    text_add(out, "result %d of '%s'", index, labels->program);
    if (labels->steps[index])
        text_add(out, ": %s", labels->steps[index]);
}

struct label result_labels_get(struct result_labels *labels, int index)
{
    static const struct label_kind kind = {retain, release, print_result};
    return (struct label){&kind, labels, index};
}

static void print_host_array(const void *object, int dtype, struct text *out)
{
    (void)object;
    text_add(out, "%s array from the host", dtype_name((enum dtype)dtype));
}

struct label result_labels_host_array(enum dtype dtype)
{
    static const struct label_kind kind = {.print = print_host_array};
    return (struct label){&kind, NULL, (int)dtype};
}

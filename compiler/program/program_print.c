/* program_print.c: see program_print.h. */
#include "compiler/program/program_print.h"

struct printer {
    const struct program *program;
    struct text *out;
    int depth; /* nesting depth of step lists */
};

static void print_list(struct printer *p, const struct step_list *list);

static void begin_line(struct printer *p)
{
    text_add(p->out, "%*s", 2 * (p->depth + 1), "");
}

/* Prints " temp[64, 128)", or only the name for a whole allocation. */
static void print_slice(struct printer *p, const struct slice *slice)
{
    const struct allocation *from = &p->program->allocations[slice->allocation];
    switch (from->kind) {
    case ALLOCATION_PARAMETER: text_add(p->out, " parameter.%d", from->index); break;
    case ALLOCATION_RESULT: text_add(p->out, " result.%d", from->index); break;
    case ALLOCATION_CONSTANTS: text_add(p->out, " constants"); break;
    case ALLOCATION_TEMP:
        text_add(p->out, " temp%s%s", from->memory ? "." : "",
                 from->memory ? memory_kind_name(from->memory) : "");
        break;
    }
    if (slice->offset || slice->size != from->size)
        text_add(p->out, "[%llu, %llu)", (unsigned long long)slice->offset,
                 (unsigned long long)(slice->offset + slice->size));
}

/* Prints "+ 0..3 * 4096 by temp[0, 4)" for an index of at most 3. */
static void print_offsets(struct printer *p, const struct step *step, int slice)
{
    for (int i = 0; i < step->offset_count; i++) {
        const struct slice_offset *offset = &step->offsets[i];
        if (offset->slice != slice)
            continue;
        text_add(p->out, " + 0..%lld * %lld by", (long long)offset->last,
                 (long long)offset->stride);
        print_slice(p, &offset->index);
    }
}

static void print_slices(struct printer *p, const struct step *step)
{
    for (int i = 0; i < step->slice_count; i++) {
        if (i == 0 && step->operand_count)
            text_add(p->out, " reads");
        if (i == step->operand_count)
            text_add(p->out, " writes");
        print_slice(p, &step->slices[i]);
        print_offsets(p, step, i);
    }
}

/* Prints "copy_start 3 from 1x4 of 24x4" if a slice is read, or "to" if one is written. */
static void print_copy(struct printer *p, const struct copy_spec *copy)
{
    text_add(p->out, "copy_start %d", copy->number);
    for (int i = 0; i < copy->rank; i++)
        text_add(p->out,
                 i               ? "x%lld"
                 : copy->updates ? " to %lld"
                                 : " from %lld",
                 (long long)copy->sizes[i]);
    for (int i = 0; i < copy->rank; i++)
        text_add(p->out, i ? "x%lld" : " of %lld", (long long)copy->dims[i]);
}

static void print_groups(struct printer *p, const struct program_groups *groups)
{
    for (int g = 0; g < groups->group_count; g++)
        for (int i = groups->offsets[g]; i < groups->offsets[g + 1]; i++)
            text_add(p->out, "%s%d", i == groups->offsets[g] ? " {" : ",", groups->members[i]),
                text_add(p->out, i + 1 == groups->offsets[g + 1] ? "}" : "");
}

static void print_collective(struct printer *p, const struct collective_spec *spec)
{
    static const char *const kinds[] = {"partition_id",   "replica_id", "all_reduce", "all_gather",
                                        "reduce_scatter", "all_to_all", "permute",    "broadcast",
                                        "send",           "receive"};
    static const char *const reducers[] = {"add", "multiply", "minimum", "maximum",
                                           "and", "or",       "xor"};
    bool reduces = spec->kind == COLLECTIVE_ALL_REDUCE || spec->kind == COLLECTIVE_REDUCE_SCATTER;
    text_add(p->out, "%s%s%s", kinds[spec->kind], reduces ? " " : "",
             reduces ? reducers[spec->reducer] : "");
    if (spec->groups >= 0)
        print_groups(p, &p->program->groups[spec->groups]);
}

static void print_attention(struct printer *p, const struct attention_spec *spec)
{
    const struct dot_spec *scores = &spec->scores;
    text_add(p->out, "attention %s kernel %s batch %lld m %lld n %lld k %lld, values n %lld",
             dtype_name(spec->values.out), p->program->kernel_names[spec->kernel],
             (long long)(scores->outer * scores->batch), (long long)scores->m, (long long)scores->n,
             (long long)scores->k, (long long)spec->values.n);
}

static void print_attention_backward(struct printer *p, const struct attention_backward_spec *spec)
{
    const struct dot_spec *scores = &spec->scores;
    text_add(p->out,
             "attention_backward %s kernels %s %s batch %lld m %lld n %lld k %lld, values n %lld",
             dtype_name(spec->to_values.out), p->program->kernel_names[spec->weights_kernel],
             p->program->kernel_names[spec->gradient_kernel],
             (long long)(scores->outer * scores->batch), (long long)scores->m, (long long)scores->n,
             (long long)scores->k, (long long)spec->to_values.n);
}

static void print_kind(struct printer *p, const struct step *step)
{
    const struct dot_spec *dot = &step->dot;
    switch (step->kind) {
    case STEP_KERNEL:
        text_add(p->out, "kernel %s work %lld", p->program->kernel_names[step->kernel.index],
                 (long long)step->kernel.work);
        break;
    case STEP_DOT:
        text_add(p->out, "dot %s batch %lld m %lld n %lld k %lld", dtype_name(dot->out),
                 (long long)(dot->outer * dot->batch), (long long)dot->m, (long long)dot->n,
                 (long long)dot->k);
        break;
    case STEP_THIN_DOT:
        text_add(p->out, "thin_dot %s of %s%s%s batch %lld m %lld n %lld k %lld",
                 dtype_name(dot->out), step->thin_dot.packing.count ? "packed " : "",
                 step->thin_dot.table ? "indices " : "", dtype_name(dot->rhs),
                 (long long)dot->batch, (long long)dot->m, (long long)dot->n, (long long)dot->k);
        break;
    case STEP_CONVOLUTION:
        text_add(p->out, "convolution %s", dtype_name(step->convolution.out));
        break;
    case STEP_ATTENTION: print_attention(p, &step->attention); break;
    case STEP_ATTENTION_BACKWARD: print_attention_backward(p, &step->attention_backward); break;
    case STEP_COPY: text_add(p->out, "copy"); break;
    case STEP_COPY_START: print_copy(p, &step->copy); break;
    case STEP_COPY_DONE: text_add(p->out, "copy_done %d", step->copy.number); break;
    case STEP_WHILE: text_add(p->out, "while"); break;
    case STEP_CASE: text_add(p->out, "case"); break;
    case STEP_CUSTOM_CALL: text_add(p->out, "custom_call @%s", step->call.target); break;
    case STEP_SEND: text_add(p->out, "send channel %lld", (long long)step->channel); break;
    case STEP_RECEIVE: text_add(p->out, "receive channel %lld", (long long)step->channel); break;
    case STEP_COLLECTIVE: print_collective(p, &step->collective); break;
    }
}

static void print_inside(struct printer *p, const char *role, const struct step_list *list)
{
    p->depth++;
    begin_line(p);
    text_add(p->out, "%s:\n", role);
    p->depth++;
    print_list(p, list);
    p->depth -= 2;
}

static void print_step(struct printer *p, const struct step *step)
{
    begin_line(p);
    print_kind(p, step);
    print_slices(p, step);
    text_add(p->out, " // %s\n", step->label);
    if (step->kind == STEP_WHILE) {
        print_inside(p, "condition", &step->loop.condition);
        print_inside(p, "body", &step->loop.body);
    }
    for (int i = 0; step->kind == STEP_CASE && i < step->branch.count; i++)
        print_inside(p, "branch", &step->branch.branches[i]);
}

static void print_list(struct printer *p, const struct step_list *list)
{
    for (int i = 0; i < list->count; i++)
        print_step(p, &list->steps[i]);
}

static void print_values(struct printer *p, const char *what, const struct program_value *values,
                         int count)
{
    for (int i = 0; i < count; i++) {
        text_add(p->out, "%s.%d: ", what, i);
        shape_print(&values[i].shape, p->out);
        text_add(p->out, values[i].donated ? ", donated" : "");
        if (values[i].alias >= 0)
            text_add(p->out, ", shares memory with number %d of the other side", values[i].alias);
        text_add(p->out, "\n");
    }
}

static void print_temps(const struct program *program, struct text *out)
{
    for (enum memory_kind kind = 0; kind < MEMORY_KIND_COUNT; kind++) {
        uint64_t size = program_temp_size(program, kind);
        if (size || kind == MEMORY_DEVICE)
            text_add(out, "temp%s%s: %llu bytes\n", kind ? "." : "",
                     kind ? memory_kind_name(kind) : "", (unsigned long long)size);
    }
}

void program_print(const struct program *program, struct text *out)
{
    struct printer p = {.program = program, .out = out};
    text_add(out, "program %s: %d replicas, %d partitions\n", program->name, program->num_replicas,
             program->num_partitions);
    print_values(&p, "parameter", program->parameters, program->parameter_count);
    print_values(&p, "result", program->results, program->result_count);
    text_add(out, "constants: %llu bytes\n", (unsigned long long)program->constants_size);
    print_temps(program, out);
    text_add(out, "steps:\n");
    print_list(&p, &program->steps);
}

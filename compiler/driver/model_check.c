/* model_check.c: see model_check.h. */
#include "compiler/driver/model_check.h"

#include <stdio.h>

#include "base/alloc.h"
#include "base/text.h"
#include "compiler/accelerator.h"

enum { LISTED = 8 }; /* allocations that the message names */

/* A number of bytes as the TPU's compiler prints it: "15.75G". */
struct amount {
    char text[32];
};

static struct amount amount(uint64_t bytes)
{
    static const char units[] = {'B', 'K', 'M', 'G', 'T', 'P'};
    struct amount out;
    double value = (double)bytes;
    size_t unit = 0;
    while (value >= 1024 && unit + 1 < sizeof units)
        value /= 1024, unit++;
    snprintf(out.text, sizeof out.text, "%.2f%c", value, units[unit]);
    return out;
}

static void print_totals(const struct model_plan *plan, uint64_t capacity, struct text *out)
{
    text_add(out,
             "Ran out of memory on HBM, the total memory required for HLO temporaries (%s) exceeds "
             "available HBM (%s). Used %s of %s hbm. Exceeded hbm capacity by %s.\n\n",
             amount(plan->peak_bytes).text, amount(capacity).text, amount(plan->peak_bytes).text,
             amount(capacity).text, amount(plan->peak_bytes - capacity).text);
    text_add(out, "Total hbm usage: %s (modeled)\n    program  %s\n    arguments  %s\n",
             amount(plan->peak_bytes).text, amount(plan->temp_bytes).text,
             amount(plan->argument_bytes).text);
    text_add(out, "Output size %s; shares %s with arguments.\n", amount(plan->output_bytes).text,
             amount(plan->alias_bytes).text);
}

static void print_largest(const struct model_plan *plan, struct text *out)
{
    text_add(out, "\n  Largest program allocations in hbm:\n");
    for (uint64_t i = 0; i < plan->largest_count && i < LISTED; i++) {
        const struct model_largest *at = &model_plan_largest(plan)[i];
        double expansion = at->unpadded_bytes ? (double)at->bytes / (double)at->unpadded_bytes : 1;
        text_add(out, "\n  %d. Size: %s\n     Operator: %s\n     Shape: %s\n", (int)i + 1,
                 amount(at->bytes).text, model_plan_text(plan, at->label),
                 model_plan_text(plan, at->shape));
        text_add(out, "     Unpadded size: %s\n", amount(at->unpadded_bytes).text);
        if (expansion > 1.01)
            text_add(out, "     Extra memory due to padding: %s (%.1fx expansion)\n",
                     amount(at->bytes - at->unpadded_bytes).text, expansion);
        text_add(out, "     Allocation type: HLO temp\n");
    }
}

static struct error *reject(const struct model_plan *plan, uint64_t capacity)
{
    struct text text = {0};
    char *message;
    print_totals(plan, capacity, &text);
    if (plan->largest_count)
        print_largest(plan, &text);
    text_add(&text,
             "\nDonate arguments that the program replaces, use a smaller batch, recompute "
             "activations (jax.checkpoint), keep some of them in pinned_host memory, use more "
             "devices, or raise the capacity (create option memory_limit); gantry plan --tpu shows "
             "the whole plan.");
    TRY(text_finish(&text, &message, NULL));
    struct error *error = ERROR(RESOURCE_EXHAUSTED, "%s", message);
    alloc_free(message);
    return error;
}

struct error *model_check(const struct program *program, const struct target *target)
{
    uint64_t capacity = target->memory_bytes[MEMORY_DEVICE];
    const struct model_plan *plan = program->model;
    if (target->plans_only || !plan || !capacity || plan->peak_bytes <= capacity)
        return NULL;
    return reject(plan, capacity);
}

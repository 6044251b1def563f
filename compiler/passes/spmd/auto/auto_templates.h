/* auto_templates.h: the answers that experts try first, over the classes of a program:
 *
 *   one class         all devices divide the batch, or the heads, or the hidden units ...
 *   parameters, too   and parameters, their gradients and states along the same axes (FSDP)
 *   tensor            the batch along some axes; along the others what divides the parameters
 *                     once: heads, hidden units, the vocabulary (Megatron); with parameters along
 *                     the first axes, and with the other values by another class along the others
 *                     (sequence parallelism)
 *   two classes       along two sets of axes
 *
 * Of axes of equal size the first ones are taken; local search exchanges them. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_TEMPLATES_H
#define GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_TEMPLATES_H

#include "compiler/passes/spmd/auto/auto_score.h"

enum { AUTO_CHOICES = 12 };

struct auto_choices { /* classes that can take an axis, those with most work */
    int count;
    int classes[AUTO_CHOICES];  /* the one with most work first */
    int by_bytes[AUTO_CHOICES]; /* the one with most bytes of arguments first; moved ones last */
};

void auto_choices_find(const struct auto_score *score, struct auto_choices *out);

/* `plan` is called with each template and its name (static), and returns its cost. At most half of
 * the budget is left to two classes. */
void auto_templates_try(struct auto_score *score, const struct auto_choices *choices,
                        struct auto_cost (*plan)(void *context, const struct auto_answer *,
                                                 const char *name),
                        void *context);

#endif

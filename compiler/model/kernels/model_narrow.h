/* model_narrow.h: which f32 values the modeled compiler stores as bf16. A product at precision
 * DEFAULT rounds its operands to bf16, so a value that only such products read loses nothing if it
 * is stored so; nor does one of which operations that move elements, or choose among them, make
 * nothing else. What a loop carries is narrow if all that read it in the loop and after it are
 * content; an argument that it begins with is converted before the loop. Arguments and results of
 * the program keep their types. (XLA's bfloat16 propagation, whose source is public.) */
#ifndef GANTRY_COMPILER_MODEL_KERNELS_MODEL_NARROW_H
#define GANTRY_COMPILER_MODEL_KERNELS_MODEL_NARROW_H

#include "compiler/model/model_graph.h"

/* Finds them all: model->narrow. Loops below the second level of nesting carry none. */
void model_narrow(struct model *model);

bool model_narrow_has(const struct model *model, const struct value *value);

/* The shape as it is stored. */
struct shape model_narrow_shape(const struct model *model, const struct value *value);

/* Whether all that read the value are content with bf16, so that a copy of an argument for them is
 * narrow, though the argument is not. */
bool model_narrow_is_read(const struct model *model, const struct value *value);

/* Whether the user is content with bf16. */
bool model_narrow_reads(const struct model *model, const struct use *use);

#endif

/* sort_row.c: see sort_row.h. */
#include "compiler/codegen/standalone/sort_row.h"

int sort_row_dim(const struct op *op)
{
    int64_t dim = op->attrs.sort.dimension;
    return (int)(dim < 0 ? dim + op->operands[0]->type->shape.rank : dim);
}

enum dtype sort_row_dtype(const struct sort_row *s, int operand)
{
    return s->op->operands[operand]->type->shape.dtype;
}

bool sort_row_is_contiguous(const struct sort_row *s)
{
    const struct type *type = s->op->operands[0]->type;
    for (int i = s->dim + 1; i < type->shape.rank; i++)
        if (type->shape.dims[i] != 1)
            return false;
    return true;
}

struct index sort_row_index(struct sort_row *s, const struct affine *position)
{
    const struct type *type = s->op->operands[0]->type;
    int64_t others[SHAPE_MAX_RANK];
    int n = 0;
    for (int i = 0; i < type->shape.rank; i++)
        if (i != s->dim)
            others[n++] = type->shape.dims[i];
    struct index rest = affine_delinear(s->e, &s->row, n, others);
    struct affine *at = affine_array(s->e, type->shape.rank);
    for (int i = 0, j = 0; i < type->shape.rank; i++)
        at[i] = i == s->dim ? *position : rest.at[j++];
    return affine_index(type->shape.rank, at);
}

void sort_row_load(struct sort_row *s, LLVMValueRef const *arrays, const struct affine *position,
                   struct element *out)
{
    for (int i = 0; i < s->count; i++)
        out[i] = element_load(s->e, arrays[i], sort_row_dtype(s, i), position, s->length);
}

void sort_row_put(struct sort_row *s, LLVMValueRef const *arrays, const struct affine *position,
                  const struct element *elements)
{
    for (int i = 0; i < s->count; i++)
        element_store(s->e, arrays[i], sort_row_dtype(s, i), position, &elements[i], false);
}

struct error *sort_row_operands(struct sort_row *s, const struct affine *position,
                                struct element *out)
{
    struct index index = sort_row_index(s, position);
    for (int i = 0; i < s->count; i++)
        TRY(expression_emit(s->e, s->op->operands[i], &index, &out[i]));
    return NULL;
}

struct error *sort_row_copy(struct sort_row *s, int side, const struct affine *position,
                            struct element *elements)
{
    TRY(sort_row_operands(s, position, elements));
    sort_row_put(s, s->arrays[side], position, elements);
    return NULL;
}

struct error *sort_row_key(struct sort_row *s, const struct sort_key *key,
                           const struct element *elements, LLVMValueRef *out)
{
    struct emitter *e = s->e;
    struct element arguments[2 * SORT_MAX_OPERANDS], value;
    for (int i = 0; i < s->count; i++)
        arguments[2 * i] = arguments[2 * i + 1] = elements[i];
    TRY(expression_in_body(e, s->op->regions[0], arguments, 1, &key->value, &value));
    value = element_widen(e, &value, e->lanes);
    *out = sort_key_bits(e, key, value.part[0]);
    return NULL;
}

void sort_row_results(struct sort_row *s, struct sort_result *results)
{
    const struct op *end = s->k->fusion->regions[0]->last;
    for (int r = 0; r < end->operand_count; r++) {
        const struct value *value = end->operands[r];
        results[r].type = value->type;
        results[r].count = value->type->shape.rank ? value->type->shape.dims[s->dim] : 1;
        results[r].operand = value->def == s->op ? value->index : value->def->operands[0]->index;
    }
}

void sort_row_store(struct sort_row *s, int r, const struct sort_result *result,
                    const struct affine *position, const struct element *element)
{
    struct index index = sort_row_index(s, position);
    struct affine offset = affine_linear(s->e, &index, result->type->shape.dims);
    element_store(s->e, kernel_result(s->k, r), result->type->shape.dtype, &offset, element, false);
}

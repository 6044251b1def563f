/* small_fft.c: see small_fft.h. */
#include "compiler/passes/small_fft.h"

#include "compiler/program/fft_tables.h"

enum {
    MAX_NUMBERS = 1 << 15, /* of the operand or the result: beyond, generated code is faster */
    MAX_DIMS = 3
};

static bool is_small(const struct type *type)
{
    double numbers = 1;
    for (int i = 0; i < type->shape.rank; i++)
        numbers *= (double)type->shape.dims[i];
    return numbers >= 1 && numbers <= MAX_NUMBERS;
}

static bool has_lengths(const struct dims lengths)
{
    for (int64_t i = 0; i < lengths.count; i++)
        if (lengths.at[i] < 2 || lengths.at[i] > FFT_TABLES_DIRECT)
            return false;
    return lengths.count >= 1 && lengths.count <= MAX_DIMS;
}

bool small_fft_is_call(const struct op *fft, const struct target *target)
{
    return target && target->has_fft && !target->accelerator &&
           has_lengths(fft->attrs.fft.fft_length) && is_small(fft->operands[0]->type) &&
           is_small(fft->results[0].type);
}

struct op *small_fft_make_call(struct module *module, struct op *fft)
{
    static const char target[] = "gantry_fft";
    const struct type *type = fft->results[0].type;
    char *config = ARENA_ARRAY(module->arena, char, 3);
    struct op *call = ir_op(module, OP_custom_call, 1, fft->operands, 1, &type, 0);
    config[0] = (char)('0' + fft->attrs.fft.fft_type);
    config[1] = (char)('0' + fft->attrs.fft.fft_length.count);
    call->attrs.custom_call.call_target_name = (struct string){sizeof target - 1, target};
    call->attrs.custom_call.backend_config = (struct string){2, config};
    call->location = fft->location;
    ir_insert_before(fft, call);
    ir_replace_uses(module, &fft->results[0], &call->results[0]);
    ir_remove(fft);
    return call;
}

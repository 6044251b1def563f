/* library_fft.c: see library_fft.h. */
#include "compiler/passes/library/library_fft.h"

#include "compiler/program/fft_split.h"

static bool has_numbers(const struct type *type)
{
    double numbers = 1;
    for (int i = 0; i < type->shape.rank; i++)
        numbers *= (double)type->shape.dims[i];
    return numbers >= 1 && numbers <= (double)FFT_SPLIT_NUMBERS;
}

static bool has_lengths(const struct dims lengths)
{
    for (int64_t i = 0; i < lengths.count; i++)
        if (lengths.at[i] < 2 || lengths.at[i] > FFT_SPLIT_LENGTH)
            return false;
    return lengths.count >= 1 && lengths.count <= FFT_SPLIT_DIMS;
}

bool library_fft_is_call(const struct op *fft, const struct target *target)
{
    return target && target->has_fft && !target->accelerator &&
           has_lengths(fft->attrs.fft.fft_length) && has_numbers(fft->operands[0]->type) &&
           has_numbers(fft->results[0].type);
}

/* The bytes of a call's scratch. */
static int64_t scratch_of(const struct op *fft)
{
    const struct dims lengths = fft->attrs.fft.fft_length;
    const struct shape *in = &fft->operands[0]->type->shape;
    struct fft_split_call call = {
        .kind = (int)fft->attrs.fft.fft_type, .dims = (int)lengths.count, .outer = 1};
    for (int i = 0; i < call.dims; i++)
        call.lengths[i] = lengths.at[i];
    for (int i = 0; i < in->rank - call.dims; i++)
        call.outer *= in->dims[i];
    return fft_split_scratch(&call) * 2 * dtype_bytes(dtype_real_part(in->dtype));
}

struct op *library_fft_make_call(struct module *module, struct op *fft)
{
    static const char target[] = "gantry_fft";
    int64_t scratch = scratch_of(fft);
    const struct type *types[] = {fft->results[0].type,
                                  type_tensor(module->arena, DTYPE_U8, 1, &scratch)};
    char *config = ARENA_ARRAY(module->arena, char, 3);
    struct op *call = ir_op(module, OP_custom_call, 1, fft->operands, scratch ? 2 : 1, types, 0);
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

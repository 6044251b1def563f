/* library_fft.c: see library_fft.h. */
#include "compiler/passes/library/library_fft.h"

#include "compiler/program/fft_spec.h"

static bool has_numbers(const struct type *type)
{
    double numbers = 1;
    for (int i = 0; i < type->shape.rank; i++)
        numbers *= (double)type->shape.dims[i];
    return numbers >= 1 && numbers <= (double)FFT_SPEC_NUMBERS;
}

static struct error *check(struct module *module, const struct op *fft, const struct target *target)
{
    if (!target->fft_scratch)
        return ERROR(UNIMPLEMENTED, "%s: the device %s has no Fourier transforms",
                     ir_where(module->arena, fft), target->name);
    if (!has_numbers(fft->operands[0]->type) || !has_numbers(fft->results[0].type))
        return ERROR(UNIMPLEMENTED,
                     "%s: a Fourier transform of %s; at most 2^34 numbers are supported, so "
                     "transform fewer at a time",
                     ir_where(module->arena, fft),
                     type_text(module->arena, fft->operands[0]->type));
    return NULL;
}

/* The bytes of a call's scratch. */
static int64_t scratch_of(const struct op *fft, const struct target *target)
{
    const struct dims lengths = fft->attrs.fft.fft_length;
    const struct shape *in = &fft->operands[0]->type->shape;
    struct fft_spec spec = {
        .kind = (int)fft->attrs.fft.fft_type, .dims = (int)lengths.count, .outer = 1};
    for (int i = 0; i < spec.dims; i++)
        spec.lengths[i] = lengths.at[i];
    for (int i = 0; i < in->rank - spec.dims; i++)
        spec.outer *= in->dims[i];
    return target->fft_scratch(&spec) * 2 * dtype_bytes(dtype_real_part(in->dtype));
}

struct error *library_fft_make_call(struct module *module, const struct target *target,
                                    struct op *fft, struct op **out)
{
    static const char name[] = "gantry_fft";
    TRY(check(module, fft, target));
    int64_t scratch = scratch_of(fft, target);
    const struct type *types[] = {fft->results[0].type,
                                  type_tensor(module->arena, DTYPE_U8, 1, &scratch)};
    char *config = ARENA_ARRAY(module->arena, char, 3);
    struct op *call = ir_op(module, OP_custom_call, 1, fft->operands, scratch ? 2 : 1, types, 0);
    config[0] = (char)('0' + fft->attrs.fft.fft_type);
    config[1] = (char)('0' + fft->attrs.fft.fft_length.count);
    call->attrs.custom_call.call_target_name = (struct string){sizeof name - 1, name};
    call->attrs.custom_call.backend_config = (struct string){2, config};
    call->location = fft->location;
    ir_insert_before(fft, call);
    ir_replace_uses(module, &fft->results[0], &call->results[0]);
    ir_remove(fft);
    *out = call;
    return NULL;
}

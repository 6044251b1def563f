/* mutant_semantics.c: mutants of area 18: what programs compute is changed on the way to the
 * host. */
#include <string.h>

#include "conformance/mutants/mutant.h"

static PJRT_Buffer_Type type_of(PJRT_Buffer *buffer)
{
    PJRT_Buffer_ElementType_Args args = {.struct_size = sizeof args, .buffer = buffer};
    mutant_drop(real.PJRT_Buffer_ElementType(&args));
    return args.type;
}

/* Copies to the host, waits, and changes each element of that type. */
static PJRT_Error *download(PJRT_Buffer_ToHostBuffer_Args *args, PJRT_Buffer_Type type,
                            uint32_t (*change)(uint32_t bits, size_t i))
{
    PJRT_Error *error = real.PJRT_Buffer_ToHostBuffer(args);
    if (error || !args->dst || type_of(args->src) != type)
        return error;
    PJRT_Event_Await_Args await = {.struct_size = sizeof await, .event = args->event};
    mutant_drop(real.PJRT_Event_Await(&await));
    size_t size = type == PJRT_Buffer_Type_PRED ? 1 : 4;
    for (size_t at = 0; at + size <= args->dst_size; at += size) {
        uint32_t bits = 0;
        memcpy(&bits, (char *)args->dst + at, size);
        bits = change(bits, at / size);
        memcpy((char *)args->dst + at, &bits, size);
    }
    return NULL;
}

static uint32_t without_sign_of_zero(uint32_t bits, size_t i)
{
    (void)i;
    return bits == 0x80000000 ? 0 : bits;
}

MUTANT_OF(zeros_lose_their_sign, Buffer_ToHostBuffer)
{
    return download(args, PJRT_Buffer_Type_F32, without_sign_of_zero);
}

static uint32_t as_bf16(uint32_t bits, size_t i)
{
    (void)i;
    return bits & 0xffff0000;
}

MUTANT_OF(results_are_bf16, Buffer_ToHostBuffer)
{
    return download(args, PJRT_Buffer_Type_F32, as_bf16);
}

static uint32_t without_nan(uint32_t bits, size_t i)
{
    (void)i;
    return (bits & 0x7fffffff) > 0x7f800000 ? 0 : bits;
}

MUTANT_OF(nan_is_zero, Buffer_ToHostBuffer)
{
    return download(args, PJRT_Buffer_Type_F32, without_nan);
}

static uint32_t six_ulp_more(uint32_t bits, size_t i)
{
    (void)i;
    return (bits & 0x7fffffff) < 0x7f000000 ? bits + 6 : bits;
}

MUTANT_OF(functions_are_imprecise, Buffer_ToHostBuffer)
{
    return download(args, PJRT_Buffer_Type_F32, six_ulp_more);
}

static uint32_t saturated(uint32_t bits, size_t i)
{
    (void)i;
    return bits == 0x80000000 ? 0x7fffffff : bits;
}

MUTANT_OF(integers_saturate, Buffer_ToHostBuffer)
{
    return download(args, PJRT_Buffer_Type_S32, saturated);
}

static uint32_t inverted(uint32_t bits, size_t i)
{
    return i ? bits : !bits;
}

MUTANT_OF(first_comparison_is_wrong, Buffer_ToHostBuffer)
{
    return download(args, PJRT_Buffer_Type_PRED, inverted);
}

static uint32_t swapped_ends(uint32_t bits, size_t i)
{
    return i == 3 ? bits ^ 1 : bits;
}

MUTANT_OF(fourth_integer_is_wrong, Buffer_ToHostBuffer)
{
    return download(args, PJRT_Buffer_Type_S32, swapped_ends);
}

/* Two arguments change places. */
MUTANT_OF(arguments_change_places, LoadedExecutable_Execute)
{
    if (args->num_args != 2 || args->num_devices != 1)
        return real.PJRT_LoadedExecutable_Execute(args);
    PJRT_Buffer *pair[] = {args->argument_lists[0][1], args->argument_lists[0][0]};
    PJRT_Buffer *const *list = pair;
    args->argument_lists = &list;
    return real.PJRT_LoadedExecutable_Execute(args);
}

MUTANT_OF(dimensions_change_places, Buffer_Dimensions)
{
    static _Thread_local int64_t reversed[8];
    REAL(Buffer_Dimensions);
    for (size_t i = 0; args->num_dims <= 8 && i < args->num_dims; i++)
        reversed[i] = args->dims[args->num_dims - 1 - i];
    args->dims = reversed;
    return NULL;
}

MUTANT_OF(results_are_unsigned, Buffer_ElementType)
{
    REAL(Buffer_ElementType);
    if (args->type == PJRT_Buffer_Type_S32)
        args->type = PJRT_Buffer_Type_U32;
    return NULL;
}

#include "plugin/ffi/ffi_pack.h"

#include "base/alloc.h"

/* 2 or 4 bits; 0 for types of whole bytes. */
static int bits_of(const struct call_value *value)
{
    int bits = dtype_info(value->shape.dtype)->bits;
    return bits == 2 || bits == 4 ? bits : 0;
}

static size_t elements_of(const struct call_value *value)
{
    size_t count = 1;
    for (int i = 0; i < value->shape.rank; i++)
        count *= (size_t)value->shape.dims[i];
    return count;
}

static void pack(const unsigned char *from, size_t count, int bits, unsigned char *to)
{
    size_t each = 8 / (size_t)bits;
    unsigned mask = (1u << bits) - 1;
    for (size_t i = 0; i < count; i++)
        to[i / each] =
            (unsigned char)(to[i / each] | (from[i] & mask) << (i % each * (size_t)bits));
}

static void unpack(const unsigned char *from, size_t count, int bits, bool is_signed,
                   unsigned char *to)
{
    size_t each = 8 / (size_t)bits;
    unsigned mask = (1u << bits) - 1, sign = is_signed ? 1u << (bits - 1) : 0;
    for (size_t i = 0; i < count; i++) {
        unsigned value = (unsigned)from[i / each] >> (i % each * (size_t)bits) & mask;
        to[i] = (unsigned char)((value ^ sign) - sign);
    }
}

/* Values that share memory share its packed copy. */
static int same_before(const struct custom_call *call, int i)
{
    for (int k = 0; k < i; k++)
        if (call->data[k] == call->data[i] && bits_of(&call->spec->values[k]))
            return k;
    return -1;
}

static struct error *pack_one(const struct custom_call *call, int i, struct ffi_pack *out)
{
    const struct call_value *value = &call->spec->values[i];
    int same = same_before(call, i);
    if (same >= 0) {
        out->data[i] = out->data[same];
        return NULL;
    }
    size_t count = elements_of(value);
    TRY(alloc_zeroed(count / (size_t)(8 / bits_of(value)) + 1, &out->data[i]));
    pack(call->data[i], count, bits_of(value), out->data[i]);
    return NULL;
}

struct error *ffi_pack_begin(const struct custom_call *call, struct ffi_pack *out)
{
    int count = call->spec->value_count;
    *out = (struct ffi_pack){.data = (void **)(uintptr_t)call->data};
    for (int i = 0; i < count; i++)
        out->any = out->any || bits_of(&call->spec->values[i]);
    if (!out->any)
        return NULL;
    struct error *error = alloc_array((size_t)count, sizeof *out->data, &out->data);
    if (error) {
        out->any = false;
        return error;
    }
    for (int i = 0; i < count && !error; i++) {
        if (bits_of(&call->spec->values[i]))
            error = pack_one(call, i, out);
        else
            out->data[i] = call->data[i];
    }
    if (error)
        ffi_pack_end(call, out, false);
    return error;
}

void ffi_pack_end(const struct custom_call *call, struct ffi_pack *pack, bool succeeded)
{
    if (!pack->any)
        return;
    for (int i = call->spec->operand_count; succeeded && i < call->spec->value_count; i++) {
        const struct call_value *value = &call->spec->values[i];
        if (bits_of(value))
            unpack(pack->data[i], elements_of(value), bits_of(value),
                   dtype_info(value->shape.dtype)->class == CLASS_SIGNED, call->data[i]);
    }
    for (int i = 0; i < call->spec->value_count; i++)
        if (bits_of(&call->spec->values[i]) && same_before(call, i) < 0)
            alloc_free(pack->data[i]);
    alloc_free(pack->data);
    pack->any = false;
}

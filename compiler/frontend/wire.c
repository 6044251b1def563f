#include "compiler/frontend/wire.h"

#include "compiler/frontend/bytes.h"

enum wire_type { WIRE_VARINT, WIRE_64, WIRE_BYTES, WIRE_GROUP, WIRE_GROUP_END, WIRE_32 };

/* Seven bits per byte, least significant first; at most ten bytes. */
static uint64_t read_varint(struct bytes *in)
{
    uint64_t value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
        uint8_t byte = bytes_u8(in);
        value |= shift < 64 ? (uint64_t)(byte & 0x7f) << shift : 0;
        if (byte < 0x80)
            return value;
    }
    bytes_fail(in, "a varint has more than ten bytes");
    return 0;
}

static void check_message(const ProtobufCMessageDescriptor *descriptor, struct bytes *in,
                          int depth);

/* A length-delimited field; submessages are checked recursively. */
static void check_bytes(const ProtobufCFieldDescriptor *field, struct bytes *in, int depth)
{
    uint64_t size = read_varint(in);
    size_t start = in->at;
    if (!bytes_take(in, size) || !field || field->type != PROTOBUF_C_TYPE_MESSAGE)
        return;
    struct bytes part = bytes_part(in, start, (size_t)size);
    check_message(field->descriptor, &part, depth + 1);
    if (part.failure) {
        in->at = part.failed_at;
        bytes_fail(in, part.failure);
    }
}

/* True when a field may have this wire type; protobuf-c does not check it for all types. Repeated
 * numbers may also be packed. */
static bool fits(const ProtobufCFieldDescriptor *field, unsigned type)
{
    unsigned expected = WIRE_VARINT;
    if (!field)
        return true;
    switch (field->type) {
    case PROTOBUF_C_TYPE_SFIXED32:
    case PROTOBUF_C_TYPE_FIXED32:
    case PROTOBUF_C_TYPE_FLOAT: expected = WIRE_32; break;
    case PROTOBUF_C_TYPE_SFIXED64:
    case PROTOBUF_C_TYPE_FIXED64:
    case PROTOBUF_C_TYPE_DOUBLE: expected = WIRE_64; break;
    case PROTOBUF_C_TYPE_STRING:
    case PROTOBUF_C_TYPE_BYTES:
    case PROTOBUF_C_TYPE_MESSAGE: expected = WIRE_BYTES; break;
    default: break;
    }
    return type == expected || (type == WIRE_BYTES && field->label == PROTOBUF_C_LABEL_REPEATED);
}

static void check_message(const ProtobufCMessageDescriptor *descriptor, struct bytes *in, int depth)
{
    if (depth > WIRE_MAX_DEPTH)
        bytes_fail(in, "messages are nested too deeply");
    while (bytes_more(in)) {
        uint64_t tag = read_varint(in);
        if (tag >> 3 == 0 || tag >> 3 > 0x1fffffff) {
            bytes_fail(in, "a field number is out of range");
            return;
        }
        const ProtobufCFieldDescriptor *field =
            protobuf_c_message_descriptor_get_field(descriptor, (unsigned)(tag >> 3));
        if (!fits(field, tag & 7))
            bytes_fail(in, "a field's wire type does not match its type");
        switch (tag & 7) {
        case WIRE_VARINT: read_varint(in); break;
        case WIRE_64: bytes_take(in, 8); break;
        case WIRE_32: bytes_take(in, 4); break;
        case WIRE_BYTES: check_bytes(field, in, depth); break;
        default: bytes_fail(in, "an invalid wire type"); return;
        }
    }
}

struct error *wire_check(const ProtobufCMessageDescriptor *descriptor, const void *bytes,
                         size_t size)
{
    struct bytes in = bytes_of(bytes, size);
    check_message(descriptor, &in, 0);
    return bytes_error(&in, descriptor->short_name);
}

static void *alloc_from_arena(void *arena, size_t size)
{
    return arena_alloc(arena, size);
}

static void ignore_free(void *arena, void *memory)
{
    (void)arena;
    (void)memory;
}

struct error *wire_unpack(struct arena *arena, const ProtobufCMessageDescriptor *descriptor,
                          const void *bytes, size_t size, ProtobufCMessage **out)
{
    ProtobufCAllocator allocator = {alloc_from_arena, ignore_free, arena};
    *out = NULL;
    TRY(wire_check(descriptor, bytes, size));
    *out = protobuf_c_message_unpack(descriptor, &allocator, size, bytes);
    return *out
               ? NULL
               : ERROR(INVALID_ARGUMENT, "%s: a packed field is malformed", descriptor->short_name);
}

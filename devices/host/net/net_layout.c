/* net_layout.c: see net_layout.h. An address is a header and a list of devices, each with a list of
 * interfaces; the last one of each list is marked. */
#include "devices/host/net/net_layout.h"

#include <math.h>
#include <string.h>

enum {
    VERSION_MASK = 0xf, /* of the header; 0: version 1 */
    HAS_NAME = 1 << 4,  /* flags of the header */
    HAS_CLIENT = 4 << 4,
    NO_DEVICE = 0xff, /* in place of the first device: there is none */
    IS_EMPTY = 0x80,  /* of a device's memory domain: no interface follows */
    IS_LAST = 0x80,   /* of a length */
    HAS_PATHS = 0x40, /* of a device's length: two more bytes may follow */
    HAS_SYSTEM_DEVICE = 0x20,
    DEVICE_LENGTH = 0x1f,
    HAS_ENDPOINT = 0x40, /* of an interface's length; not in the address of a process */
    INTERFACE_LENGTH = 0x3f,
    ID = 8,        /* bytes of the process's identification, and the client's */
    ATTRIBUTES = 3 /* floats of an interface: overhead, bandwidth, latency */
};

struct reader {
    const uint8_t *at, *end;
    bool is_bad;
};

/* NULL: there are not so many bytes. */
static const uint8_t *take(struct reader *reader, size_t size)
{
    const uint8_t *at = reader->at;
    if (reader->is_bad || (size_t)(reader->end - at) < size) {
        reader->is_bad = true;
        return NULL;
    }
    reader->at += size;
    return at;
}

static int take_byte(struct reader *reader)
{
    const uint8_t *byte = take(reader, 1);
    return byte ? *byte : 0;
}

static void skip_header(struct reader *reader)
{
    int header = take_byte(reader);
    reader->is_bad |= (header & VERSION_MASK) != 0;
    take(reader, ID);
    if (header & HAS_CLIENT)
        take(reader, ID);
    if (header & HAS_NAME)
        take(reader, (size_t)take_byte(reader));
}

/* Returns whether it is the device's last one. */
static bool skip_interface(struct reader *reader, bool has_device, uint16_t no_device)
{
    float attributes[ATTRIBUTES];
    uint16_t name = 0;
    const uint8_t *bytes = take(reader, sizeof name);
    if (bytes)
        memcpy(&name, bytes, sizeof name);
    bytes = take(reader, sizeof attributes);
    if (bytes)
        memcpy(attributes, bytes, sizeof attributes);
    for (int i = 0; i < ATTRIBUTES && bytes; i++)
        reader->is_bad |= !isfinite(attributes[i]);
    take(reader, sizeof(uint32_t)); /* its abilities */
    int length = take_byte(reader);
    take(reader, (size_t)(length & INTERFACE_LENGTH));
    reader->is_bad |= length & HAS_ENDPOINT || !(length & INTERFACE_LENGTH);
    reader->is_bad |= !has_device && name != no_device;
    return length & IS_LAST;
}

/* Returns whether it is the last one. */
static bool skip_device(struct reader *reader, uint16_t no_device)
{
    int domain = take_byte(reader), length = take_byte(reader);
    take(reader, (length & HAS_PATHS ? 1U : 0) + (length & HAS_SYSTEM_DEVICE ? 1U : 0));
    take(reader, (size_t)(length & DEVICE_LENGTH));
    bool is_last = domain & IS_EMPTY;
    while (!is_last && !reader->is_bad)
        is_last = skip_interface(reader, length & DEVICE_LENGTH, no_device);
    return length & IS_LAST;
}

bool net_layout_is_valid(const void *bytes, size_t size, uint16_t no_device)
{
    struct reader reader = {bytes, (const uint8_t *)bytes + size, false};
    skip_header(&reader);
    if (!reader.is_bad && reader.at < reader.end && *reader.at == NO_DEVICE)
        return reader.end - reader.at == 1;
    bool is_last = false;
    while (!is_last && !reader.is_bad)
        is_last = skip_device(&reader, no_device);
    return !reader.is_bad && reader.at == reader.end;
}

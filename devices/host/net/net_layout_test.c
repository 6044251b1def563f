#include "devices/host/net/net_layout.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 0x1234, CAPACITY = 128 };

struct builder {
    uint8_t bytes[CAPACITY];
    size_t size;
};

static void add(struct builder *to, const void *bytes, size_t size)
{
    memcpy(to->bytes + to->size, bytes, size);
    to->size += size;
}

static void add_byte(struct builder *to, int byte)
{
    uint8_t one = (uint8_t)byte;
    add(to, &one, 1);
}

static void add_interface(struct builder *to, float bandwidth, int length)
{
    uint16_t name = NAME;
    float attributes[] = {1, bandwidth, 1};
    uint8_t rest[CAPACITY] = {0};
    add(to, &name, sizeof name);
    add(to, attributes, sizeof attributes);
    add(to, rest, 4);
    add_byte(to, length);
    add(to, rest, (size_t)length & 0x3f);
}

/* Of a device of IPv4, with a path and a system device, and an interface. */
static struct builder make(int device, float bandwidth, int interface)
{
    struct builder made = {.size = 0};
    uint8_t rest[CAPACITY] = {0};
    add_byte(&made, 0x20);
    add(&made, rest, 8);
    add_byte(&made, 3);
    add_byte(&made, device);
    add(&made, rest, 2);
    add(&made, rest, (size_t)device & 0x1f);
    add_interface(&made, bandwidth, interface);
    return made;
}

/* Behind the address is no memory that may be read: the sanitizers watch it. */
static bool is_valid(const struct builder *made, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    memcpy(copy, made->bytes, size);
    bool is_valid = net_layout_is_valid(copy, size, 0);
    free(copy);
    return is_valid;
}

Test(net_layout, address_is_valid)
{
    struct builder made = make(0xe0 | 6, 1, 0x80 | 2);
    cr_expect(is_valid(&made, made.size));
    struct builder none = {.bytes = {0x20, [9] = 0xff}, .size = 10};
    cr_expect(is_valid(&none, none.size));
}

Test(net_layout, part_of_an_address_is_refused)
{
    struct builder made = make(0xe0 | 6, 1, 0x80 | 2);
    for (size_t size = 0; size < made.size; size++)
        cr_expect_not(is_valid(&made, size), "%zu bytes", size);
    add_byte(&made, 0);
    cr_expect_not(is_valid(&made, made.size));
}

Test(net_layout, what_ucx_would_read_outside_is_refused)
{
    const struct builder bad[] = {
        make(0x60 | 6, 1, 0x80 | 2),                    /* another device should follow */
        make(0xe0 | 6, 1, 2),                           /* another interface should follow */
        make(0xe0, 1, 0x80 | 2),                        /* a device without an address */
        make(0xe0 | 6, 1, 0x80),                        /* an interface without one */
        make(0xe0 | 6, 1, 0xc0 | 2),                    /* an endpoint should follow */
        make(0xe0 | 6, NAN, 0x80 | 2),                  /* no speed */
        {.bytes = {0x21, 0}, .size = 60},               /* another version */
        {.bytes = {0x30, [9] = 200}, .size = 60},       /* a name that is too long */
        {.bytes = {0x20, [9] = 0xff, 0x80}, .size = 11} /* more than no device */
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_expect_not(is_valid(&bad[i], bad[i].size), "case %zu", i);
}

Test(net_layout, one_transport_has_no_device)
{
    struct builder made = make(0xe0, 1, 0x80 | 8);
    cr_expect(net_layout_is_valid(made.bytes, made.size, NAME));
}

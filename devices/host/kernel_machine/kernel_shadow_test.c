/* kernel_shadow_test.c: what is known of the bytes of a box. */
#include "devices/host/kernel_machine/kernel_shadow.h"

#include <criterion/criterion.h>

enum { ROWS = 4, COLUMNS = 8, SIZE = ROWS * COLUMNS };

static unsigned char shadow[SIZE];
static struct kernel_buffer buffer = {.size = SIZE, .shadow = shadow, .same = &buffer};

/* The first `columns` of each row. */
static struct kernel_view box_of(int64_t columns)
{
    return (struct kernel_view){.buffer = &buffer,
                                .rank = 2,
                                .pack = 1,
                                .split = 1,
                                .stored_bits = 8,
                                .dims = {ROWS, columns},
                                .strides = {COLUMNS, 1}};
}

Test(kernel_shadow, a_poisoned_byte_is_found_where_it_is)
{
    const struct kernel_view all = box_of(COLUMNS), left = box_of(COLUMNS - 1);
    kernel_shadow_write(&left, 1, NULL, KERNEL_DEFINED, NULL);
    cr_expect(!kernel_shadow_is_defined(&all, 1), "the last column was never written");
    cr_expect(kernel_shadow_is_defined(&left, 1));
    cr_expect(!kernel_shadow_is_poisoned(&all, 1), "undefined is not poisoned");
    shadow[2 * COLUMNS + COLUMNS - 1] = KERNEL_POISONED;
    cr_expect(kernel_shadow_is_poisoned(&all, 1));
    cr_expect(!kernel_shadow_is_poisoned(&left, 1));
}

Test(kernel_shadow, memory_without_a_shadow_is_defined)
{
    const struct kernel_view all = box_of(COLUMNS);
    buffer.shadow = NULL;
    cr_expect(kernel_shadow_is_defined(&all, 1));
    cr_expect(!kernel_shadow_is_poisoned(&all, 1));
}

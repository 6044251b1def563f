#include "compiler/driver/custom_partitioner.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"

static int freed;

static void count_and_free(struct custom_partitioner *self)
{
    freed++;
    alloc_free(self);
}

static struct custom_partitioner *make(void)
{
    struct custom_partitioner *made;
    cr_assert_null(alloc_zeroed(sizeof *made, &made));
    made->destroy = count_and_free;
    return made;
}

static struct custom_partitioner *add(const char *name)
{
    struct custom_partitioner *made = make();
    cr_assert_null(custom_partitioner_register(name, strlen(name), made));
    return made;
}

static struct custom_partitioner *find(const char *name)
{
    return custom_partitioner_find((struct string){strlen(name), name});
}

Test(custom_partitioner, is_found_by_its_whole_name)
{
    struct custom_partitioner *a = add("sum"), *b = add("summary");
    cr_expect_eq(find("sum"), a);
    cr_expect_eq(find("summary"), b);
    cr_expect_null(find("su"));
    cr_expect_null(find(""));
    custom_partitioner_release(a);
    custom_partitioner_release(b);
    custom_partitioner_release(NULL);
}

/* One that a compile uses lives until the registration after its release. */
Test(custom_partitioner, is_freed_when_it_was_replaced_and_is_unused)
{
    struct custom_partitioner *first = add("f");
    cr_assert_eq(find("f"), first);
    struct custom_partitioner *second = add("f");
    cr_expect_eq(freed, 0);
    cr_expect_eq(find("f"), second);
    custom_partitioner_release(second);
    custom_partitioner_release(first);
    cr_expect_eq(freed, 0, "a release must not call the client");
    add("g");
    cr_expect_eq(freed, 1);
    add("f");
    cr_expect_eq(freed, 2, "the second was unused when it was replaced");
}

Test(custom_partitioner, names_have_a_length)
{
    static char longest[4097];
    struct custom_partitioner *unowned = make();
    memset(longest, 'n', sizeof longest);
    const struct {
        const char *name;
        size_t size;
    } wrong[] = {{"", 0}, {NULL, 4}, {longest, sizeof longest}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct error *error = custom_partitioner_register(wrong[i].name, wrong[i].size, unowned);
        cr_assert_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT, "%zu", i);
        error_free(error);
    }
    cr_assert_null(custom_partitioner_register(longest, sizeof longest - 1, unowned));
    cr_expect_eq(freed, 0);
}

/* The functions that stand in for those of newer glibc, against glibc's own where it has them. */
#include "compiler/codegen/link/glibc_functions.h"

#include <criterion/criterion.h>
#include <stdlib.h>

Test(glibc_functions, random_numbers_differ)
{
    uint32_t first = __wrap_arc4random(), differing = 0;
    for (int i = 0; i < 16; i++)
        differing |= first ^ __wrap_arc4random();
    cr_assert_neq(differing, 0);
}

#ifdef DLFO_STRUCT_HAS_EH_DBASE
static void compare(void *address)
{
    struct dl_find_object ours, own;
    int (*find)(void *, struct dl_find_object *) = NULL;
    *(void **)&find = dlsym(RTLD_DEFAULT, "_dl_find_object");
    cr_assert_eq(__wrap__dl_find_object(address, &ours), 0);
    cr_assert_not_null(ours.dlfo_eh_frame);
    cr_assert((char *)address >= (char *)ours.dlfo_map_start &&
              (char *)address < (char *)ours.dlfo_map_end);
    if (!find)
        cr_skip_test("this glibc has no _dl_find_object to compare with");
    cr_assert_eq(find(address, &own), 0);
    cr_assert_eq(ours.dlfo_eh_frame, own.dlfo_eh_frame);
    cr_assert_eq(ours.dlfo_map_start, own.dlfo_map_start);
}

Test(glibc_functions, code_is_found_with_its_unwind_tables)
{
    compare((void *)(uintptr_t)compare); /* the program itself */
    compare((void *)(uintptr_t)malloc);  /* a library */
}

Test(glibc_functions, other_addresses_are_in_no_object)
{
    struct dl_find_object out;
    char *heap = malloc(16);
    cr_assert_eq(__wrap__dl_find_object(heap, &out), -1);
    cr_assert_eq(__wrap__dl_find_object(NULL, &out), -1);
    free(heap);
}
#endif

#include "compiler/passes/spmd/auto/auto_copy.h"

#include "compiler/passes/auto_fixture.h"

TestSuite(auto_copy, .init = fixture_begin, .fini = fixture_end);

Test(auto_copy, nothing_of_the_original_changes_with_the_copy)
{
    struct arena *arena;
    static const int64_t numbers[] = {1, 2};
    auto_fixture_build(4);
    cr_assert_null(arena_create(&arena));
    struct module *copy = auto_copy_make(arena, fixture_module);
    cr_expect_neq(copy->entry->body, fixture_module->entry->body);
    cr_expect_eq(copy->entry->body->first->block->func, copy->entry);
    const int64_t *shared = ir_share_list(copy, 2, numbers);
    cr_expect_neq(ir_share_list(fixture_module, 2, numbers), shared);
    cr_expect_neq(copy->collective_groups, fixture_module->collective_groups);
    cr_expect_null(ir_verify(copy, false));
    arena_destroy(arena);
    cr_expect_null(ir_verify(fixture_module, false));
}

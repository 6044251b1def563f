/* export_sharding_test.c: shardings as protobufs, read back by the reader of HLO. */
#include "compiler/export/export_sharding.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"
#include "compiler/frontend/hlo/hlo.pb-c.h"

static struct arena *arena;

static void begin(void)
{
    cr_assert_null(arena_create(&arena));
}

static void end(void)
{
    arena_destroy(arena);
}

TestSuite(export_sharding, .init = begin, .fini = end);

static struct program program_of(int count, const char *const *shardings)
{
    struct program_value *values = ARENA_ARRAY(arena, struct program_value, (size_t)count);
    for (int i = 0; i < count; i++)
        values[i].sharding =
            shardings[i] ? arena_string(arena, shardings[i], strlen(shardings[i])) : NULL;
    return (struct program){.num_partitions = 8,
                            .parameter_count = count,
                            .parameters = values,
                            .result_count = count,
                            .results = values};
}

/* The message behind a tag of one byte and a size of one byte. */
static Gantry__Hlo__Sharding *unpack(const unsigned char *bytes, size_t size, int field)
{
    cr_assert(size >= 2 && bytes[0] == (field << 3 | 2) && bytes[1] < 128 &&
              (size_t)bytes[1] + 2 <= size);
    Gantry__Hlo__Sharding *sharding = gantry__hlo__sharding__unpack(NULL, bytes[1], bytes + 2);
    cr_assert_not_null(sharding);
    return sharding;
}

Test(export_sharding, results_are_a_tuple)
{
    struct program program = program_of(
        3, (const char *const[]){"{devices=[2,1,4]<=[4,2]T(1,0) last_tile_dim_replicate}",
                                 "{replicated}", "{devices=[1,2]1,0}"});
    struct proto proto = {.arena = arena};
    export_sharding_results(&proto, 12, &program);
    Gantry__Hlo__Sharding *all = unpack(proto.bytes, proto.size, 12);
    cr_assert_eq(all->type, 2);
    cr_assert_eq(all->n_elements, 3);
    const Gantry__Hlo__Sharding *tiled = all->elements[0];
    cr_expect_eq(tiled->type, 3);
    cr_expect_eq(tiled->n_tile_dimensions, 3);
    cr_expect_eq(tiled->tile_dimensions[2], 4);
    cr_expect(tiled->replicate_on_last_dimension && !tiled->n_last_dimension_types);
    cr_expect(tiled->n_iota_dimensions == 2 && tiled->iota_dimensions[0] == 4);
    cr_expect(tiled->n_iota_permutation == 2 && tiled->iota_permutation[0] == 1);
    cr_expect_eq(all->elements[1]->type, 0);
    cr_expect(all->elements[2]->n_tile_devices == 2 && all->elements[2]->tile_devices[0] == 1);
    gantry__hlo__sharding__free_unpacked(all, NULL);
}

Test(export_sharding, one_result_is_no_tuple)
{
    struct program program = program_of(
        1, (const char *const[]){"{devices=[1,4,2]<=[8] last_tile_dims={manual, unreduced}}"});
    struct proto proto = {.arena = arena};
    export_sharding_results(&proto, 12, &program);
    Gantry__Hlo__Sharding *one = unpack(proto.bytes, proto.size, 12);
    cr_expect(one->type == 3 && one->n_last_dimension_types == 2);
    cr_expect(one->last_dimension_types[0] == 4 && one->last_dimension_types[1] == 6);
    gantry__hlo__sharding__free_unpacked(one, NULL);
}

Test(export_sharding, no_results_are_a_tuple_of_one_replicated_element)
{
    struct program program = program_of(0, NULL);
    struct proto proto = {.arena = arena};
    export_sharding_results(&proto, 12, &program);
    Gantry__Hlo__Sharding *all = unpack(proto.bytes, proto.size, 12);
    cr_expect(all->type == 2 && all->n_elements == 1 && all->elements[0]->type == 0);
    gantry__hlo__sharding__free_unpacked(all, NULL);
}

Test(export_sharding, each_parameter_has_one)
{
    struct program program = program_of(2, (const char *const[]){"{maximal device=3}", "{manual}"});
    struct proto proto = {.arena = arena};
    export_sharding_parameters(&proto, 14, &program);
    Gantry__Hlo__Sharding *first = unpack(proto.bytes, proto.size, 14);
    cr_expect(first->type == 1 && first->tile_devices[0] == 3);
    size_t skip = 2 + (size_t)proto.bytes[1];
    Gantry__Hlo__Sharding *second = unpack(proto.bytes + skip, proto.size - skip, 14);
    cr_expect_eq(second->type, 4);
    gantry__hlo__sharding__free_unpacked(first, NULL);
    gantry__hlo__sharding__free_unpacked(second, NULL);
}

Test(export_sharding, nothing_where_a_sharding_is_missing_or_damaged)
{
    struct program missing = program_of(2, (const char *const[]){"{replicated}", NULL});
    struct program damaged = program_of(1, (const char *const[]){"{devices="});
    struct program single = program_of(1, (const char *const[]){"{replicated}"});
    struct proto proto = {.arena = arena};
    single.num_partitions = 1;
    export_sharding_results(&proto, 12, &missing);
    export_sharding_parameters(&proto, 14, &missing);
    export_sharding_results(&proto, 12, &damaged);
    export_sharding_results(&proto, 12, &single);
    cr_expect_eq(proto.size, 0);
}

Test(export_sharding, a_list_of_no_results_has_one)
{
    struct program program = program_of(0, NULL);
    struct sharding_list list;
    cr_assert_null(export_sharding_list(&program, true, &list));
    cr_assert_eq(list.count, 1);
    cr_expect(list.shardings[0] && !list.sizes[0], "replicated");
    alloc_free(list.shardings);
    cr_assert_null(export_sharding_list(&program, false, &list));
    cr_expect_eq(list.count, 0);
    alloc_free(list.shardings);
}

Test(export_sharding, a_list_has_bytes_of_each)
{
    struct program program =
        program_of(3, (const char *const[]){"{manual}", "{replicated}", "{devices=[2,4]<=[8]}"});
    struct sharding_list list;
    cr_assert_null(export_sharding_list(&program, true, &list));
    cr_expect(list.sizes[0] == 2 && !memcmp(list.shardings[0], "\x08\x04", 2));
    cr_expect(!list.sizes[1] && list.shardings[1]);
    Gantry__Hlo__Sharding *tiled = gantry__hlo__sharding__unpack(
        NULL, list.sizes[2], (const unsigned char *)list.shardings[2]);
    cr_assert_not_null(tiled);
    cr_expect(tiled->type == 3 && tiled->tile_dimensions[1] == 4);
    gantry__hlo__sharding__free_unpacked(tiled, NULL);
    alloc_free(list.shardings);
    program.num_partitions = 1;
    cr_assert_null(export_sharding_list(&program, false, &list));
    cr_expect_null(list.shardings);
}

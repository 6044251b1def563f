/* sharding_parse_test.c: HLO's text of shardings, and its conversion to axes and back. */
#include "compiler/ir/sharding_parse.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/text.h"

static struct arena *arena;

static void begin(void)
{
    cr_assert_null(arena_create(&arena));
}

static void end(void)
{
    arena_destroy(arena);
}

TestSuite(sharding_parse, .init = begin, .fini = end);

static struct sharding_note parse(const char *text, int rank, int64_t devices)
{
    struct sharding_note note;
    struct error *error =
        sharding_parse(arena, (struct string){strlen(text), text}, 1, &rank, devices, &note);
    cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
    if (note.sharding)
        cr_assert_null(sharding_check(note.sharding, rank));
    return note;
}

static void expect(const char *text, int rank, const char *expected)
{
    struct text printed = {0};
    sharding_print(parse(text, rank, 8).sharding, &printed);
    cr_expect(strstr(printed.data, expected), "%s became %s", text, printed.data);
    text_free(&printed);
}

#define D8 "mesh<[\"devices\"=8]>, "

Test(sharding_parse, iotas)
{
    expect("{devices=[8,1]<=[8]}", 2, D8 "[{\"devices\"}, {}]>");
    expect("{devices=[4,2]<=[8]}", 2, D8 "[{\"devices\":(1)4}, {\"devices\":(4)2}]>");
    expect("{devices=[2,4]<=[4,2]T(1,0)}", 2, D8 "[{\"devices\":(4)2}, {\"devices\":(1)4}]>");
    expect("{devices=[8,1]<=[4,2]T(1,0)}", 2, D8 "[{\"devices\":(4)2, \"devices\":(1)4}, {}]>");
    expect("{devices=[4,1,2]<=[8] last_tile_dim_replicate}", 2, D8 "[{\"devices\":(1)4}, {}]>");
    expect("{devices=[1,1,4,2]<=[8] last_tile_dims={manual, replicated}}", 2,
           D8 "[{}, {}], manual={\"devices\":(1)4}>");
    expect("{devices=[2,2,2]<=[8] last_tile_dims={unreduced}}", 2, "unreduced={\"devices\":(4)2}>");
    /* tiles that no axes describe */
    expect("{devices=[3,2]<=[3,2]T(1,0)}", 2,
           "mesh<[\"axis_0\"=3, \"axis_1\"=2], device_ids=[0, 2, 4, 1, 3, 5]>, "
           "[{\"axis_0\"}, {\"axis_1\"}]>");
}

Test(sharding_parse, lists)
{
    expect("{devices=[4,2]0,1,2,3,4,5,6,7}", 2, D8 "[{\"devices\":(1)4}, {\"devices\":(4)2}]>");
    expect("{devices=[2,4]0,2,4,6,1,3,5,7}", 2, D8 "[{\"devices\":(4)2}, {\"devices\":(1)4}]>");
    expect("{devices=[2,1,4]0,4,2,6,1,5,3,7 last_tile_dim_replicate}", 2,
           D8 "[{\"devices\":(4)2}, {}]>");
    expect("{devices=[2,2]3,1,0,2}", 2,
           "mesh<[\"axis_0\"=2, \"axis_1\"=2], device_ids=[3, 1, 0, 2]>, [{\"axis_0\"}, "
           "{\"axis_1\"}]>");
    expect("{devices=[1,1]0}", 2, "[{}, {}]>");
}

Test(sharding_parse, whole_devices_and_groups)
{
    expect("{replicated}", 1, D8 "[{}]>");
    expect(" { manual } ", 1, D8 "[{}], manual={\"devices\"}>");
    expect("{unreduced}", 1, D8 "[{}], unreduced={\"devices\"}>");
    expect("{maximal device=3}", 1, "mesh<[], device_ids=[3]>, []>");
    expect("{replicated metadata={op_name=\"a } b\" {x}}}", 0, D8 "[]>");
    struct sharding_note note = parse("{unknown shard_as 0}", 1, 8);
    cr_expect(!note.sharding && note.has_group && note.group == 0);
    note = parse("{devices=[8]<=[8] shard_like 7}", 1, 8);
    cr_expect(note.sharding && note.has_group && note.group == 7);
}

Test(sharding_parse, tuples)
{
    static const char text[] = "{{replicated}, {manual}, {devices=[2]<=[2]}}";
    struct sharding_note notes[3];
    cr_assert_null(sharding_parse(arena, (struct string){strlen(text), text}, 3,
                                  (const int[]){2, -1, 1}, 2, notes));
    cr_expect(notes[0].sharding->rank == 2 && !notes[1].sharding && notes[2].sharding->rank == 1);
    cr_assert_null(sharding_parse(arena, (struct string){12, "{replicated}"}, 3,
                                  (const int[]){2, -1, 2}, 2, notes));
    cr_expect(notes[0].sharding == notes[2].sharding && !notes[1].sharding);
    cr_assert_null(sharding_parse(arena, (struct string){2, "{}"}, 0, NULL, 2, NULL));
}

static void refuse(const char *text, int rank, const char *words)
{
    struct sharding_note note;
    struct error *error =
        sharding_parse(arena, (struct string){strlen(text), text}, 1, &rank, 8, &note);
    cr_assert_not_null(error, "%s", text);
    cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_expect(strstr(error_message(error, NULL), words), "%s: %s", text,
              error_message(error, NULL));
    error_free(error);
}

Test(sharding_parse, errors)
{
    refuse("", 1, "expected {");
    refuse("{", 1, "expected a sharding");
    refuse("{replicated", 1, "expected a sharding at character 11");
    refuse("{replicated} x", 1, "expected the end");
    refuse("{devices=[2,2]<=[4]}", 1, "a sharding of 2 dimensions is given for a tensor of 1");
    refuse("{devices=[2,2]<=[8]}", 2, "do not match");
    refuse("{devices=[2,2]<=[2,2]T(0,0)}", 2, "do not match");
    refuse("{devices=[2,2]<=[2,2]T(0,9)}", 2, "do not match");
    refuse("{devices=[2,2]<=[2,2]T(0)}", 2, "as many numbers");
    refuse("{devices=[2,2]0,1,2}", 2, "4 tiles lists 3");
    refuse("{devices=[2,2]0,1,2,2}", 2, "lists device 2 twice");
    refuse("{devices=[2,2]0,1,2,4}", 2, "lists device 4; it must");
    refuse("{devices=[0]<=[0]}", 1, "must be positive");
    refuse("{devices=[1048576,2]<=[2097152]}", 2, "product at most 1048576");
    refuse("{devices=[99999999999999999999]<=[1]}", 1, "a smaller number");
    refuse("{devices=[2]<=[2] last_tile_dims={manual, manual}}", 0, "2 subgroups");
    refuse("{maximal device=1048576}", 1, "on device 1048576");
    refuse("{{replicated}, {replicated}}", 1, "expected }");
    refuse("{metadata={", 1, "the end of the metadata");
}

/* ---- back ------------------------------------------------------------------------------------ */

static void print_numbers(struct text *out, int count, const int64_t *at)
{
    for (int i = 0; i < count; i++)
        text_add(out, i ? ",%lld" : "%lld", (long long)at[i]);
}

static void print_tiles(const struct sharding_tiles *tiles, struct text *out)
{
    text_add(out, "%d [", (int)tiles->kind);
    print_numbers(out, tiles->tile_count, tiles->tiles);
    text_add(out, "]");
    if (tiles->devices) {
        print_numbers(out, (int)tiles->device_count, tiles->devices);
    } else {
        text_add(out, "<=[");
        print_numbers(out, tiles->reshape_count, tiles->reshape);
        text_add(out, "]T");
        for (int i = 0; i < tiles->reshape_count; i++)
            text_add(out, "%d", tiles->permutation[i]);
    }
    for (int i = 0; i < tiles->subgroup_count; i++)
        text_add(out, " %d", (int)tiles->subgroups[i]);
}

static void expect_back(const char *text, int rank, const char *expected)
{
    struct sharding_tiles tiles;
    struct text printed = {0};
    struct error *error = sharding_tiles_write(arena, parse(text, rank, 8).sharding, &tiles);
    cr_assert_null(error);
    const char *again = sharding_tiles_text(arena, &tiles);
    cr_expect(sharding_equal(parse(again, rank, 8).sharding, parse(text, rank, 8).sharding) ||
                  tiles.kind == TILES_REPLICATED,
              "%s became %s", text, again);
    print_tiles(&tiles, &printed);
    cr_expect_str_eq(printed.data, expected, "%s became %s", text, printed.data);
    text_free(&printed);
}

Test(sharding_parse, writes_what_it_reads)
{
    expect_back("{devices=[4,2]<=[8]}", 2, "3 [4,2]<=[8]T0");
    expect_back("{devices=[4,2]<=[4,2]}", 2, "3 [4,2]<=[8]T0");
    expect_back("{devices=[2,4]<=[4,2]T(1,0)}", 2, "3 [2,4]<=[4,2]T10");
    expect_back("{devices=[4,1,2]<=[8] last_tile_dim_replicate}", 2, "3 [4,1,2]<=[8]T0 0");
    expect_back("{devices=[2,1,4]<=[2,2,2]T(1,0,2) last_tile_dim_replicate}", 2,
                "3 [2,1,4]<=[2,2,2]T102 0");
    expect_back("{devices=[8,1]<=[4,2]T(1,0)}", 2, "3 [8,1]<=[4,2]T10");
    expect_back("{devices=[1,1,4,2]<=[8] last_tile_dims={manual, replicated}}", 2,
                "3 [1,1,4,2]<=[8]T0 4 0");
    expect_back("{devices=[1,2,4]<=[8] last_tile_dims={unreduced}}", 2, "3 [1,2,4]<=[8]T0 6");
    expect_back("{devices=[2,2]3,1,0,2}", 2, "3 [2,2]3,1,0,2");
    expect_back("{devices=[3,2]<=[3,2]T(1,0)}", 2, "3 [3,2]0,2,4,1,3,5");
    expect_back("{replicated}", 2, "0 []<=[]T");
    expect_back("{devices=[1,1,8]<=[8] last_tile_dim_replicate}", 2, "0 []<=[]T");
    expect_back("{manual}", 2, "4 []<=[]T");
    expect_back("{unreduced}", 2, "6 []<=[]T");
    expect_back("{maximal device=5}", 2, "1 []5");
}

Test(sharding_parse, text_of_tiles)
{
    static const char *const texts[] = {
        "{replicated}",
        "{manual}",
        "{unreduced}",
        "{maximal device=5}",
        "{unknown}",
        "{devices=[2,4]<=[4,2]T(1,0)}",
        "{devices=[4,1,2]<=[8] last_tile_dim_replicate}",
        "{devices=[1,1,4,2]<=[8] last_tile_dims={manual, replicated}}",
        "{devices=[2,2]3,1,0,2}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct sharding_tiles tiles;
        struct string text = {strlen(texts[i]), texts[i]};
        cr_assert_null(sharding_parse_tiles(arena, text, &tiles));
        cr_expect_str_eq(sharding_tiles_text(arena, &tiles), texts[i]);
    }
    struct sharding_tiles tiles;
    error_free(sharding_parse_tiles(arena, (struct string){4, "{{}}"}, &tiles));
}

Test(sharding_parse, the_first_of_a_tuple)
{
    static const char *const texts[] = {"{maximal device=3}", "{{maximal device=3}, {manual}}"};
    struct sharding_tiles tiles;
    for (int i = 0; i < 2; i++) {
        struct string text = {strlen(texts[i]), texts[i]};
        cr_assert_null(sharding_parse_first(arena, text, &tiles));
        cr_expect(tiles.kind == TILES_MAXIMAL && tiles.device_count == 1 && tiles.devices[0] == 3);
    }
    static const char *const wrong[] = {"", "{", "{{", "maximal", "{{maximal device="};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct error *error =
            sharding_parse_first(arena, (struct string){strlen(wrong[i]), wrong[i]}, &tiles);
        cr_expect_not_null(error, "%s", wrong[i]);
        error_free(error);
    }
}

Test(sharding_parse, digits_of_permutations)
{
    struct digit digits[20];
    cr_expect_eq(sharding_tiles_digits(6, (const int64_t[]){0, 2, 4, 1, 3, 5}, 20, digits), 2);
    cr_expect(digits[0].stride == 1 && digits[0].size == 2 && digits[1].stride == 2 &&
              digits[1].size == 3);
    cr_expect_eq(sharding_tiles_digits(1, (const int64_t[]){0}, 20, digits), 0);
    cr_expect_eq(sharding_tiles_digits(4, (const int64_t[]){0, 1, 3, 2}, 20, digits), -1);
    cr_expect_eq(sharding_tiles_digits(4, (const int64_t[]){0, 3, 6, 9}, 20, digits), -1);
    cr_expect_eq(sharding_tiles_digits(4, (const int64_t[]){0, 0, 0, 0}, 20, digits), -1);
    cr_expect_eq(sharding_tiles_digits(4, (const int64_t[]){1, 0, 3, 2}, 20, digits), -1);
}

Test(sharding_parse, iotas_become_lists)
{
    static const char *const rows[][2] = {
        {"{devices=[2,4]<=[8]}", "{devices=[2,4]0,1,2,3,4,5,6,7}"},
        {"{devices=[2,4]<=[4,2]T(1,0)}", "{devices=[2,4]0,2,4,6,1,3,5,7}"},
        {"{devices=[4,1,2]<=[8] last_tile_dim_replicate}",
         "{devices=[4,1,2]0,1,2,3,4,5,6,7 last_tile_dim_replicate}"},
        {"{devices=[2,1]1,0}", "{devices=[2,1]1,0}"},
        {"{replicated}", "{replicated}"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct sharding_tiles tiles;
        cr_assert_null(
            sharding_parse_tiles(arena, (struct string){strlen(rows[i][0]), rows[i][0]}, &tiles));
        sharding_tiles_list(arena, &tiles);
        cr_expect_str_eq(sharding_tiles_text(arena, &tiles), rows[i][1]);
    }
}

#include "tools/explore_rows.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/alloc.h"
#include "tools/plan_target.h"

static struct explore_row row(int chips, double seconds, double peak, bool fits)
{
    return (struct explore_row){.tpu = "v5e:2x2",
                                .mesh = "4",
                                .chips = chips,
                                .seconds = seconds,
                                .peak_bytes = peak,
                                .fits = fits};
}

Test(explore_rows, the_front_has_what_nothing_is_better_than)
{
    struct explore_row rows[] = {row(4, 2, 5, true), row(1, 4, 9, true),  row(4, 3, 5, true),
                                 row(4, 3, 4, true), row(4, 1, 1, false), row(4, 2, 5, true)};
    rows[5].generation = 1;
    explore_rows_mark(rows, 6);
    static const struct {
        double seconds;
        bool is_front;
    } expected[] = {{4, true}, {2, true}, {3, true}, {3, false}, {1, false}, {2, true}};
    cr_expect_eq(rows[2].peak_bytes + rows[3].peak_bytes, 9);
    for (int i = 0; i < 6; i++) {
        cr_expect_eq(rows[i].seconds, expected[i].seconds, "row %d", i);
        if (i != 2 && i != 3)
            cr_expect_eq(rows[i].is_front, expected[i].is_front, "row %d", i);
        else
            cr_expect_eq(rows[i].is_front, rows[i].peak_bytes == 4);
    }
}

static char *printed(void (*print)(const struct explore_row *, size_t, struct text *),
                     const struct explore_row *rows, size_t count)
{
    struct text text = {0};
    char *out;
    print(rows, count, &text);
    cr_assert_null(text_finish(&text, &out, NULL));
    return out;
}

static void print_page(const struct explore_row *rows, size_t count, struct text *out)
{
    explore_rows_html("a<b", rows, count, out);
}

Test(explore_rows, of_equal_plans_the_first_is_on_the_front)
{
    struct explore_row rows[] = {row(4, 2, 5, true), row(4, 2, 5, true)};
    explore_rows_mark(rows, 2);
    cr_expect_eq(rows[0].is_front + rows[1].is_front, 1);
}

Test(explore_rows, every_form_names_each_plan)
{
    struct explore_row rows[] = {row(4, 2e-3, 1 << 20, true), row(4, 0, 2, false)};
    explore_rows_mark(rows, 2);
    char *text = printed(explore_rows_text, rows, 2), *json = printed(explore_rows_json, rows, 2),
         *page = printed(print_page, rows, 2);
    cr_expect(strstr(text, "* -      v5e:2x2"));
    cr_expect(strstr(text, "2 ms"));
    cr_expect(strstr(text, "does not fit"));
    cJSON *parsed = cJSON_Parse(json);
    cr_expect_eq(cJSON_GetArraySize(cJSON_GetObjectItem(parsed, "plans")), 2);
    cr_expect(strstr(page, "a&lt;b"));
    cr_expect(strstr(page, "<circle"));
    cr_expect(!strstr(page, "nan") && !strstr(page, "inf"));
    cJSON_Delete(parsed);
    alloc_free(text);
    alloc_free(json);
    alloc_free(page);
}

Test(explore_rows, a_chart_of_nothing_has_no_points)
{
    char *page = printed(print_page, NULL, 0);
    cr_expect(!strstr(page, "<circle"));
    cr_expect(!strstr(page, "nan") && !strstr(page, "inf"));
    alloc_free(page);
}

Test(explore_rows, meshes_of_a_number_of_devices)
{
    char meshes[PLAN_TARGET_MESHES][PLAN_TARGET_MESH_TEXT];
    cr_assert_eq(plan_target_meshes(8, meshes), 4);
    cr_expect_str_eq(meshes[0], "8");
    cr_expect_str_eq(meshes[1], "2x2x2");
    cr_expect_str_eq(meshes[2], "2x4");
    cr_expect_str_eq(meshes[3], "4x2");
    cr_expect_eq(plan_target_meshes(1, meshes), 1);
    cr_expect_eq(plan_target_meshes(7, meshes), 1);
    cr_expect_leq(plan_target_meshes(1 << 20, meshes), PLAN_TARGET_MESHES);
}

static cJSON *plan(bool fits, double seconds, double peak)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddBoolToObject(json, "fits", fits);
    cJSON_AddNumberToObject(json, "seconds", seconds);
    cJSON_AddNumberToObject(json, "peak_bytes", peak);
    return json;
}

Test(explore_rows, a_plan_that_fits_is_better)
{
    cJSON *slow = plan(true, 2, 2), *fast = plan(true, 1, 3), *large = plan(false, 0.5, 9),
          *huge = plan(false, 0.1, 10);
    cr_expect(plan_target_is_better(fast, slow));
    cr_expect(!plan_target_is_better(slow, fast));
    cr_expect(plan_target_is_better(slow, large));
    cr_expect(plan_target_is_better(large, huge));
    cJSON_Delete(slow);
    cJSON_Delete(fast);
    cJSON_Delete(large);
    cJSON_Delete(huge);
}

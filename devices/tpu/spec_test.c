/* spec_test.c: the generations are found by each of their names, and their figures agree with each
 * other. */
#include "devices/tpu/spec.h"

#include <criterion/criterion.h>
#include <string.h>

static const struct tpu_spec *find(const char *name, const char *config)
{
    const struct tpu_spec *spec;
    struct error *error = tpu_spec_find(name, strlen(name), config, &spec);
    cr_assert_null(error, "%s: %s", name, error_message(error, NULL));
    return spec;
}

static void refuses(const char *name, const char *config, PJRT_Error_Code code, const char *words)
{
    const struct tpu_spec *spec;
    struct error *error = tpu_spec_find(name, strlen(name), config, &spec);
    cr_assert(error && !spec, "%s %s is accepted", name, config);
    cr_expect_eq(error_code(error), code);
    cr_expect(strstr(error_message(error, NULL), words), "%s", error_message(error, NULL));
    error_free(error);
}

Test(spec, is_found_by_every_name)
{
    static const struct {
        const char *name, *kind;
    } names[] = {
        {"v2", "TPU v2"},           {"v3", "TPU v3"},       {"v4", "TPU v4"},
        {"v4 lite", "TPU v4 lite"}, {"v5e", "TPU v5 lite"}, {"TPU v5 lite", "TPU v5 lite"},
        {"v5p", "TPU v5"},          {"v5", "TPU v5"},       {"v6e", "TPU v6 lite"},
        {"tpu7x", "TPU7x"},         {"7x", "TPU7x"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        cr_expect_str_eq(find(names[i].name, NULL)->kind, names[i].kind);
}

Test(spec, has_chip_configurations)
{
    cr_expect_eq(find("v4", NULL)->accelerator.devices_per_chip, 2);
    cr_expect_eq(find("v4", "megacore")->accelerator.devices_per_chip, 1);
    cr_expect_eq(find("v5p", "default"), find("v5p", "megacore"));
    refuses("tpu7x", "megacore", PJRT_Error_Code_NOT_FOUND, "Failed to obtain chip config");
    refuses("v4", "gigacore", PJRT_Error_Code_NOT_FOUND, "default|megacore");
}

Test(spec, refuses_unknown_names_and_lists_the_known_ones)
{
    static const char *const names[] = {"v7x", "v7", "v5litepod", "", "v", "v4 lit", "TPU ", "|"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        refuses(names[i], NULL, PJRT_Error_Code_INVALID_ARGUMENT,
                "v2, v3, v4, v4 lite, v5e, v5p, v6e, tpu7x");
}

Test(spec, accelerator_types_are_known)
{
    cr_expect_str_eq(tpu_spec_of_accelerator_type("v5litepod", 9)->name, "v5e");
    cr_expect_str_eq(tpu_spec_of_accelerator_type("v4", 2)->configs, "megacore");
    cr_expect_null(tpu_spec_of_accelerator_type("v9", 2));
    cr_expect_null(tpu_spec_of_accelerator_type("", 0));
}

/* Units x size x size multiply-accumulates a cycle are the published peak, within 3 %. */
Test(spec, peak_follows_from_units_and_clock)
{
    const struct tpu_spec *spec;
    for (int i = 0; (spec = tpu_spec_at(i)); i++) {
        const struct accelerator *a = &spec->accelerator;
        double size = a->matrix_unit_size, peak = 2 * a->matrix_units * size * size * a->clock_hz;
        cr_expect(peak > 0.97 * a->bf16_rate && peak < 1.03 * a->bf16_rate, "%s: %g of %g", a->name,
                  peak, a->bf16_rate);
        cr_expect(a->hbm_bytes > 0 && a->vmem_bytes && a->smem_bytes && a->hbm_rate > 0, "%s",
                  a->name);
        cr_expect(a->links && a->link_rate > 0 && a->host_rate > 0 && a->cores, "%s", a->name);
    }
    cr_expect_eq(find("v5e", NULL)->accelerator.hbm_bytes, 16911433728u);
}

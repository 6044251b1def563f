/* topology_test.c: topologies against what the TPU's compiler says of them
 * (testdata/topologies.txt). */
#include "devices/tpu/topology.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECORD "devices/tpu/testdata/topologies.txt"
enum { FIELDS = 6, WHOLE = 8192 };

static struct tpu_topology parse(const char *text, enum tpu_user user)
{
    struct tpu_topology topology;
    struct error *error = tpu_topology_parse(text, user, &topology);
    cr_assert_null(error, "%s: %s", text, error_message(error, NULL));
    return topology;
}

static void refuses(const char *text, const char *code, const char *words)
{
    struct tpu_topology topology;
    struct error *error = tpu_topology_parse(text, TPU_DESCRIPTION, &topology);
    cr_assert(error, "'%s' is accepted", text);
    cr_expect_str_eq(error_code_name(error_code(error)), code);
    cr_expect(strstr(error_message(error, NULL), words), "'%s': %s", text,
              error_message(error, NULL));
    error_free(error);
}

/* ---- the record ------------------------------------------------------------------------------ */
/* Splits a line at " | "; returns the number of fields. */
static int split(char *line, char *fields[FIELDS])
{
    int count = 0;
    line[strcspn(line, "\n")] = '\0';
    for (char *next; line && count < FIELDS; line = next) {
        next = strstr(line, " | ");
        if (next)
            *next = '\0', next += 3;
        fields[count++] = line;
    }
    return count;
}

static void expect_devices(const char *name, const struct tpu_topology *topology,
                           const char *record)
{
    const char *at = record;
    for (int i = 0; *at; i++) {
        char text[80];
        struct tpu_place place;
        size_t size = strcspn(at, " ");
        tpu_topology_place(topology, i, &place);
        snprintf(text, sizeof text, "%d:%d:%d,%d,%d:%d:%d", place.id, place.process_index,
                 (int)place.coords[0], (int)place.coords[1], (int)place.coords[2],
                 (int)place.core_on_chip, topology->spec->accelerator.cores);
        cr_expect(strlen(text) == size && !memcmp(text, at, size), "%s: device %d is %s, not %.*s",
                  name, i, text, (int)size, at);
        at += size + (at[size] == ' ');
    }
}

static void expect_legal(const char *name, char *fields[FIELDS])
{
    char version[64];
    int devices = 0, processes = 0;
    struct tpu_place last;
    struct tpu_topology topology = parse(name, TPU_DESCRIPTION);
    cr_expect_str_eq(topology.spec->kind, fields[2]);
    snprintf(version, sizeof version, "%sTFRT %s", topology.slices > 1 ? "megascale+" : "",
             topology.spec->kind);
    cr_expect_str_eq(version, fields[3]);
    cr_expect_eq(sscanf(fields[4], "%d %d", &devices, &processes), 2);
    cr_expect_eq(tpu_topology_devices(&topology), devices, "%s", name);
    tpu_topology_place(&topology, devices - 1, &last);
    cr_expect_eq(last.process_index, processes - 1, "%s", name);
    expect_devices(name, &topology, fields[5]);
}

Test(tpu_topology, is_as_the_compiler_describes_it)
{
    static char line[WHOLE];
    int rows = 0;
    FILE *file = fopen(RECORD, "r");
    cr_assert(file, RECORD);
    while (fgets(line, sizeof line, file)) {
        char *fields[FIELDS], name[160];
        int count = *line == '#' ? 0 : split(line, fields);
        if (!count)
            continue;
        snprintf(name, sizeof name, "%s%s%s", fields[0], *fields[1] ? "," : "", fields[1]);
        if (count == FIELDS)
            expect_legal(name, fields);
        else
            refuses(name, fields[2], fields[3]);
        rows++;
    }
    fclose(file);
    cr_expect_eq(rows, 53);
}

/* ---- more ------------------------------------------------------------------------------------ */
Test(tpu_topology, of_a_client_is_one_process)
{
    struct tpu_place place;
    struct tpu_topology topology = parse("v5e:4x4", TPU_CLIENT);
    for (int i = 0; i < 16; i++) {
        tpu_topology_place(&topology, i, &place);
        cr_expect(place.id == i && !place.process_index && place.coords[0] == i % 4 &&
                  place.coords[1] == i / 4);
    }
    topology = parse("v5e:1x1", TPU_CLIENT); /* needs no chips_per_host_bounds */
    cr_expect_eq(tpu_topology_devices(&topology), 1);
}

Test(tpu_topology, spells_names_as_the_compiler_reads_them)
{
    static const char *const names[] = {"v5e:2x4",   "v5e=2x4",           "v5e_2x4",
                                        "v5e:2x4x1", "v5e:2x4_untwisted", "TPU v5 lite:2x4"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct tpu_topology topology = parse(names[i], TPU_DESCRIPTION);
        cr_expect_str_eq(topology.spec->name, "v5e");
        cr_expect_eq(tpu_topology_devices(&topology), 8);
    }
}

Test(tpu_topology, illegal_ones_name_the_legal)
{
    refuses("v5e:3x3", "INVALID_ARGUMENT", "v5e:2x2, v5e:2x4, v5e:4x4");
    refuses("v5p:3x3x3", "INVALID_ARGUMENT", "v5p:2x2x1, v5p:2x2x2");
    refuses("v5e:3x5,chips_per_host_bounds=3x5", "INVALID_ARGUMENT", "bounds \"2x2x1\"");
    refuses("v9:2x2", "INVALID_ARGUMENT", "v2, v3, v4, v4 lite, v5e, v5p, v6e, tpu7x");
    refuses("v5e:32x32", "INVALID_ARGUMENT", "v5e:16x16");
    refuses("v5e:2x2x2", "INVALID_ARGUMENT", "2 bounds");
    refuses("v5p:4x4", "INVALID_ARGUMENT", "3 bounds");
    refuses("v5p:4x4x4_twisted", "INVALID_ARGUMENT", "k x k x 2k");
    refuses("v5e:2x2,num_slices=99999999999", "INVALID_ARGUMENT", "num_slices=1");
    refuses("v5e:16x16,num_slices=65536", "INVALID_ARGUMENT", "65536");
    refuses("v5e:2x2,chips_per_host_bounds=0x1", "INVALID_ARGUMENT", "chips_per_host_bounds=");
    refuses("v5e:2x2,color=red", "INVALID_ARGUMENT", "color=red");
}

Test(tpu_topology, hostile_names_are_refused)
{
    static const char *const names[] = {"",
                                        ":",
                                        "v5e",
                                        "v5e:",
                                        ":2x2",
                                        "v5e:x",
                                        "v5e:2x",
                                        "v5e:0x2",
                                        "v5e:2xx2",
                                        "v5e:99999999999999999999x2",
                                        "v5e:2x2x1x1",
                                        "v5e;2x2",
                                        "v5e:-2x2",
                                        "\xff:2x2",
                                        "v5e:2x2,",
                                        "v5e:2x2,,",
                                        "v5e:4097x2",
                                        "v5e:2x2_twisted_twisted"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        refuses(names[i], "INVALID_ARGUMENT", "");
    char large[4096];
    memset(large, 'v', sizeof large - 1);
    large[sizeof large - 1] = '\0';
    refuses(large, "INVALID_ARGUMENT", "4095 bytes");
}

Test(tpu_topology, text_reads_back_as_the_same)
{
    static const char *const names[] = {"v5e:2x4", "v4:2x2x4,chip_config_name=megacore",
                                        "v4 lite:2x2", "v5p:4x4x8_twisted,num_slices=3",
                                        "tpu7x:2x2x2,chips_per_host_bounds=2x2x2"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[TPU_TOPOLOGY_TEXT], again[TPU_TOPOLOGY_TEXT];
        struct tpu_topology first = parse(names[i], TPU_DESCRIPTION), second;
        tpu_topology_print(&first, text);
        second = parse(text, TPU_CLIENT);
        tpu_topology_print(&second, again);
        cr_expect_str_eq(text, again);
        cr_expect_eq(first.spec, second.spec);
    }
}

Test(tpu_topology, usual_slices_by_chips)
{
    static const struct {
        const char *generation;
        int chips, bounds[3];
    } usual[] = {{"v5e", 1, {1, 1, 1}},     {"v5e", 8, {2, 4, 1}},    {"v5e", 128, {8, 16, 1}},
                 {"v5e", 256, {16, 16, 1}}, {"v5p", 1, {1, 1, 1}},    {"v5p", 2, {1, 2, 1}},
                 {"v5p", 4, {2, 2, 1}},     {"v5p", 8, {2, 2, 2}},    {"v5p", 16, {2, 2, 4}},
                 {"v5p", 32, {2, 4, 4}},    {"v4", 1024, {8, 8, 16}}, {"v5p", 6144, {16, 16, 24}},
                 {"v3", 1024, {32, 32, 1}}};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        struct tpu_topology topology;
        const struct tpu_spec *spec;
        const char *name = usual[i].generation;
        cr_assert_null(tpu_spec_find(name, strlen(name), NULL, &spec));
        cr_assert_null(tpu_topology_of_chips(spec, usual[i].chips, &topology));
        cr_expect_arr_eq(topology.bounds, usual[i].bounds, sizeof topology.bounds, "%s %d", name,
                         usual[i].chips);
    }
}

Test(tpu_topology, unusual_numbers_of_chips_are_refused)
{
    static const int64_t chips[] = {0, -1, 3, 512, 1 << 30, INT64_MAX, INT64_MIN};
    const struct tpu_spec *spec;
    struct tpu_topology topology;
    cr_assert_null(tpu_spec_find("v5e", 3, NULL, &spec));
    for (size_t i = 0; i < sizeof chips / sizeof *chips; i++) {
        struct error *error = tpu_topology_of_chips(spec, chips[i], &topology);
        cr_expect(error, "%lld chips", (long long)chips[i]);
        error_free(error);
    }
}

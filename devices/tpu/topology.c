/* topology.c: see topology.h. */
#include "devices/tpu/topology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { MAX_BOUND = 4096, SLICE_IDS = 100000 };

/* ---- what is legal --------------------------------------------------------------------------- */
static void add_bounds(struct text *text, const struct tpu_spec *spec, const int bounds[3])
{
    text_add(text, "%dx%d", bounds[0], bounds[1]);
    if (spec->dimensions == 3)
        text_add(text, "x%d", bounds[2]);
}

/* Appends the usual slices of a generation: "v5e:1x1, v5e:1x2, ...". */
static void add_usual(struct text *text, const struct tpu_spec *spec)
{
    struct tpu_topology usual;
    for (int64_t chips = 1; chips <= TPU_MAX_DEVICES; chips *= 2) {
        struct error *error = tpu_topology_of_chips(spec, chips, &usual);
        if (!error) {
            text_add(text, "%s%s:", chips > 1 ? ", " : "", spec->name);
            add_bounds(text, spec, usual.bounds);
        }
        error_free(error);
    }
}

/* Appends what a user may write to the message of `error`, which is freed. */
static struct error *with_legal(struct error *error, const struct tpu_spec *spec)
{
    struct text legal = {0};
    add_usual(&legal, spec);
    text_add(&legal, ", and others up to ");
    add_bounds(&legal, spec, spec->pod);
    struct error *whole =
        ERROR(INVALID_ARGUMENT, "%s; topologies of %s are %s, divisible by chips_per_host_bounds",
              error_message(error, NULL), spec->kind, legal.data ? legal.data : "");
    text_free(&legal);
    error_free(error);
    return whole;
}

/* ---- bounds ---------------------------------------------------------------------------------- */
static bool read_number(const char **at, int max, int *out)
{
    int64_t value = 0;
    const char *start = *at;
    for (; **at >= '0' && **at <= '9' && value <= max; ++*at)
        value = 10 * value + (**at - '0');
    *out = (int)value;
    return *at > start && value >= 1 && value <= max;
}

/* Reads 1 to 3 numbers with one of `separators` between them; returns how many, 0: malformed. */
static int read_bounds(const char *text, const char *separators, int out[3])
{
    int count = 0;
    out[0] = out[1] = out[2] = 1;
    while (count < 3 && read_number(&text, MAX_BOUND, &out[count])) {
        count++;
        if (!*text)
            return count;
        if (!strchr(separators, *text++))
            return 0;
    }
    return 0;
}

bool tpu_bounds_parse(const char *text, int out[3])
{
    return read_bounds(text, ",x", out) > 0;
}

static int64_t product(const int bounds[3])
{
    return (int64_t)bounds[0] * bounds[1] * bounds[2];
}

static bool divides(const int part[3], const int whole[3])
{
    for (int i = 0; i < 3; i++)
        if (part[i] < 1 || whole[i] % part[i])
            return false;
    return true;
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Whether a slice is of whole hosts, or a part of one. */
static bool is_of_hosts(const struct tpu_spec *spec, const int bounds[3])
{
    return divides(spec->host, bounds) ||
           (bounds[0] <= spec->host[0] && bounds[1] <= spec->host[1] && bounds[2] <= spec->host[2]);
}

/* Whether the bounds, in some order, are inside the generation's largest slice. */
static bool inside_pod(const struct tpu_spec *spec, const int bounds[3])
{
    int slice[3], pod[3];
    memcpy(slice, bounds, sizeof slice);
    memcpy(pod, spec->pod, sizeof pod);
    qsort(slice, 3, sizeof *slice, compare);
    qsort(pod, 3, sizeof *pod, compare);
    return slice[0] <= pod[0] && slice[1] <= pod[1] && slice[2] <= pod[2];
}

/* Twisted tori are of k x k x 2k or k x 2k x 2k chips. */
static bool may_twist(const struct tpu_topology *topology)
{
    const int *b = topology->bounds;
    return topology->spec->dimensions == 3 && b[0] >= 4 && b[2] == 2 * b[0] &&
           (b[1] == b[0] || b[1] == b[2]);
}

static struct error *check(const struct tpu_topology *topology, const char *name)
{
    const struct tpu_spec *spec = topology->spec;
    const int *bounds = topology->bounds, *host = topology->host;
    if (!is_of_hosts(spec, bounds))
        host = spec->host;
    if (!divides(host, bounds))
        return ERROR(INVALID_ARGUMENT,
                     "Topology layout \"%.100s\" is not divisible by the given (or default) "
                     "chips_per_host_bounds \"%dx%dx%d\"",
                     name, host[0], host[1], host[2]);
    if (!inside_pod(spec, bounds))
        return ERROR(INVALID_ARGUMENT, "topology '%.100s' is larger than a pod", name);
    if (topology->twisted && !may_twist(topology))
        return ERROR(INVALID_ARGUMENT,
                     "topology '%.100s': a twisted torus has k x k x 2k or k x 2k x 2k chips, k at "
                     "least 4",
                     name);
    int64_t devices = product(bounds) * spec->accelerator.devices_per_chip;
    if (topology->slices < 1 || topology->slices > TPU_MAX_DEVICES / devices)
        return ERROR(INVALID_ARGUMENT, "%d slices of %lld devices; at most %d devices are possible",
                     topology->slices, (long long)devices, TPU_MAX_DEVICES);
    return NULL;
}

struct error *tpu_topology_check(const struct tpu_topology *topology)
{
    char name[TPU_TOPOLOGY_TEXT];
    tpu_topology_print(topology, name);
    name[strcspn(name, ",")] = '\0';
    struct error *error = check(topology, name);
    return error ? with_legal(error, topology->spec) : NULL;
}

struct error *tpu_topology_of_chips(const struct tpu_spec *spec, int64_t chips,
                                    struct tpu_topology *out)
{
    int power = 0, dimensions = spec->dimensions;
    *out = (struct tpu_topology){.spec = spec, .bounds = {1, 1, 1}, .slices = 1};
    if (chips == product(spec->pod)) {
        memcpy(out->bounds, spec->pod, sizeof out->bounds);
    } else {
        while (power < 20 && (int64_t)1 << power < chips)
            power++;
        for (int i = 0; i < dimensions; i++) /* the smallest first */
            out->bounds[i] = 1 << ((power + i) / dimensions);
        if (power < 3 && dimensions == 3) /* the chips of one host */
            memcpy(out->bounds, (const int[]){1 << power / 2, power ? 2 : 1, 1},
                   sizeof out->bounds);
    }
    memcpy(out->host, out->bounds, sizeof out->host);
    if (product(out->bounds) == chips && inside_pod(spec, out->bounds))
        return NULL;
    return ERROR(INVALID_ARGUMENT,
                 "no usual slice of %s has %lld chips; allowed: powers of two up to %lld",
                 spec->kind, (long long)chips, (long long)product(spec->pod));
}

/* ---- reading --------------------------------------------------------------------------------- */
static bool is_name_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == ' ';
}

static struct error *malformed(const char *name)
{
    struct text names = {0};
    tpu_spec_list(&names);
    struct error *error =
        ERROR(INVALID_ARGUMENT,
              "a TPU topology is a generation (%s) and its chips, like v5e:2x4 or v5p:2x2x2. "
              "Your TPU topology name %.100s is invalid and does not match regex: "
              "^([a-zA-Z0-9\\_ ]+)[=\\_:]([0-9x]+)(\\_twisted|\\_untwisted)?$",
              names.data ? names.data : "", name);
    text_free(&names);
    return error;
}

static bool take_suffix(char *name, const char *suffix)
{
    size_t size = strlen(name), tail = strlen(suffix);
    if (size < tail || strcmp(name + size - tail, suffix))
        return false;
    name[size - tail] = '\0';
    return true;
}

/* Splits "v5e:2x4" at its last separator: the generation's size, and where the bounds start. */
static bool split(const char *name, size_t *size, const char **bounds)
{
    const char *at = name + strlen(name);
    while (at > name && strchr("0123456789x", at[-1]))
        at--;
    if (!*at || at - name < 2 || !strchr("=_:", at[-1]))
        return false;
    *bounds = at;
    *size = (size_t)(at - name) - 1;
    for (size_t i = 0; i < *size; i++)
        if (!is_name_letter(name[i]))
            return false;
    return true;
}

struct options {
    char config[32];
    int host[3]; /* zeros: not given */
    int slices;
    enum tpu_numerics numerics;
};

static struct error *read_option(const char *text, size_t size, struct options *out)
{
    char option[96] = "", *value = option;
    if (size < sizeof option)
        memcpy(option, text, size);
    value += strcspn(option, "=");
    if (*value)
        *value++ = '\0';
    const char *number = value;
    if (!strcmp(option, "chips_per_host_bounds") && tpu_bounds_parse(value, out->host))
        return NULL;
    if (!strcmp(option, "num_slices") && read_number(&number, TPU_MAX_DEVICES, &out->slices) &&
        !*number)
        return NULL;
    if (!strcmp(option, "chip_config_name") && strlen(value) < sizeof out->config) {
        snprintf(out->config, sizeof out->config, "%s", value);
        return NULL;
    }
    if (!strcmp(option, "numerics") && (!strcmp(value, "tpu") || !strcmp(value, "f32"))) {
        out->numerics = *value == 't' ? TPU_NUMERICS_TPU : TPU_NUMERICS_F32;
        return NULL;
    }
    return ERROR(INVALID_ARGUMENT,
                 "'%.*s' is not an option of a TPU topology: chips_per_host_bounds=2x2x1, "
                 "num_slices=1, chip_config_name=megacore, numerics=tpu or numerics=f32",
                 size < 64 ? (int)size : 64, text);
}

static struct error *read_options(const char *text, struct options *out)
{
    *out = (struct options){.slices = 1};
    while (*text == ',') {
        size_t size = strcspn(++text, ",");
        TRY(read_option(text, size, out));
        text += size;
    }
    return NULL;
}

/* The name without its options. */
static struct error *read_name(const char *name, const char *config, struct tpu_topology *out)
{
    char body[TPU_TOPOLOGY_TEXT];
    size_t size;
    const char *bounds;
    snprintf(body, sizeof body, "%s", name);
    out->twisted = take_suffix(body, "_twisted");
    if (!out->twisted)
        take_suffix(body, "_untwisted");
    if (!split(body, &size, &bounds))
        return malformed(name);
    TRY(tpu_spec_find(body, size, config, &out->spec));
    int count = read_bounds(bounds, "x", out->bounds), dimensions = out->spec->dimensions;
    if (count == dimensions || (count == 3 && out->bounds[2] == 1))
        return NULL;
    return with_legal(ERROR(INVALID_ARGUMENT, "topology '%.100s' must have %d bounds of 1 to %d",
                            name, dimensions, MAX_BOUND),
                      out->spec);
}

static void choose_host(const struct options *options, enum tpu_user user, struct tpu_topology *out)
{
    const int *host = options->host[0]     ? options->host
                      : user == TPU_CLIENT ? out->bounds
                                           : out->spec->host;
    memcpy(out->host, host, sizeof out->host);
}

struct error *tpu_topology_parse(const char *text, enum tpu_user user, struct tpu_topology *out)
{
    char name[TPU_TOPOLOGY_TEXT];
    struct options options;
    size_t size = strcspn(text, ",");
    *out = (struct tpu_topology){0};
    if (size >= sizeof name)
        return ERROR(INVALID_ARGUMENT, "a topology name of %zu bytes", size);
    snprintf(name, sizeof name, "%.*s", (int)size, text);
    TRY(read_options(text + size, &options));
    TRY(read_name(name, options.config, out));
    out->slices = options.slices;
    out->numerics = options.numerics;
    choose_host(&options, user, out);
    struct error *error = check(out, name);
    return error ? with_legal(error, out->spec) : NULL;
}

void tpu_topology_print(const struct tpu_topology *topology, char out[TPU_TOPOLOGY_TEXT])
{
    const struct tpu_spec *spec = topology->spec;
    const int *bounds = topology->bounds, *host = topology->host;
    static const char *const numerics[] = {"", ",numerics=tpu", ",numerics=f32"};
    char depth[16] = "", config[32];
    snprintf(config, sizeof config, "%.*s", (int)strcspn(spec->configs, "|"), spec->configs);
    if (spec->dimensions == 3)
        snprintf(depth, sizeof depth, "x%d", bounds[2]);
    snprintf(out, TPU_TOPOLOGY_TEXT,
             "%s:%dx%d%s%s,chips_per_host_bounds=%dx%dx%d,num_slices=%d,chip_config_name=%s%s",
             spec->name, bounds[0], bounds[1], depth, topology->twisted ? "_twisted" : "", host[0],
             host[1], host[2], topology->slices, config, numerics[topology->numerics]);
}

/* ---- devices --------------------------------------------------------------------------------- */
int64_t tpu_topology_chips(const struct tpu_topology *topology)
{
    return product(topology->bounds);
}

int64_t tpu_topology_process_chips(const struct tpu_topology *topology)
{
    return product(topology->host);
}

int tpu_topology_processes(const struct tpu_topology *topology)
{
    return (int)(product(topology->bounds) / product(topology->host)) * topology->slices;
}

void tpu_topology_divide(struct tpu_topology *topology)
{
    bool divides = true;
    for (int i = 0; i < 3; i++)
        divides &= topology->bounds[i] % topology->spec->host[i] == 0;
    if (divides)
        memcpy(topology->host, topology->spec->host, sizeof topology->host);
}

int tpu_topology_devices(const struct tpu_topology *topology)
{
    return (int)tpu_topology_chips(topology) * topology->spec->accelerator.devices_per_chip *
           topology->slices;
}

/* Splits an index into coordinates, x fastest. */
static void unravel(int index, const int bounds[3], int out[3])
{
    out[0] = index % bounds[0];
    out[1] = index / bounds[0] % bounds[1];
    out[2] = index / bounds[0] / bounds[1];
}

void tpu_topology_place(const struct tpu_topology *topology, int index, struct tpu_place *out)
{
    const int *bounds = topology->bounds, *host = topology->host;
    int cores = topology->spec->accelerator.devices_per_chip, chip_of[3], host_of[3];
    int hosts[3] = {bounds[0] / host[0], bounds[1] / host[1], bounds[2] / host[2]};
    int devices = (int)product(bounds) * cores, per_host = (int)product(host) * cores;
    int slice = index / devices, in_slice = index % devices;
    unravel(in_slice % per_host / cores, host, chip_of);
    unravel(in_slice / per_host, hosts, host_of);
    int at[3];
    for (int i = 0; i < 3; i++)
        at[i] = host_of[i] * host[i] + chip_of[i];
    int chip = (at[2] * bounds[1] + at[1]) * bounds[0] + at[0], core = in_slice % cores;
    *out = (struct tpu_place){
        .id = (topology->slices > 1 ? SLICE_IDS * (slice + 1) : 0) + chip * cores + core,
        .process_index = slice * (devices / per_host) + in_slice / per_host,
        .slice_index = slice,
        .coords = {at[0], at[1], at[2]},
        .core_on_chip = core,
    };
}

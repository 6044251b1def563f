/* spec.c: see spec.h. */
#include "devices/tpu/spec.h"

#include <stdbool.h>
#include <string.h>

#include "base/text.h"

#define KIB(n) ((uint64_t)((n) * 1024.0))
#define MIB(n) ((uint64_t)((n) * 1048576.0))
#define GIB(n) ((uint64_t)((n) * 1073741824.0))
#define GIGA(n) ((n) * 1e9)
#define TERA(n) ((n) * 1e12)

static const struct tpu_spec specs[] = {
#define TPU(...) {__VA_ARGS__},
#include "devices/tpu/spec.def"
#undef TPU
};
enum { SPEC_COUNT = sizeof specs / sizeof *specs };

const struct tpu_spec *tpu_spec_at(int index)
{
    return index >= 0 && index < SPEC_COUNT ? &specs[index] : NULL;
}

/* Whether `word` is one of the words of `list`, which are separated by '|'. */
static bool lists(const char *list, const char *word, size_t size)
{
    while (size && *list) {
        size_t length = strcspn(list, "|");
        if (length == size && !memcmp(list, word, size))
            return true;
        list += length + (list[length] == '|');
    }
    return false;
}

static bool is_named(const struct tpu_spec *spec, const char *name, size_t size)
{
    return lists(spec->name, name, size) || lists(spec->aliases, name, size);
}

void tpu_spec_list(struct text *text)
{
    const char *last = "";
    for (int i = 0; i < SPEC_COUNT; i++) {
        if (strcmp(specs[i].name, last))
            text_add(text, "%s%s", i ? ", " : "", specs[i].name);
        last = specs[i].name;
    }
}

static struct error *unknown_name(const char *name, size_t size)
{
    struct text names = {0};
    tpu_spec_list(&names);
    struct error *error =
        ERROR(INVALID_ARGUMENT, "Invalid TPU external name: TPU %.*s; the generations are %s",
              size < 64 ? (int)size : 64, name, names.data ? names.data : "");
    text_free(&names);
    return error;
}

static struct error *unknown_config(const struct tpu_spec *spec, const char *config)
{
    struct text configs = {0};
    for (int i = 0; i < SPEC_COUNT; i++)
        if (!strcmp(specs[i].name, spec->name))
            text_add(&configs, "%s%s", configs.size ? "|" : "", specs[i].configs);
    struct error *error =
        ERROR(NOT_FOUND, "Failed to obtain chip config \"%.64s\" for %s; its configurations: %s",
              config, spec->kind, configs.data ? configs.data : "");
    text_free(&configs);
    return error;
}

struct error *tpu_spec_find(const char *name, size_t size, const char *config,
                            const struct tpu_spec **out)
{
    const struct tpu_spec *known = NULL;
    if (size > 4 && !memcmp(name, "TPU ", 4))
        name += 4, size -= 4;
    for (int i = 0; i < SPEC_COUNT; i++) {
        if (!is_named(&specs[i], name, size))
            continue;
        known = known ? known : &specs[i];
        *out = &specs[i];
        if (!config || !*config || lists(specs[i].configs, config, strlen(config)))
            return NULL;
    }
    *out = NULL;
    return known ? unknown_config(known, config) : unknown_name(name, size);
}

const struct tpu_spec *tpu_spec_of_accelerator_type(const char *prefix, size_t size)
{
    for (int i = 0; i < SPEC_COUNT; i++)
        if (lists(specs[i].accelerator_types, prefix, size))
            return &specs[i];
    return NULL;
}

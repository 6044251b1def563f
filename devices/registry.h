/* registry.h: devices.def as data. Header-only and stateless: the loader and the tools use it
 * without linking the core. Thread-safe. */
#ifndef GANTRY_DEVICES_REGISTRY_H
#define GANTRY_DEVICES_REGISTRY_H

#include <string.h>

struct registry_device { /* static; the fields are those of devices.def */
    const char *name, *choice, *meaning;
};

enum registry_index {
#define DEVICE(name, choice, meaning) REGISTRY_##name,
#include "devices/devices.def"
#undef DEVICE
    REGISTRY_COUNT
};

/* Returns NULL unless 0 <= index < REGISTRY_COUNT. */
static inline const struct registry_device *registry_device(int index)
{
    static const struct registry_device devices[] = {
#define DEVICE(name, choice, meaning) {#name, choice, meaning},
#include "devices/devices.def"
#undef DEVICE
    };
    return index >= 0 && index < REGISTRY_COUNT ? &devices[index] : NULL;
}

/* The device selected by this value of PJRT_DEVICE, or NULL. */
static inline const struct registry_device *registry_find_choice(const char *choice)
{
    for (int i = 0; i < REGISTRY_COUNT; i++)
        if (*choice && !strcmp(registry_device(i)->choice, choice))
            return registry_device(i);
    return NULL;
}

#endif

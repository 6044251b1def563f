/* kernel_shadow.h: the checker's state of each byte of a buffer. Buffers without a shadow are
 * initialized. */
#ifndef GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_SHADOW_H
#define GANTRY_DEVICES_HOST_KERNEL_MACHINE_KERNEL_SHADOW_H

#include "devices/host/kernel_machine/kernel_core.h"

enum kernel_definedness {                       /* of a byte, and of an element of a vector */
                          KERNEL_UNDEFINED = 0, /* never written, or a copy of such bytes */
                          KERNEL_DEFINED = 1,
                          KERNEL_POISONED = 2 /* computed from undefined elements */
};

/* A view without packed elements that covers the same bytes: of stored numbers of *bytes bytes. */
struct kernel_view kernel_shadow_plain(const struct kernel_view *view, int *bytes);

/* Whether all bytes of a box are defined. */
bool kernel_shadow_is_defined(const struct kernel_view *box, int bytes);

/* Whether a byte of a box was computed from undefined ones. */
bool kernel_shadow_is_poisoned(const struct kernel_view *box, int bytes);

/* The definedness of each element of a box, row-major; returns whether any is not defined. */
bool kernel_shadow_read(const struct kernel_view *box, int bytes, uint8_t *out);

/* Sets that of each element, or with `states` NULL of all to `state`; mask (or NULL): only of
 * these. */
void kernel_shadow_write(const struct kernel_view *box, int bytes, const uint8_t *states,
                         enum kernel_definedness state, const uint8_t *mask);

/* Copies it with the elements. */
void kernel_shadow_copy(const struct kernel_view *from, const struct kernel_view *to, int bytes);

/* Whether two boxes have a byte in common. */
bool kernel_shadow_overlap(const struct kernel_view *a, int a_bytes, const struct kernel_view *b,
                           int b_bytes);

#endif

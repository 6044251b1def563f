/* top_k_keys.h: elements of a row as 32-bit keys whose unsigned order is the order of the elements,
 * and loops over keys for the processor's instruction set (GANTRY_ISA selects it). Thread-safe. */
#ifndef GANTRY_DEVICES_HOST_TOP_K_TOP_K_KEYS_H
#define GANTRY_DEVICES_HOST_TOP_K_TOP_K_KEYS_H

#include "compiler/program/top_k_spec.h"

enum {
    KEY_BLOCK = 128, /* elements that are compared at a time */
    KEY_GROUP = 16   /* keys that are converted at a time; arrays of keys hold whole groups */
};

/* How the bits of an element, at the upper end of 32, become its key. */
struct key_kind {
    uint32_t if_negative; /* bits that change where the upper bit is set */
    uint32_t always;      /* bits that always change */
};

/* For elements of one type in one order. */
struct key_reader {
    struct key_kind kind;
    int bytes; /* of an element */
    /* The lowest key of each of some blocks of KEY_BLOCK elements. */
    void (*lowest)(const struct key_kind *kind, const void *from, int blocks,
                   uint32_t *restrict to);
    /* The keys of `count` elements, rounded up to whole groups. */
    void (*keys)(const struct key_kind *kind, const void *from, int count, uint32_t *restrict to);
    /* Which groups of a block have a key that is at most `most`, the first in the lowest bit. */
    unsigned (*groups)(const uint32_t *keys, int count, uint32_t most);
    /* The positions of sorted keys; equal ones keep their order. */
    void (*order)(const uint32_t *keys, int count, uint32_t *order);
};

struct key_reader key_reader(const struct top_k_spec *t);

/* Writes the keys of `count` elements, 1 to KEY_BLOCK, that may be the last ones of their memory,
 * and any keys up to whole groups. */
void key_reader_last(const struct key_reader *reader, const void *from, int count, uint32_t *keys);

#endif

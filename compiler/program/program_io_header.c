/* program_io_header.c: magic | build | device | features | denormals | checksum of what follows |
 * size */
#include "compiler/program/program_io_header.h"

#include <stdint.h>
#include <string.h>

#include "base/cpu.h"
#include "base/fpu.h"
#include "base/map.h"
#include "version.h"

static const char magic[16] = "gantry program 6";

enum {
    FEATURES_AT = sizeof magic + 32, /* after the build ID and the device name */
    DENORMALS_AT = FEATURES_AT + 8,
    IDENTITY = DENORMALS_AT + 8,
    HEADER = IDENTITY + 16
};
_Static_assert((int)HEADER == (int)PROGRAM_IO_HEADER, "the header's size is published");

static void identity(const char *device, char out[IDENTITY])
{
    uint64_t features = cpu_feature_bits(), keeps_denormals = !fpu_flushes();
    memset(out, 0, IDENTITY);
    memcpy(out, magic, sizeof magic);
    strncpy(out + sizeof magic, GANTRY_BUILD_ID, 15);
    strncpy(out + sizeof magic + 16, device, 15);
    memcpy(out + FEATURES_AT, &features, sizeof features);
    memcpy(out + DENORMALS_AT, &keeps_denormals, sizeof keeps_denormals);
}

void program_io_header_write(const char *device, char *bytes, size_t size)
{
    uint64_t check[2] = {map_hash(bytes + HEADER, size - HEADER, 0), size};
    identity(device, bytes);
    memcpy(bytes + IDENTITY, check, sizeof check);
}

/* Machine code needs exactly the features it was compiled for: it cannot run if one is missing, and
 * if there are more, its results may differ from those of a program compiled here. */
static struct error *check_features(const char *at)
{
    uint64_t made_for, here = cpu_feature_bits();
    char with[CPU_NAMES], missing[CPU_NAMES], more[CPU_NAMES];
    memcpy(&made_for, at + FEATURES_AT, sizeof made_for);
    if (made_for == here)
        return NULL;
    cpu_names_of(made_for, with, sizeof with);
    cpu_names_of(made_for & ~here, missing, sizeof missing);
    cpu_names_of(here & ~made_for, more, sizeof more);
    return ERROR(INVALID_ARGUMENT,
                 "the program was compiled for a processor with the features '%s'; this process "
                 "lacks '%s' and has '%s' in addition (GANTRY_ISA restricts its features). "
                 "Compile the program again on this processor",
                 with, missing, more);
}

struct error *program_io_header_check(const char *at, size_t size, const char *device)
{
    char expected_identity[IDENTITY];
    uint64_t check[2];
    if (size < HEADER || memcmp(at, magic, sizeof magic))
        return ERROR(INVALID_ARGUMENT, "these bytes are not a serialized program of Gantry");
    identity(device, expected_identity);
    if (memcmp(at, expected_identity, FEATURES_AT))
        return ERROR(INVALID_ARGUMENT,
                     "the program was serialized by build %.15s for device %.15s; this is build %s "
                     "for %s",
                     at + sizeof magic, at + sizeof magic + 16, GANTRY_BUILD_ID, device);
    TRY(check_features(at));
    if (memcmp(at + DENORMALS_AT, expected_identity + DENORMALS_AT, 8))
        return ERROR(INVALID_ARGUMENT,
                     "the program was compiled for a process that %s denormal numbers; this one "
                     "%s them (GANTRY_DENORMALS). Compile the program again in this process",
                     fpu_flushes() ? "keeps" : "flushes", fpu_flushes() ? "flushes" : "keeps");
    memcpy(check, at + IDENTITY, sizeof check);
    if (check[1] != size || check[0] != map_hash(at + HEADER, size - HEADER, 0))
        return ERROR(INVALID_ARGUMENT,
                     "the serialized program is damaged: its checksum does not match");
    return NULL;
}

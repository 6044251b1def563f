#include "tools/partition_spec.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { MAX_TILES = 64, MAX_DEVICES = 1 << 20 };

static const char *const names[PARTITION_SPEC_AXES] = {"x", "y", "z", "u", "v", "w"};

struct numbers {
    int count;
    int64_t at[MAX_TILES];
};

/* ---- meshes ---------------------------------------------------------------------------------- */
struct error *partition_mesh_read(const char *text, struct partition_mesh *out)
{
    const char *at = text;
    int64_t devices = 1;
    char *end;
    *out = (struct partition_mesh){0};
    do {
        int64_t size = strtoll(at, &end, 10);
        if (!isdigit((unsigned char)*at) || (*end && *end != 'x') || size < 1 ||
            size > MAX_DEVICES / devices || out->axis_count == PARTITION_SPEC_AXES)
            return ERROR(INVALID_ARGUMENT,
                         "--mesh %.100s; allowed: sizes of 1 to %d axes with a product of at most "
                         "%d, like 4x4",
                         text, PARTITION_SPEC_AXES, MAX_DEVICES);
        out->sizes[out->axis_count++] = size;
        devices *= size;
        at = end + 1;
    } while (*end);
    return NULL;
}

int64_t partition_mesh_devices(const struct partition_mesh *mesh)
{
    int64_t devices = 1;
    for (int i = 0; i < mesh->axis_count; i++)
        devices *= mesh->sizes[i];
    return devices;
}

/* ---- HLO's text ------------------------------------------------------------------------------ */
/* Reads "1,2,3" up to `close`, which is consumed. */
static bool read_numbers(const char **at, char close, struct numbers *out)
{
    char *end;
    out->count = 0;
    do {
        if (out->count == MAX_TILES)
            return false;
        out->at[out->count++] = strtoll(*at, &end, 10);
        if (end == *at)
            return false;
        *at = end + 1;
    } while (*end == ',');
    return *end == close;
}

static int64_t product(const struct numbers *numbers)
{
    int64_t product = 1;
    for (int i = 0; i < numbers->count; i++) {
        if (numbers->at[i] < 1 || numbers->at[i] > MAX_DEVICES / product)
            return -1;
        product *= numbers->at[i];
    }
    return product;
}

/* Reads "[2,4]T(1,0)": tile i is on device[i], of an iota of these sizes that is transposed. */
static bool read_iota(const char **at, int64_t count, int64_t *device)
{
    struct numbers sizes, order = {0};
    if (!read_numbers(at, ']', &sizes) || product(&sizes) != count)
        return false;
    if (**at == 'T' && (*at)[1] == '(') {
        *at += 2;
        if (!read_numbers(at, ')', &order) || order.count != sizes.count)
            return false;
    }
    int64_t strides[MAX_TILES], stride = 1;
    for (int i = sizes.count - 1; i >= 0; i--)
        strides[i] = stride, stride *= sizes.at[i];
    for (int64_t i = 0; i < count; i++) {
        int64_t rest = i;
        device[i] = 0;
        for (int k = sizes.count - 1; k >= 0; k--) {
            int64_t dim = order.count ? order.at[k] : k;
            if (dim < 0 || dim >= sizes.count)
                return false;
            device[i] += rest % sizes.at[dim] * strides[dim];
            rest /= sizes.at[dim];
        }
    }
    return true;
}

static bool read_list(const char **at, int64_t count, int64_t *device)
{
    char *end = NULL;
    for (int64_t i = 0; i < count; i++, *at = end + (*end == ',')) {
        device[i] = strtoll(*at, &end, 10);
        if (end == *at)
            return false;
    }
    return true;
}

static int64_t index_of(const int64_t *device, int64_t count, int64_t wanted)
{
    for (int64_t i = 0; i < count; i++)
        if (device[i] == wanted)
            return i;
    return -1;
}

/* The dimension of the tiles along which the second device of a mesh's axis is beside the first;
 * -1: none, or several. */
static int dim_of(const struct numbers *tiles, int64_t first, int64_t second)
{
    int found = -1, changed = 0;
    for (int d = tiles->count - 1; d >= 0; d--) {
        changed += first % tiles->at[d] != second % tiles->at[d];
        if (found < 0 && changed)
            found = d;
        first /= tiles->at[d], second /= tiles->at[d];
    }
    return changed == 1 ? found : -1;
}

static void print_dim(const int *dims, const struct partition_mesh *mesh, int dim, struct text *out)
{
    int count = 0;
    for (int a = 0; a < mesh->axis_count; a++)
        count += dims[a] == dim;
    if (!count) {
        text_add(out, "None");
        return;
    }
    const char *separator = count > 1 ? "(" : "";
    for (int a = 0; a < mesh->axis_count; a++)
        if (dims[a] == dim) {
            text_add(out, "%s'%s'", separator, names[a]);
            separator = ", ";
        }
    text_add(out, "%s", count > 1 ? ")" : "");
}

static bool find_dims(const struct numbers *tiles, const int64_t *device, int64_t count,
                      const struct partition_mesh *mesh, int *dims)
{
    int64_t stride = count, first = index_of(device, count, 0);
    for (int a = 0; a < mesh->axis_count; a++) {
        stride /= mesh->sizes[a];
        dims[a] = -1;
        if (mesh->sizes[a] == 1)
            continue;
        int64_t second = index_of(device, count, stride);
        if (first < 0 || second < 0 || (dims[a] = dim_of(tiles, first, second)) < 0)
            return false;
    }
    return true;
}

static bool print_tiles(const struct numbers *tiles, const char *at, int64_t count, int64_t *device,
                        const struct partition_mesh *mesh, struct text *out)
{
    int dims[PARTITION_SPEC_AXES];
    bool is_iota = !strncmp(at, "<=[", 3);
    at += is_iota ? 3 : 0;
    if (!(is_iota ? read_iota : read_list)(&at, count, device) ||
        !find_dims(tiles, device, count, mesh, dims))
        return false;
    int rank = tiles->count - (strstr(at, "last_tile_dim") ? 1 : 0);
    for (int d = 0; d < rank; d++) {
        text_add(out, "%s", d ? ", " : "");
        print_dim(dims, mesh, d, out);
    }
    return true;
}

bool partition_spec_print(const char *sharding, const struct partition_mesh *mesh, struct text *out)
{
    static const char prefix[] = "{devices=[";
    struct numbers tiles;
    int64_t *device;
    const char *at = sharding + sizeof prefix - 1;
    if (!strcmp(sharding, "{replicated}"))
        return true;
    if (strncmp(sharding, prefix, sizeof prefix - 1) || !read_numbers(&at, ']', &tiles))
        return false;
    int64_t count = product(&tiles);
    if (count < 1 || count != partition_mesh_devices(mesh))
        return false;
    struct error *error = alloc_array((size_t)count, sizeof *device, &device);
    bool done = !error && print_tiles(&tiles, at, count, device, mesh, out);
    if (!error)
        alloc_free(device);
    error_free(error);
    return done;
}

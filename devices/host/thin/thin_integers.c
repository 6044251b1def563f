/* thin_integers.c: see thin_integers.h. */
#include "devices/host/thin/thin_integers.h"

#include <string.h>

#include "devices/host/scratch.h"
#include "devices/host/thin/thin_integer_code.h"

enum {
    TERMS = THIN_INTEGER_TERMS,
    LEFT_BITS = 15, /* of an integer, without its sign */
    LARGEST = (1 << LEFT_BITS) - 1,
    SIGNIFICANT_BITS = 8, /* of a left side whose numbers seldom have a rest */
    LEAST_GROUP = 16,     /* terms */
    LEAST_COLUMNS = 64,
    PASSES = 4,            /* over a chunk */
    MOST_EXPONENT = 80,    /* THIN_LARGEST_NUMBER */
    LEAST_EXPONENT = -100, /* with which a unit times a sum is a normal number */
    MANTISSA_BITS = 23,
    EXPONENT_BIAS = 127,
    FIELD_BITS = 4,
    TILE_COLUMNS = 2 * THIN_INTEGER_TILE,
    MOST_COLUMNS = THIN_SUMS / THIN_INTEGER_ROWS
};

struct chunk { /* of a row of the left side */
    int64_t k;
    int row, passes;
    int64_t first; /* of them */
    float total;   /* of struct thin_integer_block */
};

struct thin_integers {
    int64_t chunks, passes, pairs, most_pairs;
    double zero_sums[THIN_INTEGER_ROWS]; /* of struct thin_part */
    struct chunk *chunk;
    struct thin_integer_pass *pass;
    struct thin_integer_pair *pair;
};

/* ---- what is supported ----------------------------------------------------------------------- */
/* Whether the high bits of each byte are the first of its columns. */
static bool is_high_first(const struct thin_packing *packing)
{
    return packing->count && packing->shift[0] == FIELD_BITS;
}

/* Whether the bytes of an element are in the order of columns. */
static bool is_order_of_bytes(const struct thin_packing *packing)
{
    for (int64_t i = 0; i < packing->count; i++)
        if (packing->shift[i] != (i ^ is_high_first(packing)) * FIELD_BITS)
            return false;
    return true;
}

static bool is_supported_right(const struct thin_dot_spec *spec)
{
    const struct thin_packing *packing = &spec->packing;
    switch (spec->dot.rhs) {
    case DTYPE_S8:
    case DTYPE_U8: return packing->count == 0;
    case DTYPE_S4:
    case DTYPE_U4:
        return packing->count == 0 ||
               (!packing->along_k && packing->inner == 1 && is_order_of_bytes(packing));
    default: return false;
    }
}

bool thin_integers_is_supported(const struct thin_dot_spec *spec)
{
    const struct dot_spec *s = &spec->dot;
    return thin_integer_code() && s->batch == 1 && s->m <= THIN_INTEGER_ROWS &&
           s->n >= LEAST_COLUMNS && s->rhs_n_stride == 1 && !spec->table && !spec->offset.dtype &&
           dtype_is_float(s->lhs) && dtype_info(s->lhs)->significand_bits <= SIGNIFICANT_BITS &&
           is_supported_right(spec) && thin_part_group_of_numbers(spec) >= LEAST_GROUP;
}

int64_t thin_integers_columns(const struct thin_dot_spec *spec)
{
    return spec->dot.m == 1 ? THIN_SUMS : MOST_COLUMNS;
}

/* ---- the left side --------------------------------------------------------------------------- */
static float power_of_two(int exponent)
{
    const uint32_t bits = (uint32_t)(exponent + EXPONENT_BIAS) << MANTISSA_BITS;
    float power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* The exponent of the largest of a chunk's numbers. */
static int largest_exponent(const float *numbers)
{
    uint32_t bits[TERMS], largest = 0;
    memcpy(bits, numbers, sizeof bits);
    for (int i = 0; i < TERMS; i++)
        bits[i] &= 0x7fffffff;
    for (int i = 0; i < TERMS; i++)
        largest = bits[i] > largest ? bits[i] : largest;
    return largest ? (int)(largest >> MANTISSA_BITS) - EXPONENT_BIAS : INT32_MIN;
}

/* Divides numbers by a unit, to nearest; what remains is their rest, which f32 has exactly. Adding
 * 1.5 * 2^23 rounds. */
static void divide(float *numbers, int exponent, int32_t *integers)
{
    static const float rounding = 0x1.8p23F;
    const float unit = power_of_two(exponent - LEFT_BITS + 1),
                inverse = power_of_two(LEFT_BITS - 1 - exponent);
    float rounded[TERMS];
    int32_t offset;
    memcpy(&offset, &rounding, sizeof offset);
    for (int i = 0; i < TERMS; i++)
        rounded[i] = numbers[i] * inverse + rounding;
    memcpy(integers, rounded, sizeof rounded);
    for (int i = 0; i < TERMS; i++)
        integers[i] -= offset;
    for (int i = 0; i < TERMS; i++)
        integers[i] = integers[i] > LARGEST    ? LARGEST
                      : integers[i] < -LARGEST ? -LARGEST
                                               : integers[i];
    for (int i = 0; i < TERMS; i++)
        numbers[i] -= (float)integers[i] * unit;
}

/* Pairs of integers that are not 0. Returns their sum. */
static int32_t add_pairs(struct thin_integers *to, const int32_t *integers)
{
    int16_t rows[TERMS + 1];
    int count = 0, total = 0;
    for (int i = 0; i < TERMS; i++) {
        rows[count] = (int16_t)i;
        count += integers[i] != 0;
        total += integers[i];
    }
    for (int i = 0; i < count; i += 2) {
        const int second = i + 1 < count ? i + 1 : i;
        to->pair[to->pairs++] = (struct thin_integer_pair){
            {rows[i], rows[second]},
            {(int16_t)integers[rows[i]], i == second ? 0 : (int16_t)integers[rows[second]]}};
    }
    return total;
}

/* Adds a pass over numbers with this largest exponent, which become their rests. */
static void add_pass(struct thin_integers *to, struct chunk *chunk, int exponent, float *numbers)
{
    struct thin_integer_pass *pass = &to->pass[to->passes++];
    int32_t integers[TERMS];
    pass->pairs = to->pair + to->pairs;
    pass->unit = power_of_two(exponent - LEFT_BITS + 1);
    divide(numbers, exponent, integers);
    pass->total = add_pairs(to, integers);
    pass->count = to->pair + to->pairs - pass->pairs;
    chunk->passes++;
    chunk->total += (float)pass->total * pass->unit;
}

/* Adds the passes of a chunk of a row; false: there would be too many. */
static bool add_chunk(struct thin_integers *to, int64_t k, int row, float *numbers)
{
    struct chunk *chunk = &to->chunk[to->chunks];
    int exponent = largest_exponent(numbers);
    if (exponent == INT32_MIN)
        return true;
    *chunk = (struct chunk){.k = k, .row = row, .first = to->passes};
    for (; exponent != INT32_MIN; exponent = largest_exponent(numbers)) {
        if (exponent > MOST_EXPONENT || exponent < LEAST_EXPONENT || chunk->passes == PASSES ||
            to->pairs + TERMS / 2 > to->most_pairs)
            return false;
        add_pass(to, chunk, exponent, numbers);
    }
    to->chunks++;
    return true;
}

/* Adds chunks of terms [k, k + count), which the part has loaded. */
static bool add_terms(struct thin_integers *to, const struct thin_part *p, int64_t k, int64_t count)
{
    const int64_t group = p->task->group;
    for (int64_t i = 0, terms; i < count; i += terms) {
        terms = thin_least(thin_least(TERMS, count - i), group - (k + i) % group);
        for (int row = 0; row < p->rows; row++) {
            float numbers[TERMS] = {0};
            memcpy(numbers, p->left + row * p->task->left_row + i, sizeof *numbers * (size_t)terms);
            if (!add_chunk(to, k + i, row, numbers))
                return false;
        }
    }
    return true;
}

/* The most terms at once: whole groups, if there are several. */
static int64_t terms_of(const struct thin_task *task)
{
    const int64_t terms = task->terms, group = task->group;
    return group < terms ? terms - terms % group : terms - terms % TERMS;
}

static bool add_all(struct thin_integers *to, struct thin_part *p)
{
    const int64_t size = p->task->dot.k, most = terms_of(p->task), group = p->task->group;
    for (int64_t k = 0, count; k < size; k += count) {
        count = thin_least(thin_least(most, size - k), group > most ? group - k % group : most);
        thin_part_load_left(p, k, count);
        if (!add_terms(to, p, k, count))
            return false;
    }
    for (int64_t row = 0; row < p->rows; row++)
        to->zero_sums[row] = p->zero_sums[row];
    return true;
}

/* Memory for as many pairs as are faster than f32: half as many again as without rests. */
static struct error *allocate(const struct thin_task *task, struct thin_integers **out)
{
    const int64_t rows = task->dot.m, most = terms_of(task),
                  group = task->group < task->dot.k ? task->group : task->dot.k,
                  chunks =
                      rows * (task->dot.k / TERMS + task->dot.k / group + task->dot.k / most + 2),
                  pairs = rows * task->dot.k * 3 / 4 + chunks + TERMS;
    void *memory;
    TRY(scratch_acquire(sizeof **out + (size_t)chunks * sizeof(struct chunk) +
                            (size_t)(chunks * PASSES) * sizeof(struct thin_integer_pass) +
                            (size_t)pairs * sizeof(struct thin_integer_pair),
                        &memory));
    struct thin_integers *made = memory;
    *made = (struct thin_integers){.most_pairs = pairs};
    made->chunk = (void *)(made + 1);
    made->pass = (void *)(made->chunk + chunks);
    made->pair = (void *)(made->pass + chunks * PASSES);
    *out = made;
    return NULL;
}

struct error *thin_integers_make(const struct thin_task *task, struct thin_integers **out)
{
    struct thin_memory memory;
    struct thin_part part;
    TRY(allocate(task, out));
    part.task = task;
    part.batch = part.column = part.row = 0;
    part.rows = task->dot.m;
    part.field = 0;
    part.left = memory.left;
    memset(part.zero_sums, 0, sizeof part.zero_sums);
    if (add_all(*out, &part))
        return NULL;
    thin_integers_free(*out);
    *out = NULL;
    return NULL;
}

void thin_integers_load_zero_sums(struct thin_part *part)
{
    memcpy(part->zero_sums, part->task->integers->zero_sums,
           sizeof part->task->integers->zero_sums);
}

void thin_integers_free(struct thin_integers *integers)
{
    scratch_return(integers);
}

/* ---- products -------------------------------------------------------------------------------- */
struct product { /* of a part */
    struct thin_part *part;
    thin_multiply_integers *multiply;
    int tile;        /* bytes, */
    int64_t columns; /* with so many of a byte */
    int64_t row, element;
    bool exceeds;
    struct thin_integer_block block;
};

/* The address of the number in row k and column c of the part. */
static const char *right_at(const struct product *p, int64_t k, int64_t c)
{
    return (const char *)p->part->task->buffers[1] + k * p->row +
           (p->part->column + c) / p->columns;
}

/* Sets the parameters of row k: scales of bf16 where they are stored, if no column is padding. */
static void set_parameters(struct product *p, int64_t k)
{
    struct thin_part *part = p->part;
    const struct thin_dot_spec *spec = part->task->spec;
    struct thin_integer_block *b = &p->block;
    const bool is_whole = part->columns / p->columns % p->tile == 0;
    if (k / part->task->group == part->group[0])
        return;
    part->group[0] = k / part->task->group;
    b->scale_bf16 = is_whole && !spec->zero.dtype && spec->scale.dtype == DTYPE_BF16
                        ? thin_part_scales(part, k)
                        : NULL;
    if (b->scale_bf16 || !(spec->zero.dtype || spec->scale.dtype))
        return;
    thin_part_load_row(part, k, 1);
    b->scale = spec->scale.dtype ? part->parameters.scale : NULL;
    b->zero = spec->zero.dtype ? part->parameters.zero : NULL;
}

/* The last columns, which are no whole tile, with zeros behind them. */
struct tail {
    char rows[TERMS][THIN_INTEGER_TILE];
    float scale[TILE_COLUMNS], zero[TILE_COLUMNS], out[TILE_COLUMNS];
};

static const float *copy_columns(const float *from, int64_t count, float *to)
{
    if (!from)
        return NULL;
    memset(to, 0, sizeof *to * TILE_COLUMNS);
    memcpy(to, from, sizeof *to * (size_t)count);
    return to;
}

/* Copies columns from `whole` on to a tail, which is then the block. */
static void copy_tail(const struct product *p, int64_t k, int64_t whole, struct tail *to,
                      struct thin_integer_block *b)
{
    const int64_t columns = p->part->columns - whole,
                  bytes = (columns + p->columns - 1) / p->columns,
                  terms = thin_least(TERMS, p->part->task->dot.k - k);
    memset(to->rows, 0, sizeof to->rows);
    for (int64_t i = 0; i < terms; i++)
        memcpy(to->rows[i], right_at(p, k + i, whole), (size_t)bytes);
    b->right = to->rows, b->right_row = THIN_INTEGER_TILE, b->bytes = p->tile, b->ahead = NULL;
    b->scale = copy_columns(b->scale ? b->scale + whole : NULL, columns, to->scale);
    b->zero = copy_columns(b->zero ? b->zero + whole : NULL, columns, to->zero);
}

/* The last columns, by way of copies. */
static void multiply_tail(const struct product *p, const struct chunk *chunk, int64_t whole)
{
    const struct thin_part *part = p->part;
    const int64_t columns = part->columns - whole;
    struct tail tail;
    struct thin_integer_block b = p->block;
    copy_tail(p, chunk->k, whole, &tail, &b);
    copy_columns(b.out + whole, columns, tail.out);
    b.out = tail.out;
    p->multiply(&b);
    memcpy(p->block.out + whole, tail.out, sizeof *tail.out * (size_t)columns);
}

/* `next`: the chunk that is used next, or NULL. */
static void multiply_chunk(struct product *p, const struct chunk *chunk, const struct chunk *next)
{
    struct thin_part *part = p->part;
    struct thin_integer_block *b = &p->block;
    const int64_t bytes = part->columns / p->columns / p->tile * p->tile;
    set_parameters(p, chunk->k);
    b->right = right_at(p, chunk->k, 0);
    b->ahead = next && next->k != chunk->k ? right_at(p, next->k, 0) : NULL;
    b->bytes = bytes;
    b->passes = part->task->integers->pass + chunk->first, b->count = chunk->passes;
    b->total = chunk->total;
    b->out = part->sums + chunk->row * part->task->sums_row;
    if (bytes)
        p->multiply(b);
    if (bytes * p->columns < part->columns)
        multiply_tail(p, chunk, bytes * p->columns);
}

/* Bits that are negated, and what that adds: all numbers but those of high bits, which are signed,
 * become unsigned. */
static void set_signs(struct product *p, bool is_signed)
{
    struct thin_integer_block *b = &p->block;
    const int last = p->columns == 1 ? 1 : 3, bits = p->columns == 1 ? 8 : 4,
              bias = 1 << (bits - 1);
    const uint32_t low = p->columns == 1 ? 0x00800080 : 0x08880888;
    b->flip = is_signed ? low : 0x80008000;
    for (int i = 0; i <= last; i++)
        b->bias[i] = i < last ? (is_signed ? bias : 0) : (is_signed ? 0 : -bias);
}

void thin_integers_multiply(struct thin_part *part)
{
    const struct thin_task *task = part->task;
    const struct thin_integers *left = task->integers;
    const struct thin_integer_code *code = thin_integer_code();
    const enum dtype dtype = task->spec->dot.rhs;
    const bool is_half = task->spec->packing.count;
    struct product p = {.part = part,
                        .multiply = is_half ? code->halves : code->bytes,
                        .tile = is_half ? code->halves_tile : code->bytes_tile,
                        .columns = is_half ? 2 : 1};
    const int64_t element = is_half ? task->spec->packing.count / 2 : 1;
    p.row = task->spec->dot.rhs_k_stride * element;
    p.block.right_row = p.row;
    p.block.high_first = is_high_first(&task->spec->packing);
    p.block.limit = THIN_LARGEST_NUMBER, p.block.exceeds = &p.exceeds;
    set_signs(&p, dtype_info(dtype)->class == CLASS_SIGNED);
    const int64_t end = left->chunks * (part->range + 1) / task->ranges;
    for (int64_t i = left->chunks * part->range / task->ranges; i < end; i++)
        multiply_chunk(&p, &left->chunk[i], i + 1 < end ? &left->chunk[i + 1] : NULL);
    if (p.exceeds)
        atomic_store_explicit(task->has_large_numbers, true, memory_order_relaxed);
}

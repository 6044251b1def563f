/* kernel_table_test.c: more rows of kernel_ops.def: what the layout passes of the TPU's compiler
 * write, matrix units, memory, DMAs, semaphores, random numbers. */
#include "devices/host/kernel_machine/kernel_rows_fixture.h"

static float to_bf16(double number, bool truncates)
{
    float f = (float)number;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    if (!truncates)
        bits += 0x7fff + (bits >> 16 & 1);
    bits &= 0xffff0000;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static double sum_of_row(const struct inputs *in, int i, int columns)
{
    double sum = 0;
    for (int j = 0; j < columns; j++)
        sum += in->n[i][j];
    return sum;
}

/* The element of `a` whose key in `n` is number j of its row. */
static double sorted_by_n(const struct inputs *in, int i, int j)
{
    for (int k = 0; k < COLUMNS; k++) {
        int before = 0;
        for (int m = 0; m < COLUMNS; m++)
            before += in->n[i][m] < in->n[i][k] || (in->n[i][m] == in->n[i][k] && m < k);
        if (before == j)
            return in->a[i][k];
    }
    return 0;
}

/* How many of the row's elements up to j, or all, are n[i][j]. */
static int equal_in_row(const struct inputs *in, int i, int j, int columns)
{
    int count = 0;
    for (int k = 0; k < columns; k++)
        count += in->n[i][k] == in->n[i][j];
    return count;
}

/* a times the transpose of b, whose operands the unit rounds to bf16. */
static double product(const struct inputs *in, int i, int j)
{
    double sum = 0;
    for (int k = 0; k < COLUMNS && j < ROWS; k++)
        sum += (double)to_bf16(in->a[i][k], false) * (double)to_bf16(in->b[j][k], false);
    return sum;
}

EXPECT(rounded, to_bf16(a, false))
EXPECT(truncated, to_bf16(a, true))
EXPECT(other_rounded, to_bf16(b, false))
EXPECT(whole, trunc(fabs(a)))
EXPECT(nearest, rint(a))
EXPECT(converted, (double)n)
EXPECT(converted_unsigned, (double)(n & 255))
EXPECT(three, 3)
EXPECT(five, 5)
EXPECT(zero, 0)
EXPECT(same, a)
EXPECT(other, b)
EXPECT(cubed, a *a *a)
EXPECT(high_bits, (double)(((int64_t)n * 1000000007) >> 32))
EXPECT(high_bits_unsigned, (double)(int32_t)(((uint64_t)(uint32_t)n * 1000000007) >> 32))
EXPECT(row_sum, sum_of_row(in, i, COLUMNS))
EXPECT(running_sum, sum_of_row(in, i, j + 1))
EXPECT(column_sum,
       (in->n[0][j] + (i > 0 ? in->n[1][j] : 0) + (i > 1 ? in->n[2][j] : 0) +
        (i > 2 ? in->n[3][j] : 0) + (i > 3 ? in->n[4][j] : 0) + (i > 4 ? in->n[5][j] : 0) +
        (i > 5 ? in->n[6][j] : 0) + (i > 6 ? in->n[7][j] : 0)))
EXPECT(occurrence, equal_in_row(in, i, j, j + 1))
EXPECT(last_occurrence, equal_in_row(in, i, j, j + 1) == equal_in_row(in, i, j, COLUMNS) ? a : b)
EXPECT(sorted, sorted_by_n(in, i, j))
EXPECT(lane_of_sublane, in->a[i][5 + i])
EXPECT(reversed_rows, in->a[7 - i][j])
EXPECT(rows_of_both, i < 4 ? in->b[i][j] : in->a[i - 4][j])
EXPECT(inside, i >= 2 && i < 6 && j >= 3 && j < 100 ? a : b)
EXPECT(masked_rows, i == 2 || i == 5 ? b : a)
EXPECT(first_row_of_b, i == 3 ? in->b[0][j] : a)
EXPECT(index_of_lane, j)
EXPECT(product_of_rows, product(in, i, j))
EXPECT(twice_product_of_rows, 2 * product(in, i, j))
EXPECT(gathered_rows, in->a[(3 * i) % ROWS][j])
EXPECT(scattered_rows, in->a[(3 * i) % ROWS][j]) /* 3 is its own inverse modulo 8 */
EXPECT(filtered_rows, i == 0 ? b : in->a[(3 * i) % ROWS][j])
EXPECT(looked_up, in->a[i][(j * 5) % COLUMNS])

#define I32(name, number)                                                                          \
    name " = " WITH("arith.constant", "", "value = " number " : i32", "() -> i32")
#define INDEX(name, number)                                                                        \
    name " = " WITH("arith.constant", "", "value = " number " : index", "() -> index")
#define SPLAT(name, number, type)                                                                  \
    name " = " WITH("arith.constant", "", "value = dense<" number "> : " type, "() -> " type)
#define BROADCAST(name, from) name " = " OP("vector.broadcast", from, "(i32) -> " N)
#define SCRATCH(name, type)                                                                        \
    name " = " WITH("memref.alloca", "", "operandSegmentSizes = array<i32: 0, 0>", "() -> " type)
#define STORE(value, to, types)                                                                    \
    OP("vector.store", value ", " to ", %c, %c", "(" types ", index, index) -> ()")
#define ROUNDED "rounding_mode = #tpu.rounding_mode<"
#define HALF "vector<8x128xbf16>"
#define SMEM "memref<2x4xi32, #tpu.memory_space<smem>>"
#define SEM "memref<!tpu.semaphore, #tpu.memory_space<semaphore_mem>>"
#define DMA_SEM "memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>"
#define HBM "memref<8x128xf32, #tpu.memory_space<hbm>>"
#define DMA_SEMAPHORE "%s = " OP("tpu.sem_alloc", "", "() -> " DMA_SEM)
#define START_DMA(from, to)                                                                        \
    WITH("tpu.enqueue_dma", from ", " to ", %s",                                                   \
         "operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0, 0>, priority = 0 : i32",              \
         "(" REF("f32") ", " REF("f32") ", " DMA_SEM ") -> ()")
#define WAIT_DMA(from, to)                                                                         \
    WITH("tpu.wait_dma", from ", " to ", %s",                                                      \
         "operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0, 0>, wait_target = true",              \
         "(" REF("f32") ", " REF("f32") ", " DMA_SEM ") -> ()")
/* A region without results. */
#define REGION(body)                                                                               \
    "\"stable_mosaic.tpu.region\"() ({\n" body OP("tpu.yield", "", "() -> ()") "}) : () -> ()\n"
/* The product of %a and the transpose of %b as %p, with zeros in the columns behind. */
#define WIDEN                                                                                      \
    SPLAT("%zeros", "0.0", "vector<8x120xf32>")                                                    \
    "%r = " WITH("tpu.concatenate", "%p, %zeros", "dimension = 1 : i32",                           \
                 "(vector<8x8xf32>, vector<8x120xf32>) -> " F)
/* Offsets 0, 3, 6, 1 ... in %offsets. */
#define OFFSETS                                                                                    \
    "%offsets = " WITH("arith.constant", "",                                                       \
                       "value = dense<[0, 3, 6, 1, 4, 7, 2, 5]> : vector<8xi32>",                  \
                       "() -> vector<8xi32>")

static const struct row rows[] = {
    {"arith.extf",
     "%h = " OP("arith.truncf", "%a", "(" F ") -> " HALF) //
     "%r = " OP("arith.extf", "%h", "(" HALF ") -> " F),
     rounded},
    {"tpu.extf, tpu.truncf",
     "%h = " WITH("tpu.truncf", "%a", ROUNDED "towards_zero>", "(" F ") -> " HALF) //
     "%r = " OP("tpu.extf", "%h", "(" HALF ") -> " F),
     truncated},
    {"arith.fptoui",
     "%p = " OP("math.absf", "%a", "(" F ") -> " F) //
     "%q = " OP("arith.fptoui", "%p", "(" F ") -> " N) TO_REAL,
     whole},
    {"tpu.fptosi",
     "%q = " WITH("tpu.fptosi", "%a", ROUNDED "to_nearest_even>", "(" F ") -> " N) TO_REAL,
     nearest},
    {"tpu.fptoui",
     "%p = " OP("math.absf", "%a", "(" F ") -> " F) //
     "%q = " WITH("tpu.fptoui", "%p", ROUNDED "towards_zero>", "(" F ") -> " N) TO_REAL,
     whole},
    {"tpu.sitofp", "%r = " WITH("tpu.sitofp", "%n", ROUNDED "to_nearest_even>", "(" N ") -> " F),
     converted},
    {"tpu.uitofp",
     SPLAT("%mask", "255", N) "%q = " OP("arith.andi", "%n, %mask", "(" N ", " N ") -> " N) //
     "%r = " WITH("tpu.uitofp", "%q", ROUNDED "to_nearest_even>", "(" N ") -> " F),
     converted_unsigned},
    {"arith.index_castui",
     I32("%k", "3") "%x = " OP("arith.index_castui", "%k", "(i32) -> index") //
     "%e = " OP("arith.index_castui", "%x", "(index) -> i32") BROADCAST("%q", "%e") TO_REAL,
     three},
    {"arith.mulsi_extended",
     SPLAT("%m", "1000000007", N) //
     "%low, %q = " OP("arith.mulsi_extended", "%n, %m", "(" N ", " N ") -> (" N ", " N ")") TO_REAL,
     high_bits},
    {"arith.mului_extended",
     SPLAT("%m", "1000000007", N) //
     "%low, %q = " OP("arith.mului_extended", "%n, %m", "(" N ", " N ") -> (" N ", " N ")") TO_REAL,
     high_bits_unsigned},
    {"tpu.reduce_precision",
     "%r = " WITH("tpu.reduce_precision", "%a", "exponent_bits = 8 : i32, mantissa_bits = 7 : i32",
                  "(" F ") -> " F),
     rounded},
    {"math.fpowi", "%r = " OP("math.fpowi", "%a, %three", "(" F ", " N ") -> " F), cubed},
    {"tpu.stochastic_convert",
     SPLAT("%bits", "0", N)                                                       //
     "%h = " OP("tpu.stochastic_convert", "%a, %bits", "(" F ", " N ") -> " HALF) //
     "%r = " OP("arith.extf", "%h", "(" HALF ") -> " F),
     truncated},
    {"tpu.stochastic_convert_elementwise",
     SPLAT("%bits", "0", N) SPLAT("%half", "16", N) //
     "%w = " WITH("tpu.stochastic_convert_elementwise", "%a, %bits", "dst_type = bf16",
                  "(" F ", " N ") -> " N)                          //
     "%s = " OP("arith.shli", "%w, %half", "(" N ", " N ") -> " N) //
     "%r = " OP("arith.bitcast", "%s", "(" N ") -> " F),
     truncated},
    {"tpu.prng_set_seed_32, tpu.prng_random_bits",
     I32("%seed", "7") OP("tpu.prng_set_seed_32", "%seed", "(i32) -> ()") //
     "%x = " OP("tpu.prng_random_bits", "", "() -> " N)                   //
     OP("tpu.prng_set_seed_32", "%seed", "(i32) -> ()")                   //
     "%y = " OP("tpu.prng_random_bits", "", "() -> " N)                   //
     "%q = " OP("arith.subi", "%x, %y", "(" N ", " N ") -> " N) TO_REAL,
     zero},
    /* ---- vectors ---- */
    {"tpu.bitcast_vreg",
     "%q = " OP("tpu.bitcast_vreg", "%a", "(" F ") -> " N) //
     "%r = " OP("tpu.bitcast_vreg", "%q", "(" N ") -> " F),
     same},
    {"tpu.relayout, tpu.reshape",
     "%p = " OP("tpu.relayout", "%a", "(" F ") -> " F)                 //
     "%q = " OP("tpu.reshape", "%p", "(" F ") -> vector<4x2x128xf32>") //
     "%r = " OP("tpu.reshape", "%q", "(vector<4x2x128xf32>) -> " F),
     same},
    {"tpu.broadcast_in_sublanes",
     "%r = " WITH("tpu.broadcast_in_sublanes", "%a", "lane = 5 : i32", "(" F ") -> " F),
     lane_of_sublane},
    {"tpu.gather",
     "%r = " WITH("tpu.gather", "%a",
                  "dimension = 0 : i32, indices = array<i32: 7, 6, 5, 4, 3, 2, 1, 0>",
                  "(" F ") -> " F),
     reversed_rows},
    {"tpu.sublane_shuffle",
     "%r = " WITH("tpu.sublane_shuffle", "%a, %b", "pattern = array<i32: 8, 9, 10, 11, 0, 1, 2, 3>",
                  "(" F ", " F ") -> " F),
     rows_of_both},
    {"tpu.create_mask, tpu.mask_cast",
     INDEX("%t", "2") INDEX("%l", "3") INDEX("%d", "6") INDEX("%w", "100") //
     "%m = " OP("tpu.create_mask", "%t, %l, %d, %w",
                "(index, index, index, index) -> vector<8x128xi1>")                //
     "%k = " OP("tpu.mask_cast", "%m", "(vector<8x128xi1>) -> vector<8x128x1xi1>") //
     "%s = " OP("tpu.mask_cast", "%k", "(vector<8x128x1xi1>) -> vector<8x128xi1>") //
     "%r = " OP("arith.select", "%s, %a, %b", "(vector<8x128xi1>, " F ", " F ") -> " F),
     inside},
    {"tpu.pack_subelements, tpu.unpack_subelements",
     "%p = " WITH("tpu.pack_subelements", "%a, %b",
                  "pack_format = #tpu.pack_format<interleaved>, positions = array<i32: 0, 1>",
                  "(" F ", " F ") -> vector<16x128xbf16>") //
     "%r = " WITH("tpu.unpack_subelements", "%p",
                  "index = 1 : i32, pack_format = #tpu.pack_format<interleaved>",
                  "(vector<16x128xbf16>) -> " F),
     other_rounded},
    {"vector.insert",
     "%k = " WITH("vector.extract", "%b", "static_position = array<i64: 0>",
                  "(" F ") -> vector<128xf32>") //
     "%r = " WITH("vector.insert", "%k, %a", "static_position = array<i64: 3>",
                  "(vector<128xf32>, " F ") -> " F),
     first_row_of_b},
    {"vector.step",
     "%s = " OP("vector.step", "", "() -> vector<128xindex>")                       //
     "%i = " OP("arith.index_cast", "%s", "(vector<128xindex>) -> vector<128xi32>") //
     "%q = " OP("vector.broadcast", "%i", "(vector<128xi32>) -> " N) TO_REAL,
     index_of_lane},
    /* ---- reductions ---- */
    {"tpu.all_reduce",
     "%q = " WITH("tpu.all_reduce", "%n", "dim = 1 : i64, kind = #tpu.reduction_kind<sum>",
                  "(" N ") -> " N) TO_REAL,
     row_sum},
    {"vector.reduction",
     "%k = " OP("vector.shape_cast", "%three", "(" N ") -> vector<1024xi32>") //
     "%s = " WITH("vector.reduction", "%k", "kind = #vector.kind<maxsi>",
                  "(vector<1024xi32>) -> i32") BROADCAST("%q", "%s") TO_REAL,
     three},
    {"tpu.scan",
     "%q = " WITH("tpu.scan", "%n", "dimension = 1 : i32, kind = #tpu.reduction_kind<sum>",
                  "(" N ") -> " N) TO_REAL,
     running_sum},
    {"tpu.scan along rows",
     "%q = " WITH("tpu.scan", "%n", "dimension = 0 : i32, kind = #tpu.reduction_kind<sum>",
                  "(" N ") -> " N) TO_REAL,
     column_sum},
    {"tpu.scan_count",
     SPLAT("%all", "true", "vector<8x128xi1>") //
     "%last, %q = " OP("tpu.scan_count", "%all, %n",
                       "(vector<8x128xi1>, " N ") -> (vector<8x128xi1>, " N ")") TO_REAL,
     occurrence},
    {"tpu.scan_count's mask",
     SPLAT("%all", "true", "vector<8x128xi1>") //
     "%last, %q = " OP("tpu.scan_count", "%all, %n",
                       "(vector<8x128xi1>, " N ") -> (vector<8x128xi1>, " N ")") //
     "%r = " OP("arith.select", "%last, %a, %b", "(vector<8x128xi1>, " F ", " F ") -> " F),
     last_occurrence},
    {"tpu.sort",
     "%m, %k, %r = " WITH("tpu.sort", "%n, %a", "descending = false",
                          "(" N ", " F ") -> (vector<8x128xi1>, " N ", " F ")"),
     sorted},
    /* ---- matrices ---- */
    {"vector.contract",
     SPLAT("%none", "0.0", "vector<8x8xf32>") //
     "%p = " WITH("vector.contract", "%a, %b, %none",
                  "indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, "
                  "affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], "
                  "iterator_types = [#vector.iterator_type<parallel>, "
                  "#vector.iterator_type<parallel>, #vector.iterator_type<reduction>], "
                  "kind = #vector.kind<add>",
                  "(" F ", " F ", vector<8x8xf32>) -> vector<8x8xf32>") WIDEN,
     product_of_rows},
    {"tpu.matmul_push_rhs, tpu.matmul_acc_lhs, tpu.matmul_pop",
     WITH("tpu.matmul_push_rhs", "%b",
          "mxu_index = 1 : i32, staging_register = 1 : i32, transpose = true", "(" F ") -> ()") //
     WITH("tpu.matmul_acc_lhs", "%a",
          "acc = 16 : i32, mxu_index = 1 : i32, load_staged_rhs = 1 : i32", "(" F ") -> ()")  //
     WITH("tpu.matmul_acc_lhs", "%a", "acc = 16 : i32, mxu_index = 1 : i32", "(" F ") -> ()") //
     "%p = " WITH("tpu.matmul_pop", "", "acc = 16 : i32, mxu_index = 1 : i32",
                  "() -> vector<8x8xf32>") WIDEN,
     twice_product_of_rows},
    {"tpu.matmul_lhs_fifo, tpu.matmul_pop_fifo",
     WITH("tpu.matmul_push_rhs", "%b",
          "mxu_index = 0 : i32, staging_register = 0 : i32, transpose = true", "(" F ") -> ()") //
     WITH("tpu.matmul_lhs_fifo", "%a", "mxu_index = 0 : i32, load_staged_rhs = 0 : i32",
          "(" F ") -> ()")                                                                   //
     WITH("tpu.matmul_lhs_fifo", "%b", "mxu_index = 0 : i32", "(" F ") -> ()")               //
     "%p = " WITH("tpu.matmul_pop_fifo", "", "mxu_index = 0 : i32", "() -> vector<8x8xf32>") //
     "%s = " WITH("tpu.matmul_pop_fifo", "", "mxu_index = 0 : i32", "() -> vector<8x8xf32>") WIDEN,
     product_of_rows},
    /* ---- memory ---- */
    {"memref.cast, tpu.assume_layout, tpu.erase_memref_layout, memref.memory_space_cast, "
     "tpu.annotate",
     "%p = " OP("memref.cast", "%pa", "(" REF("f32") ") -> " REF("f32"))                      //
     "%q = " OP("tpu.assume_layout", "%p", "(" REF("f32") ") -> " REF("f32"))                 //
     "%s = " OP("tpu.erase_memref_layout", "%q", "(" REF("f32") ") -> " REF("f32"))           //
     "%t = " OP("memref.memory_space_cast", "%s", "(" REF("f32") ") -> " REF("f32"))          //
     "%u = " WITH("tpu.annotate", "%t", "no_store = true", "(" REF("f32") ") -> " REF("f32")) //
     LOAD("%r", "%u", "f32"),
     same},
    {"tpu.memref_memory_space_is",
     "%k = " WITH("tpu.memref_memory_space_is", "%pa", "memory_space = #tpu.memory_space<vmem>",
                  "(" REF("f32") ") -> i1") //
     "%l = " WITH("tpu.memref_memory_space_is", "%pa", "memory_space = #tpu.memory_space<hbm>",
                  "(" REF("f32") ") -> i1")                               //
     "%s = " OP("arith.select", "%k, %a, %b", "(i1, " F ", " F ") -> " F) //
     "%r = " OP("arith.select", "%l, %b, %s", "(i1, " F ", " F ") -> " F),
     same},
    {"tpu.memref_reshape",
     "%p = " OP("tpu.memref_reshape", "%pa",
                "(" REF("f32") ") -> memref<4x2x128xf32, #tpu.memory_space<vmem>>") //
     "%v = " OP("vector.load", "%p, %c, %c, %c",
                "(memref<4x2x128xf32, #tpu.memory_space<vmem>>, index, index, index) -> "
                "vector<4x2x128xf32>") //
     "%r = " OP("vector.shape_cast", "%v", "(vector<4x2x128xf32>) -> " F),
     same},
    {"tpu.reinterpret_cast",
     "%p = " WITH("tpu.reinterpret_cast", "%pa", "operandSegmentSizes = array<i32: 1, 0, 0, 0>",
                  "(" REF("f32") ") -> memref<2x4x128xf32, #tpu.memory_space<vmem>>") //
     "%v = " OP("vector.load", "%p, %c, %c, %c",
                "(memref<2x4x128xf32, #tpu.memory_space<vmem>>, index, index, index) -> "
                "vector<2x4x128xf32>") //
     "%r = " OP("vector.shape_cast", "%v", "(vector<2x4x128xf32>) -> " F),
     same},
    {"tpu.load, tpu.store",
     "%v = " WITH("tpu.load", "%pa, %c, %c",
                  "sublane_mask = array<i1: true, true, true, true, true, true, true, true>, "
                  "sublane_stride = 1 : i32",
                  "(" REF("f32") ", index, index) -> " F)           //
     SCRATCH("%m", REF("f32")) STORE("%b", "%m", F ", " REF("f32")) //
     WITH("tpu.store", "%v, %m, %c, %c",
          "sublane_mask = array<i1: true, true, false, true, true, false, true, true>, "
          "sublane_stride = 1 : i32, operandSegmentSizes = array<i32: 1, 1, 2, 0>",
          "(" F ", " REF("f32") ", index, index) -> ()") LOAD("%r", "%m", "f32"),
     masked_rows},
    {"tpu.shuffled_load, tpu.shuffled_store",
     "%v = " WITH("tpu.shuffled_load", "%pa, %c, %c",
                  "sublane_mask = array<i1: true, true, true, true, true, true, true, true>, "
                  "sublane_offsets = array<i32: 7, 6, 5, 4, 3, 2, 1, 0>",
                  "(" REF("f32") ", index, index) -> " F) //
     SCRATCH("%m", REF("f32"))                            //
     WITH("tpu.shuffled_store", "%v, %m, %c, %c",
          "sublane_mask = array<i1: true, true, true, true, true, true, true, true>, "
          "sublane_offsets = array<i32: 0, 1, 2, 3, 4, 5, 6, 7>",
          "(" F ", " REF("f32") ", index, index) -> ()") LOAD("%r", "%m", "f32"),
     reversed_rows},
    {"tpu.vector_load",
     "%r = " WITH("tpu.vector_load", "%pa, %c, %c",
                  "operandSegmentSizes = array<i32: 1, 2, 0>, strides = array<i32>",
                  "(" REF("f32") ", index, index) -> " F),
     same},
    {"tpu.vector_load_idx, tpu.vector_store_idx",
     "%i = " WITH("tpu.iota", "", "dimensions = array<i32: 0>", "() -> " N) //
     "%l = " WITH("tpu.iota", "", "dimensions = array<i32: 1>", "() -> " N) //
     SPLAT("%five", "5", N) SPLAT("%last", "127", N)                        //
     "%k = " OP("arith.muli", "%l, %five", "(" N ", " N ") -> " N)          //
     "%at = " OP("arith.andi", "%k, %last", "(" N ", " N ") -> " N)         //
     "%v = " WITH("tpu.vector_load_idx", "%pa, %i, %at",
                  "operandSegmentSizes = array<i32: 1, 2, 0>",
                  "(" REF("f32") ", " N ", " N ") -> " F) //
     SCRATCH("%m", REF("f32"))                            //
     WITH("tpu.vector_store_idx", "%v, %m, %i, %l",
          "operandSegmentSizes = array<i32: 1, 1, 2, 0>, add = false",
          "(" F ", " REF("f32") ", " N ", " N ") -> ()") LOAD("%r", "%m", "f32"),
     looked_up},
    /* ---- DMAs and semaphores ---- */
    {"tpu.sem_alloc, tpu.sem_signal, tpu.sem_read, tpu.sem_wait",
     "%q = \"stable_mosaic.tpu.region\"() ({\n"
     "%s = " OP("tpu.sem_alloc", "", "() -> " SEM) I32("%five", "5") //
     WITH("tpu.sem_signal", "%s, %five", "operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>",
          "(" SEM ", i32) -> ()")                                                  //
     "%k = " OP("tpu.sem_read", "%s", "(" SEM ") -> i32")                          //
     OP("tpu.sem_wait", "%s, %five", "(" SEM ", i32) -> ()") BROADCAST("%w", "%k") //
     OP("tpu.yield", "%w", "(" N ") -> ()") "}) : () -> " N "\n" TO_REAL,
     five},
    {"tpu.wait_dma",
     SCRATCH("%m", REF("f32")) "%s = " OP("tpu.sem_alloc", "", "() -> " DMA_SEM) //
     WITH("tpu.enqueue_dma", "%pa, %m, %s",
          "operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0, 0>, priority = 0 : i32",
          "(" REF("f32") ", " REF("f32") ", " DMA_SEM ") -> ()") //
     WITH("tpu.wait_dma", "%pa, %m, %s",
          "operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0, 0>, wait_target = true",
          "(" REF("f32") ", " REF("f32") ", " DMA_SEM ") -> ()") LOAD("%r", "%m", "f32"),
     same},
    {"tpu.wait_dma in the region of the target, in turn",
     DMA_SEMAPHORE SCRATCH("%h", REF("f32"))
         REGION(SCRATCH("%m", REF("f32")) START_DMA("%pa", "%m") WAIT_DMA("%pa", "%m")
                    START_DMA("%m", "%h") WAIT_DMA("%m", "%h")) LOAD("%r", "%h", "f32"),
     same},
    {"tpu.enqueue_indirect_dma that gathers",
     SCRATCH("%h", HBM) SCRATCH("%m", REF("f32"))                                            //
     "%s = " OP("tpu.sem_alloc", "", "() -> " DMA_SEM) OFFSETS STORE("%a", "%h", F ", " HBM) //
     OP("tpu.enqueue_indirect_dma", "%h, %m, %offsets, %s",
        "(" HBM ", " REF("f32") ", vector<8xi32>, " DMA_SEM ") -> ()") //
     OP("tpu.wait_indirect_dma", "%s, %h, %m", "(" DMA_SEM ", " HBM ", " REF("f32") ") -> ()")
         LOAD("%r", "%m", "f32"),
     gathered_rows},
    {"tpu.enqueue_indirect_dma that scatters",
     SCRATCH("%h", HBM) "%s = " OP("tpu.sem_alloc", "", "() -> " DMA_SEM) OFFSETS //
         OP("tpu.enqueue_indirect_dma", "%pa, %h, %offsets, %s",
            "(" REF("f32") ", " HBM ", vector<8xi32>, " DMA_SEM ") -> ()") //
     OP("tpu.wait_indirect_dma", "%s, %pa, %h",
        "(" DMA_SEM ", " REF("f32") ", " HBM ") -> ()") //
     "%r = " OP("vector.load", "%h, %c, %c", "(" HBM ", index, index) -> " F),
     scattered_rows},
    {"tpu.enqueue_indirect_dma with a filter",
     SCRATCH("%h", HBM) SCRATCH("%m", REF("f32")) I32("%none", "0")                          //
     "%s = " OP("tpu.sem_alloc", "", "() -> " DMA_SEM) OFFSETS STORE("%a", "%h", F ", " HBM) //
     STORE("%b", "%m", F ", " REF("f32"))                                                    //
     OP("tpu.enqueue_indirect_dma", "%h, %m, %offsets, %s, %none",
        "(" HBM ", " REF("f32") ", vector<8xi32>, " DMA_SEM ", i32) -> ()") //
     OP("tpu.wait_indirect_dma", "%s, %h, %m", "(" DMA_SEM ", " HBM ", " REF("f32") ") -> ()")
         LOAD("%r", "%m", "f32"),
     filtered_rows},
    {"tpu.fetch_and_add_sync",
     SCRATCH("%m", SMEM) I32("%zero", "0") I32("%one", "1") I32("%two", "2") I32("%five", "5") //
     INDEX("%x", "1") INDEX("%y", "2")                                                         //
     OP("memref.store", "%two, %m, %x, %y", "(i32, " SMEM ", index, index) -> ()")             //
     "%old = " OP("tpu.fetch_and_add_sync", "%m, %one, %two, %five, %zero",
                  "(" SMEM ", i32, i32, i32, i32) -> i32")                        //
     "%new = " OP("memref.load", "%m, %x, %y", "(" SMEM ", index, index) -> i32") //
     "%d = " OP("arith.subi", "%new, %old", "(i32, i32) -> i32") BROADCAST("%q", "%d") TO_REAL,
     five},
    {"tpu.barrier, tpu.delay, tpu.core_id, tpu.subcore_id",
     OP("tpu.barrier", "%c", "(index) -> ()") I32("%few", "10")                        //
     OP("tpu.delay", "%few", "(i32) -> ()") "%k = " OP("tpu.core_id", "", "() -> i32") //
     "%s = " OP("tpu.subcore_id", "", "() -> i32")                                     //
     "%d = " OP("arith.addi", "%k, %s", "(i32, i32) -> i32") BROADCAST("%q", "%d") TO_REAL,
     zero},
    /* ---- control and marks ---- */
    {"cf.assert, tpu.trace, tpu.trace_value, tpu.log, tpu.log_buffer",
     "%yes = " WITH("arith.constant", "", "value = true", "() -> i1") I32("%k", "5") //
     WITH("cf.assert", "%yes", "msg = \"never\"", "(i1) -> ()")                      //
     WITH("tpu.trace_value", "%k", "label = \"five\"", "(i32) -> ()")                //
     WITH("tpu.log", "%k", "tag = \"five\", formatted = false", "(i32) -> ()")       //
     WITH("tpu.log_buffer", "%pa", "tag = \"a\", shape = array<i64: 8, 128>",
          "(" REF("f32") ") -> ()")            //
     "%r = \"stable_mosaic.tpu.trace\"() ({\n" //
     OP("tpu.yield", "%b", "(" F ") -> ()") "}) {message = \"part\", level = 1 : i32} : () -> " F
                                            "\n",
     other},
};

Test(kernel_table, gives_its_results)
{
    expect_rows(rows, sizeof rows / sizeof *rows);
}

struct fault {
    const char *body, *message;
};

/* Faults that every execution reports, or the checker. */
Test(kernel_table, names_faults)
{
    static const struct fault faults[] = {
        {"%no = " WITH("arith.constant", "", "value = false", "() -> i1") //
         WITH("cf.assert", "%no", "msg = \"a must be even\"", "(i1) -> ()") UNARY("arith.negf"),
         "the assertion failed: a must be even"},
        {WITH("tpu.matmul_push_rhs", "%b", "mxu_index = 0 : i32, staging_register = 0 : i32",
              "(" F ") -> ()") UNARY("arith.negf"),
         "at its end matrix unit 0 of device 0 core 0 still holds data of tpu.matmul_push_rhs"},
        {WITH("tpu.matmul_push_rhs", "%b", "mxu_index = 0 : i32, staging_register = 0 : i32",
              "(" F ") -> ()") //
         WITH("tpu.matmul_push_rhs", "%b", "mxu_index = 0 : i32, staging_register = 0 : i32",
              "(" F ") -> ()") UNARY("arith.negf"),
         "still has the operand of tpu.matmul_push_rhs"},
        {WITH("tpu.matmul_lhs_fifo", "%b", "mxu_index = 0 : i32", "(" F ") -> ()")
             UNARY("arith.negf"),
         "matrix unit 0 has no right side"},
        {"%p = " WITH("tpu.matmul_pop_fifo", "", "mxu_index = 0 : i32", "() -> vector<8x128xf32>")
             UNARY("arith.negf"),
         "Cannot schedule FIFO pop instruction when the FIFO is empty"},
        {SCRATCH("%h", HBM) SCRATCH("%m", REF("f32"))                          //
         "%s = " OP("tpu.sem_alloc", "", "() -> " DMA_SEM)                     //
         SPLAT("%offsets", "8", "vector<8xi32>") STORE("%a", "%h", F ", " HBM) //
         OP("tpu.enqueue_indirect_dma", "%h, %m, %offsets, %s",
            "(" HBM ", " REF("f32") ", vector<8xi32>, " DMA_SEM ") -> ()") UNARY("arith.negf"),
         "out of bounds: offset 0 is 8 of 8 rows"},
        {SCRATCH("%h", HBM) SCRATCH("%m", REF("f32"))                                            //
         "%s = " OP("tpu.sem_alloc", "", "() -> " DMA_SEM) OFFSETS STORE("%a", "%h", F ", " HBM) //
         OP("tpu.enqueue_indirect_dma", "%h, %m, %offsets, %s",
            "(" HBM ", " REF("f32") ", vector<8xi32>, " DMA_SEM ") -> ()") LOAD("%r", "%m", "f32"),
         "race: a read of alloca 1 (vmem) of device 0 while the DMA started by "
         "tpu.enqueue_indirect_dma"},
        {DMA_SEMAPHORE REGION(SCRATCH("%m", REF("f32")) START_DMA("%pa", "%m")) UNARY("arith.negf"),
         "race: the region of alloca 1 (vmem) of device 0 ends while the "
         "DMA started by tpu.enqueue_dma at"},
        {DMA_SEMAPHORE SCRATCH("%h", REF("f32")) REGION(SCRATCH("%m", REF("f32")) STORE(
             "%a", "%m", F ", " REF("f32")) START_DMA("%m", "%h")) UNARY("arith.negf"),
         "race: the region of alloca 2 (vmem) of device 0 ends while the "
         "DMA started by tpu.enqueue_dma at"},
        {SCRATCH("%m", REF("f32"))                                              //
         "%i = " WITH("tpu.iota", "", "dimensions = array<i32: 0>", "() -> " N) //
         "%l = " WITH("tpu.iota", "", "dimensions = array<i32: 1>", "() -> " N) //
         "%v = " WITH("tpu.vector_load_idx", "%m, %i, %l",
                      "operandSegmentSizes = array<i32: 1, 2, 0>",
                      "(" REF("f32") ", " N ", " N ") -> " F) //
         "%r = " OP("arith.negf", "%v", "(" F ") -> " F),
         "depends on an uninitialized (uninitialised) read: tpu.vector_load_idx"},
    };
    struct inputs *in = calloc(1, sizeof *in);
    static float out[COUNT];
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct job job = {0};
        cr_assert_null(arena_create(&job.arena));
        job.text = arena_format(job.arena, "%s%s%s", START, faults[i].body, STOP);
        struct error *error = run(&job, in, out);
        cr_assert(error, "%s", faults[i].message);
        cr_expect(strstr(error_message(error, NULL), faults[i].message), "%s",
                  error_message(error, NULL));
        error_free(error);
        arena_destroy(job.arena);
    }
    free(in);
}

Test(kernel_table, misses_outputs_that_are_never_written)
{
    struct inputs *in = calloc(1, sizeof *in);
    static float out[COUNT];
    struct job job = {0};
    cr_assert_null(arena_create(&job.arena));
    job.text =
        arena_format(job.arena, "%s%s", START,
                     OP("func.return", "", "() -> ()") "}) {sym_name = \"rows\"} : () -> ()\n}\n");
    struct error *error = run(&job, in, out);
    cr_assert(error);
    cr_expect(
        strstr(error_message(error, NULL), "kernel 'rows': output 0 of device 0 is never written"),
        "%s", error_message(error, NULL));
    error_free(error);
    arena_destroy(job.arena);
    free(in);
}

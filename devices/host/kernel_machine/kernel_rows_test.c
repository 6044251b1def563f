/* kernel_rows_test.c: operations of kernel_ops.def that no kernel of kernel_machine_test.c has:
 * kernels of a few lines of text, whose results an expression of C gives. */
#include "devices/host/kernel_machine/kernel_rows_fixture.h"

EXPECT(negf, -a)
EXPECT(remf, fmod(a, b))
EXPECT(maxnumf, fmax(a, b))
EXPECT(minnumf, fmin(a, b))
EXPECT(floordivsi, floor(n / 3.0))
EXPECT(ceildivsi, ceil(n / 3.0))
EXPECT(ceildivui, (double)(int32_t)(((uint64_t)(uint32_t)n + 2) / 3))
EXPECT(maxui, n < 0 || n > 3 ? n : 3)
EXPECT(minui, n < 0 || n > 3 ? 3 : n)
EXPECT(uitofp, (double)(uint32_t)n)
EXPECT(bits, a)
EXPECT(trunci, (int8_t)(n * 3))
EXPECT(atan_of, atan(a))
EXPECT(cbrt_of, cbrt(a))
EXPECT(copysign_of, copysign(a, b))
EXPECT(expm1_of, expm1(a))
EXPECT(fma_of, a *b + a)
EXPECT(log2_of, log2(fabs(a)))
EXPECT(round_of, round(a))
EXPECT(tan_of, tan(a / 2))
EXPECT(trunc_of, trunc(a))
EXPECT(cttz_of, n ? __builtin_ctz((unsigned)n) : 32)
EXPECT(reciprocal, 1 / a)
EXPECT(logistic, 1 / (1 + exp(-a)))
EXPECT(rotated, in->a[i][(j + COLUMNS - 3) % COLUMNS])
EXPECT(inserted, i >= 4 ? in->a[i - 4][j] : b)
EXPECT(there_and_back, a)
EXPECT(repeated, in->a[i][j % 64])
EXPECT(masked, i < 5 && j < 100 ? a : b)
EXPECT(stepped, a)
EXPECT(switched, b)
EXPECT(through_memory, a)
EXPECT(every_other_row, i % 2 ? b : in->a[i / 2][j])
EXPECT(scalar_memory, a * 3)
EXPECT(size_of_row, 128)

static const struct row rows[] = {
    {"arith.negf", UNARY("arith.negf"), negf},
    {"arith.remf", BINARY("arith.remf"), remf},
    {"arith.maxnumf", BINARY("arith.maxnumf"), maxnumf},
    {"arith.minnumf", BINARY("arith.minnumf"), minnumf},
    {"arith.floordivsi", INTEGERS("arith.floordivsi"), floordivsi},
    {"arith.ceildivsi", INTEGERS("arith.ceildivsi"), ceildivsi},
    {"arith.ceildivui", INTEGERS("arith.ceildivui"), ceildivui},
    {"arith.maxui", INTEGERS("arith.maxui"), maxui},
    {"arith.minui", INTEGERS("arith.minui"), minui},
    {"arith.uitofp", "%r = " OP("arith.uitofp", "%n", "(" N ") -> " F), uitofp},
    {"arith.bitcast",
     "%q = " OP("arith.bitcast", "%a", "(" F ") -> " N) //
     "%r = " OP("arith.bitcast", "%q", "(" N ") -> " F),
     bits},
    {"vector.bitcast",
     "%q = " OP("vector.bitcast", "%a", "(" F ") -> " N) //
     "%r = " OP("vector.bitcast", "%q", "(" N ") -> " F),
     bits},
    {"arith.trunci",
     "%p = " OP("arith.muli", "%n, %three", "(" N ", " N ") -> " N)  //
     "%s = " OP("arith.trunci", "%p", "(" N ") -> vector<8x128xi8>") //
     "%q = " OP("arith.extsi", "%s", "(vector<8x128xi8>) -> " N) TO_REAL,
     trunci},
    {"math.atan", UNARY("math.atan"), atan_of},
    {"math.cbrt", UNARY("math.cbrt"), cbrt_of},
    {"math.copysign", BINARY("math.copysign"), copysign_of},
    {"math.expm1", UNARY("math.expm1"), expm1_of},
    {"math.fma", "%r = " OP("math.fma", "%a, %b, %a", "(" F ", " F ", " F ") -> " F), fma_of},
    {"math.log2",
     "%p = " OP("math.absf", "%a", "(" F ") -> " F) "%r = " OP("math.log2", "%p", "(" F ") -> " F),
     log2_of},
    {"math.round", UNARY("math.round"), round_of},
    {"math.tan",
     "%h = " WITH("arith.constant", "", "value = dense<0.5> : " F, "() -> " F) //
     "%p = " OP("arith.mulf", "%a, %h", "(" F ", " F ") -> " F)                //
     "%r = " OP("math.tan", "%p", "(" F ") -> " F),
     tan_of},
    {"math.trunc", UNARY("math.trunc"), trunc_of},
    {"math.cttz", "%q = " OP("math.cttz", "%n", "(" N ") -> " N) TO_REAL, cttz_of},
    {"tpu.reciprocal",
     "%r = " WITH("tpu.reciprocal", "%a", "approx = false, full_range = false", "(" F ") -> " F),
     reciprocal},
    {"tpu.logistic", UNARY("tpu.logistic"), logistic},
    {"tpu.rotate",
     "%r = " WITH("tpu.rotate", "%a", "amount = 3 : si32, dimension = 1 : si32", "(" F ") -> " F),
     rotated},
    {"vector.insert_strided_slice",
     "%p = " WITH("vector.extract_strided_slice", "%a",
                  "offsets = [0, 0], sizes = [4, 128], strides = [1, 1]",
                  "(" F ") -> vector<4x128xf32>") //
     "%r = " WITH("vector.insert_strided_slice", "%p, %b", "offsets = [4, 0], strides = [1, 1]",
                  "(vector<4x128xf32>, " F ") -> " F),
     inserted},
    {"vector.transpose",
     "%p = " WITH("vector.transpose", "%a", "permutation = array<i64: 1, 0>",
                  "(" F ") -> vector<128x8xf32>") //
     "%r = " WITH("vector.transpose", "%p", "permutation = array<i64: 1, 0>",
                  "(vector<128x8xf32>) -> " F),
     there_and_back},
    {"tpu.repeat",
     "%p = " WITH("vector.extract_strided_slice", "%a",
                  "offsets = [0, 0], sizes = [8, 64], strides = [1, 1]",
                  "(" F ") -> vector<8x64xf32>") //
     "%r = " WITH("tpu.repeat", "%p", "dimension = 1 : i32, times = 2 : i32",
                  "(vector<8x64xf32>) -> " F),
     repeated},
    {"vector.create_mask",
     "%h = " WITH("arith.constant", "", "value = 5 : index", "() -> index")           //
     "%w = " WITH("arith.constant", "", "value = 100 : index", "() -> index")         //
     "%m = " OP("vector.create_mask", "%h, %w", "(index, index) -> vector<8x128xi1>") //
     "%r = " OP("arith.select", "%m, %a, %b", "(vector<8x128xi1>, " F ", " F ") -> " F),
     masked},
    {"tpu.region, scf.index_switch",
     "%k = " WITH("arith.constant", "", "value = 4 : index", "() -> index") //
     "%r = \"stable_mosaic.tpu.region\"() ({\n"
     "%s = \"stable_mosaic.scf.index_switch\"(%k) ({\n"                                       //
     OP("scf.yield", "%a", "(" F ") -> ()") "}, {\n"                                          //
     OP("scf.yield", "%b", "(" F ") -> ()") "}) {cases = array<i64: 4>} : (index) -> " F "\n" //
     OP("tpu.yield", "%s", "(" F ") -> ()") "}) : () -> " F "\n",
     switched},
    {"memref.alloca",
     "%m = " WITH("memref.alloca", "", "operandSegmentSizes = array<i32: 0, 0>",
                  "() -> " REF("f32"))                                                   //
     OP("vector.store", "%a, %m, %c, %c", "(" F ", " REF("f32") ", index, index) -> ()") //
     LOAD("%r", "%m", "f32"),
     through_memory},
    {"tpu.strided_store",
     "%m = " WITH("memref.alloca", "", "operandSegmentSizes = array<i32: 0, 0>",
                  "() -> " REF("f32"))                                                   //
     OP("vector.store", "%b, %m, %c, %c", "(" F ", " REF("f32") ", index, index) -> ()") //
     "%p = " WITH("vector.extract_strided_slice", "%a",
                  "offsets = [0, 0], sizes = [4, 128], strides = [1, 1]",
                  "(" F ") -> vector<4x128xf32>") //
     WITH("tpu.strided_store", "%p, %m, %c, %c", "strides = array<i32: 2, 1>",
          "(vector<4x128xf32>, " REF("f32") ", index, index) -> ()") //
     LOAD("%r", "%m", "f32"),
     every_other_row},
    {"memref.store",
     "%m = " WITH("memref.alloca", "", "operandSegmentSizes = array<i32: 0, 0>",
                  "() -> memref<2xf32, #tpu.memory_space<smem>>")         //
     "%k = " WITH("arith.constant", "", "value = 3.0 : f32", "() -> f32") //
     OP("memref.store", "%k, %m, %c",
        "(f32, memref<2xf32, #tpu.memory_space<smem>>, index) -> ()") //
     "%s = " OP("memref.load", "%m, %c",
                "(memref<2xf32, #tpu.memory_space<smem>>, index) -> f32") //
     "%v = " OP("vector.broadcast", "%s", "(f32) -> " F)                  //
     "%r = " OP("arith.mulf", "%a, %v", "(" F ", " F ") -> " F),
     scalar_memory},
    {"memref.dim",
     "%k = " WITH("arith.constant", "", "value = 1 : index", "() -> index")  //
     "%d = " OP("memref.dim", "%pa, %k", "(" REF("f32") ", index) -> index") //
     "%e = " OP("arith.index_cast", "%d", "(index) -> i32")                  //
     "%q = " OP("vector.broadcast", "%e", "(i32) -> " N) TO_REAL,
     size_of_row},
    {"tpu.assume_multiple, tpu.trace_start",
     WITH("tpu.trace_start", "", "level = 10 : i32, message = \"part\"", "() -> ()")     //
     "%k = " WITH("tpu.assume_multiple", "%c", "multiple = 8 : i32", "(index) -> index") //
     "%r = " OP("vector.load", "%pa, %k, %c", "(" REF("f32") ", index, index) -> " F)    //
     OP("tpu.trace_stop", "", "() -> ()"),
     stepped},
};

Test(kernel_rows, give_their_results)
{
    expect_rows(rows, sizeof rows / sizeof *rows);
}

/* Operations of Mosaic that the table does not have, or the machine does not execute. */
Test(kernel_rows, others_are_refused_by_name_and_line)
{
    static const char *const bodies[] = {
        OP("tpu.internal_scratch", "", "() -> " REF("f32")),
        OP("tpu.pack_vmsk", "%a", "(" F ") -> " F),
        OP("tpu.roll_vectors", "%a", "(" F ") -> " F),
        OP("tpu.conv", "%a, %b, %a", "(" F ", " F ", " F ") -> " F),
        OP("cf.cond_br", "%a", "(" F ") -> ()"),
    };
    struct inputs *in = calloc(1, sizeof *in);
    static float out[COUNT];
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        struct job job = {0};
        cr_assert_null(arena_create(&job.arena));
        job.text = arena_format(job.arena, "%s%s%s", START, bodies[i], STOP);
        struct error *error = run(&job, in, out);
        cr_assert(error, "%s", bodies[i]);
        const char *message = error_message(error, NULL);
        cr_expect_eq(error_code(error), PJRT_Error_Code_UNIMPLEMENTED, "%s", message);
        const char *name = strchr(bodies[i], '.') + 1; /* without the dialect */
        cr_expect(strstr(message, "MLIR text:9:1") &&
                      memmem(message, strlen(message), name, strcspn(name, "\"")),
                  "%s", message);
        error_free(error);
        arena_destroy(job.arena);
    }
    free(in);
}

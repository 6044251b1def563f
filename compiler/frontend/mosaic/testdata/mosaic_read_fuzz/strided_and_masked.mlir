"builtin.module"() ({
  "stable_mosaic.func.func"() ({
  ^bb0(%arg0: memref<64x128xf32, #tpu.memory_space<vmem>>, %arg1: memref<2xi32, #tpu.memory_space<smem>>, %arg2: memref<32x128xf32, #tpu.memory_space<vmem>>):
    %0 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %1 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %2 = "stable_mosaic.tpu.strided_load"(%arg0, %0, %1) {strides = array<i32: 2, 1>} : (memref<64x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<8x128xf32>
    %3 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %4 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %5 = "stable_mosaic.vector.load"(%arg2, %3, %4) : (memref<32x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<8x128xf32>
    "stable_mosaic.tpu.vector_store"(%2, %arg2, %3, %4) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<8x128xf32>, memref<32x128xf32, #tpu.memory_space<vmem>>, index, index) -> ()
    %6 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %7 = "stable_mosaic.memref.load"(%arg1, %6) : (memref<2xi32, #tpu.memory_space<smem>>, index) -> i32
    %8 = "stable_mosaic.arith.index_cast"(%7) : (i32) -> index
    %9 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %10 = "stable_mosaic.vector.load"(%arg0, %8, %9) : (memref<64x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<1x128xf32>
    %11 = "stable_mosaic.vector.shape_cast"(%10) : (vector<1x128xf32>) -> vector<1x128xf32>
    %12 = "stable_mosaic.vector.broadcast"(%11) : (vector<1x128xf32>) -> vector<8x128xf32>
    %13 = "stable_mosaic.arith.constant"() {value = 8 : index} : () -> index
    %14 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %15 = "stable_mosaic.vector.load"(%arg2, %13, %14) : (memref<32x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<8x128xf32>
    "stable_mosaic.tpu.vector_store"(%12, %arg2, %13, %14) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<8x128xf32>, memref<32x128xf32, #tpu.memory_space<vmem>>, index, index) -> ()
    %16 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %17 = "stable_mosaic.memref.load"(%arg1, %16) : (memref<2xi32, #tpu.memory_space<smem>>, index) -> i32
    %18 = "stable_mosaic.arith.index_cast"(%17) : (i32) -> index
    %19 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %20 = "stable_mosaic.vector.load"(%arg0, %18, %19) : (memref<64x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<8x128xf32>
    %21 = "stable_mosaic.arith.constant"() {value = 1 : index} : () -> index
    %22 = "stable_mosaic.memref.load"(%arg1, %21) : (memref<2xi32, #tpu.memory_space<smem>>, index) -> i32
    %23 = "stable_mosaic.arith.index_cast"(%22) : (i32) -> index
    %24 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %25 = "stable_mosaic.vector.load"(%arg0, %23, %24) : (memref<64x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<8x128xf32>
    %26 = "stable_mosaic.arith.addf"(%20, %25) {fastmath = #arith.fastmath<none>} : (vector<8x128xf32>, vector<8x128xf32>) -> vector<8x128xf32>
    %27 = "stable_mosaic.arith.constant"() {value = 16 : index} : () -> index
    %28 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %29 = "stable_mosaic.vector.load"(%arg2, %27, %28) : (memref<32x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<8x128xf32>
    "stable_mosaic.tpu.vector_store"(%26, %arg2, %27, %28) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<8x128xf32>, memref<32x128xf32, #tpu.memory_space<vmem>>, index, index) -> ()
    %30 = "stable_mosaic.arith.constant"() {value = 0.000000e+00 : f32} : () -> f32
    %31 = "stable_mosaic.vector.broadcast"(%30) : (f32) -> vector<8x128xf32>
    %32 = "stable_mosaic.arith.constant"() {value = 24 : index} : () -> index
    %33 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %34 = "stable_mosaic.vector.load"(%arg2, %32, %33) : (memref<32x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<8x128xf32>
    "stable_mosaic.tpu.vector_store"(%31, %arg2, %32, %33) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<8x128xf32>, memref<32x128xf32, #tpu.memory_space<vmem>>, index, index) -> ()
    %35 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %36 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %37 = "stable_mosaic.vector.load"(%arg0, %35, %36) : (memref<64x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<8x128xf32>
    %38 = "stable_mosaic.tpu.iota"() {dimensions = array<i32: 1>} : () -> vector<8x128xi32>
    %39 = "stable_mosaic.arith.constant"() {value = 100 : i32} : () -> i32
    %40 = "stable_mosaic.vector.broadcast"(%39) : (i32) -> vector<8x128xi32>
    %41 = "stable_mosaic.arith.cmpi"(%38, %40) {predicate = 2 : i64} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi1>
    %42 = "stable_mosaic.arith.constant"() {value = 24 : index} : () -> index
    %43 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %44 = "stable_mosaic.vector.load"(%arg2, %42, %43) : (memref<32x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<8x128xf32>
    "stable_mosaic.tpu.vector_store"(%37, %arg2, %42, %43, %41) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 1>, strides = array<i32>} : (vector<8x128xf32>, memref<32x128xf32, #tpu.memory_space<vmem>>, index, index, vector<8x128xi1>) -> ()
    "stable_mosaic.func.return"() : () -> ()
  }) {dimension_semantics = [], function_type = (memref<64x128xf32, #tpu.memory_space<vmem>>, memref<2xi32, #tpu.memory_space<smem>>, memref<32x128xf32, #tpu.memory_space<vmem>>) -> (), scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, sym_name = "kernel", tpu.core_type = #tpu.core_type<tc>} : () -> ()
}) {stable_mosaic.version = 11 : i64} : () -> ()

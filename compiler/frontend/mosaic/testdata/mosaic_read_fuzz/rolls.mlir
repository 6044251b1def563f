"builtin.module"() ({
  "stable_mosaic.func.func"() ({
  ^bb0(%arg0: memref<16x256xf32, #tpu.memory_space<vmem>>, %arg1: memref<1xi32, #tpu.memory_space<smem>>, %arg2: memref<48x256xf32, #tpu.memory_space<vmem>>):
    %0 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %1 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %2 = "stable_mosaic.vector.load"(%arg0, %0, %1) : (memref<16x256xf32, #tpu.memory_space<vmem>>, index, index) -> vector<16x256xf32>
    %3 = "stable_mosaic.arith.constant"() {value = 3 : i32} : () -> i32
    %4 = "stable_mosaic.tpu.dynamic_rotate"(%2, %3) {dimension = 1 : si32} : (vector<16x256xf32>, i32) -> vector<16x256xf32>
    %5 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %6 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %7 = "stable_mosaic.vector.load"(%arg2, %5, %6) : (memref<48x256xf32, #tpu.memory_space<vmem>>, index, index) -> vector<16x256xf32>
    "stable_mosaic.tpu.vector_store"(%4, %arg2, %5, %6) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<16x256xf32>, memref<48x256xf32, #tpu.memory_space<vmem>>, index, index) -> ()
    %8 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %9 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %10 = "stable_mosaic.vector.load"(%arg0, %8, %9) : (memref<16x256xf32, #tpu.memory_space<vmem>>, index, index) -> vector<16x256xf32>
    %11 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %12 = "stable_mosaic.memref.load"(%arg1, %11) : (memref<1xi32, #tpu.memory_space<smem>>, index) -> i32
    %13 = "stable_mosaic.tpu.dynamic_rotate"(%10, %12) {dimension = 0 : si32} : (vector<16x256xf32>, i32) -> vector<16x256xf32>
    %14 = "stable_mosaic.arith.constant"() {value = 16 : index} : () -> index
    %15 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %16 = "stable_mosaic.vector.load"(%arg2, %14, %15) : (memref<48x256xf32, #tpu.memory_space<vmem>>, index, index) -> vector<16x256xf32>
    "stable_mosaic.tpu.vector_store"(%13, %arg2, %14, %15) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<16x256xf32>, memref<48x256xf32, #tpu.memory_space<vmem>>, index, index) -> ()
    %17 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %18 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %19 = "stable_mosaic.vector.load"(%arg0, %17, %18) : (memref<16x256xf32, #tpu.memory_space<vmem>>, index, index) -> vector<16x256xf32>
    %20 = "stable_mosaic.arith.constant"() {value = 5 : i32} : () -> i32
    %21 = "stable_mosaic.tpu.dynamic_rotate"(%19, %20) {dimension = 1 : si32, stride = 2 : si32, stride_dimension = 0 : si32} : (vector<16x256xf32>, i32) -> vector<16x256xf32>
    %22 = "stable_mosaic.arith.constant"() {value = 32 : index} : () -> index
    %23 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %24 = "stable_mosaic.vector.load"(%arg2, %22, %23) : (memref<48x256xf32, #tpu.memory_space<vmem>>, index, index) -> vector<16x256xf32>
    "stable_mosaic.tpu.vector_store"(%21, %arg2, %22, %23) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<16x256xf32>, memref<48x256xf32, #tpu.memory_space<vmem>>, index, index) -> ()
    "stable_mosaic.func.return"() : () -> ()
  }) {dimension_semantics = [], function_type = (memref<16x256xf32, #tpu.memory_space<vmem>>, memref<1xi32, #tpu.memory_space<smem>>, memref<48x256xf32, #tpu.memory_space<vmem>>) -> (), scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, sym_name = "kernel", tpu.core_type = #tpu.core_type<tc>} : () -> ()
}) {stable_mosaic.version = 11 : i64} : () -> ()

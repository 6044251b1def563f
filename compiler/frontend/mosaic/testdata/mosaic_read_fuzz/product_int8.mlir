"builtin.module"() ({
  "stable_mosaic.func.func"() ({
  ^bb0(%arg0: memref<32x128xi8, #tpu.memory_space<vmem>>, %arg1: memref<128x128xi8, #tpu.memory_space<vmem>>, %arg2: memref<32x128xi32, #tpu.memory_space<vmem>>):
    %0 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %1 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %2 = "stable_mosaic.vector.load"(%arg0, %0, %1) : (memref<32x128xi8, #tpu.memory_space<vmem>>, index, index) -> vector<32x128xi8>
    %3 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %4 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %5 = "stable_mosaic.vector.load"(%arg1, %3, %4) : (memref<128x128xi8, #tpu.memory_space<vmem>>, index, index) -> vector<128x128xi8>
    %6 = "stable_mosaic.arith.constant"() {value = dense<0> : vector<32x128xi32>} : () -> vector<32x128xi32>
    %7 = "stable_mosaic.tpu.matmul"(%2, %5, %6) {dimension_numbers = #tpu.dot_dimension_numbers<[1], [0], [0], [1], [0, 0, 1, 1], [], []>, transpose_lhs = false, transpose_rhs = false} : (vector<32x128xi8>, vector<128x128xi8>, vector<32x128xi32>) -> vector<32x128xi32>
    %8 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %9 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %10 = "stable_mosaic.vector.load"(%arg2, %8, %9) : (memref<32x128xi32, #tpu.memory_space<vmem>>, index, index) -> vector<32x128xi32>
    "stable_mosaic.tpu.vector_store"(%7, %arg2, %8, %9) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<32x128xi32>, memref<32x128xi32, #tpu.memory_space<vmem>>, index, index) -> ()
    "stable_mosaic.func.return"() : () -> ()
  }) {dimension_semantics = [], function_type = (memref<32x128xi8, #tpu.memory_space<vmem>>, memref<128x128xi8, #tpu.memory_space<vmem>>, memref<32x128xi32, #tpu.memory_space<vmem>>) -> (), scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, sym_name = "kernel", tpu.core_type = #tpu.core_type<tc>} : () -> ()
}) {stable_mosaic.version = 11 : i64} : () -> ()

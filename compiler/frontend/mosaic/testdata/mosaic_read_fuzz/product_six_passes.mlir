"builtin.module"() ({
  "stable_mosaic.func.func"() ({
  ^bb0(%arg0: memref<2x24x64xf32, #tpu.memory_space<vmem>>, %arg1: memref<2x40x64xf32, #tpu.memory_space<vmem>>, %arg2: memref<2x24x40xf32, #tpu.memory_space<vmem>>):
    %0 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %1 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %2 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %3 = "stable_mosaic.vector.load"(%arg0, %0, %1, %2) : (memref<2x24x64xf32, #tpu.memory_space<vmem>>, index, index, index) -> vector<2x24x64xf32>
    %4 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %5 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %6 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %7 = "stable_mosaic.vector.load"(%arg1, %4, %5, %6) : (memref<2x40x64xf32, #tpu.memory_space<vmem>>, index, index, index) -> vector<2x40x64xf32>
    %8 = "stable_mosaic.arith.constant"() {value = dense<0.000000e+00> : vector<2x24x40xf32>} : () -> vector<2x24x40xf32>
    %9 = "stable_mosaic.tpu.matmul"(%3, %7, %8) {dimension_numbers = #tpu.dot_dimension_numbers<[2], [2], [1], [1], [0, 0, 0, 1, 1, 1], [0], [0]>, precision = #tpu.contract_precision<fp32>, transpose_lhs = false, transpose_rhs = false} : (vector<2x24x64xf32>, vector<2x40x64xf32>, vector<2x24x40xf32>) -> vector<2x24x40xf32>
    %10 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %11 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %12 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %13 = "stable_mosaic.vector.load"(%arg2, %10, %11, %12) : (memref<2x24x40xf32, #tpu.memory_space<vmem>>, index, index, index) -> vector<2x24x40xf32>
    "stable_mosaic.tpu.vector_store"(%9, %arg2, %10, %11, %12) {add = false, operandSegmentSizes = array<i32: 1, 1, 3, 0>, strides = array<i32>} : (vector<2x24x40xf32>, memref<2x24x40xf32, #tpu.memory_space<vmem>>, index, index, index) -> ()
    "stable_mosaic.func.return"() : () -> ()
  }) {dimension_semantics = [], function_type = (memref<2x24x64xf32, #tpu.memory_space<vmem>>, memref<2x40x64xf32, #tpu.memory_space<vmem>>, memref<2x24x40xf32, #tpu.memory_space<vmem>>) -> (), scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, sym_name = "kernel", tpu.core_type = #tpu.core_type<tc>} : () -> ()
}) {stable_mosaic.version = 11 : i64} : () -> ()

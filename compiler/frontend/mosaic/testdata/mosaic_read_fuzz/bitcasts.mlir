"builtin.module"() ({
  "stable_mosaic.func.func"() ({
  ^bb0(%arg0: memref<16x128xbf16, #tpu.memory_space<vmem>>, %arg1: memref<16x128xi32, #tpu.memory_space<vmem>>):
    %0 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %1 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %2 = "stable_mosaic.vector.load"(%arg0, %0, %1) : (memref<16x128xbf16, #tpu.memory_space<vmem>>, index, index) -> vector<16x128xbf16>
    %3 = "stable_mosaic.tpu.bitcast"(%2) : (vector<16x128xbf16>) -> vector<8x128xi32>
    %4 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %5 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %6 = "stable_mosaic.vector.load"(%arg1, %4, %5) : (memref<16x128xi32, #tpu.memory_space<vmem>>, index, index) -> vector<8x128xi32>
    "stable_mosaic.tpu.vector_store"(%3, %arg1, %4, %5) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<8x128xi32>, memref<16x128xi32, #tpu.memory_space<vmem>>, index, index) -> ()
    %7 = "stable_mosaic.tpu.memref_bitcast"(%arg0) : (memref<16x128xbf16, #tpu.memory_space<vmem>>) -> memref<8x128xi32, #tpu.memory_space<vmem>>
    %8 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %9 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %10 = "stable_mosaic.vector.load"(%7, %8, %9) : (memref<8x128xi32, #tpu.memory_space<vmem>>, index, index) -> vector<8x128xi32>
    %11 = "stable_mosaic.arith.constant"() {value = 8 : index} : () -> index
    %12 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %13 = "stable_mosaic.vector.load"(%arg1, %11, %12) : (memref<16x128xi32, #tpu.memory_space<vmem>>, index, index) -> vector<8x128xi32>
    "stable_mosaic.tpu.vector_store"(%10, %arg1, %11, %12) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<8x128xi32>, memref<16x128xi32, #tpu.memory_space<vmem>>, index, index) -> ()
    "stable_mosaic.func.return"() : () -> ()
  }) {dimension_semantics = [], function_type = (memref<16x128xbf16, #tpu.memory_space<vmem>>, memref<16x128xi32, #tpu.memory_space<vmem>>) -> (), scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, sym_name = "kernel", tpu.core_type = #tpu.core_type<tc>} : () -> ()
}) {stable_mosaic.version = 11 : i64} : () -> ()

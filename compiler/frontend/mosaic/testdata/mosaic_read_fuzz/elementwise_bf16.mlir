"builtin.module"() ({
  "stable_mosaic.func.func"() ({
  ^bb0(%arg0: memref<16x128xbf16, #tpu.memory_space<vmem>>, %arg1: memref<16x128xbf16, #tpu.memory_space<vmem>>, %arg2: memref<16x128xbf16, #tpu.memory_space<vmem>>):
    %0 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %1 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %2 = "stable_mosaic.vector.load"(%arg0, %0, %1) : (memref<16x128xbf16, #tpu.memory_space<vmem>>, index, index) -> vector<16x128xbf16>
    %3 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %4 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %5 = "stable_mosaic.vector.load"(%arg1, %3, %4) : (memref<16x128xbf16, #tpu.memory_space<vmem>>, index, index) -> vector<16x128xbf16>
    %6 = "stable_mosaic.arith.mulf"(%2, %5) {fastmath = #arith.fastmath<none>} : (vector<16x128xbf16>, vector<16x128xbf16>) -> vector<16x128xbf16>
    %7 = "stable_mosaic.math.tanh"(%2) {fastmath = #arith.fastmath<none>} : (vector<16x128xbf16>) -> vector<16x128xbf16>
    %8 = "stable_mosaic.arith.addf"(%6, %7) {fastmath = #arith.fastmath<none>} : (vector<16x128xbf16>, vector<16x128xbf16>) -> vector<16x128xbf16>
    %9 = "stable_mosaic.arith.subf"(%8, %5) {fastmath = #arith.fastmath<none>} : (vector<16x128xbf16>, vector<16x128xbf16>) -> vector<16x128xbf16>
    %10 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %11 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %12 = "stable_mosaic.vector.load"(%arg2, %10, %11) : (memref<16x128xbf16, #tpu.memory_space<vmem>>, index, index) -> vector<16x128xbf16>
    "stable_mosaic.tpu.vector_store"(%9, %arg2, %10, %11) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<16x128xbf16>, memref<16x128xbf16, #tpu.memory_space<vmem>>, index, index) -> ()
    "stable_mosaic.func.return"() : () -> ()
  }) {dimension_semantics = [], function_type = (memref<16x128xbf16, #tpu.memory_space<vmem>>, memref<16x128xbf16, #tpu.memory_space<vmem>>, memref<16x128xbf16, #tpu.memory_space<vmem>>) -> (), scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, sym_name = "kernel", tpu.core_type = #tpu.core_type<tc>} : () -> ()
}) {stable_mosaic.version = 11 : i64} : () -> ()

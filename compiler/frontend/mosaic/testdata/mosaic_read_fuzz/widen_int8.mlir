"builtin.module"() ({
  "stable_mosaic.func.func"() ({
  ^bb0(%arg0: memref<32x128xi8, #tpu.memory_space<vmem>>, %arg1: memref<32x128xbf16, #tpu.memory_space<vmem>>):
    %0 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %1 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %2 = "stable_mosaic.vector.load"(%arg0, %0, %1) : (memref<32x128xi8, #tpu.memory_space<vmem>>, index, index) -> vector<32x128xi8>
    %3 = "stable_mosaic.arith.extsi"(%2) : (vector<32x128xi8>) -> vector<32x128xi32>
    %4 = "stable_mosaic.arith.constant"() {value = 2 : i32} : () -> i32
    %5 = "stable_mosaic.vector.broadcast"(%4) : (i32) -> vector<32x128xi32>
    %6 = "stable_mosaic.arith.muli"(%3, %5) {overflowFlags = #arith.overflow<none>} : (vector<32x128xi32>, vector<32x128xi32>) -> vector<32x128xi32>
    %7 = "stable_mosaic.arith.constant"() {value = 1 : i32} : () -> i32
    %8 = "stable_mosaic.vector.broadcast"(%7) : (i32) -> vector<32x128xi32>
    %9 = "stable_mosaic.arith.addi"(%6, %8) {overflowFlags = #arith.overflow<none>} : (vector<32x128xi32>, vector<32x128xi32>) -> vector<32x128xi32>
    %10 = "stable_mosaic.arith.sitofp"(%9) : (vector<32x128xi32>) -> vector<32x128xf32>
    %11 = "stable_mosaic.arith.truncf"(%10) : (vector<32x128xf32>) -> vector<32x128xbf16>
    %12 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %13 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %14 = "stable_mosaic.vector.load"(%arg1, %12, %13) : (memref<32x128xbf16, #tpu.memory_space<vmem>>, index, index) -> vector<32x128xbf16>
    "stable_mosaic.tpu.vector_store"(%11, %arg1, %12, %13) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<32x128xbf16>, memref<32x128xbf16, #tpu.memory_space<vmem>>, index, index) -> ()
    "stable_mosaic.func.return"() : () -> ()
  }) {dimension_semantics = [], function_type = (memref<32x128xi8, #tpu.memory_space<vmem>>, memref<32x128xbf16, #tpu.memory_space<vmem>>) -> (), scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, sym_name = "kernel", tpu.core_type = #tpu.core_type<tc>} : () -> ()
}) {stable_mosaic.version = 11 : i64} : () -> ()

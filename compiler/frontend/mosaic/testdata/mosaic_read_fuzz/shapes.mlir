"builtin.module"() ({
  "stable_mosaic.func.func"() ({
  ^bb0(%arg0: memref<16x128xf32, #tpu.memory_space<vmem>>, %arg1: memref<24x128xf32, #tpu.memory_space<vmem>>):
    %0 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %1 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %2 = "stable_mosaic.vector.load"(%arg0, %0, %1) : (memref<16x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<16x128xf32>
    %3 = "stable_mosaic.vector.extract_strided_slice"(%2) {offsets = [8, 0], sizes = [8, 128], strides = [1, 1]} : (vector<16x128xf32>) -> vector<8x128xf32>
    %4 = "stable_mosaic.vector.extract_strided_slice"(%2) {offsets = [0, 0], sizes = [8, 128], strides = [1, 1]} : (vector<16x128xf32>) -> vector<8x128xf32>
    %5 = "stable_mosaic.tpu.concatenate"(%3, %4) {dimension = 0 : i32} : (vector<8x128xf32>, vector<8x128xf32>) -> vector<16x128xf32>
    %6 = "stable_mosaic.tpu.transpose"(%5) {permutation = array<i64: 1, 0>} : (vector<16x128xf32>) -> vector<128x16xf32>
    %7 = "stable_mosaic.vector.shape_cast"(%6) : (vector<128x16xf32>) -> vector<64x2x16xf32>
    %8 = "stable_mosaic.tpu.transpose"(%7) {permutation = array<i64: 1, 0, 2>} : (vector<64x2x16xf32>) -> vector<2x64x16xf32>
    %9 = "stable_mosaic.vector.shape_cast"(%8) : (vector<2x64x16xf32>) -> vector<128x16xf32>
    %10 = "stable_mosaic.tpu.transpose"(%9) {permutation = array<i64: 1, 0>} : (vector<128x16xf32>) -> vector<16x128xf32>
    %11 = "stable_mosaic.arith.addf"(%10, %2) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %12 = "stable_mosaic.vector.extract_strided_slice"(%2) {offsets = [3, 0], sizes = [1, 128], strides = [1, 1]} : (vector<16x128xf32>) -> vector<1x128xf32>
    %13 = "stable_mosaic.vector.shape_cast"(%12) : (vector<1x128xf32>) -> vector<1x128xf32>
    %14 = "stable_mosaic.vector.broadcast"(%13) : (vector<1x128xf32>) -> vector<4x128xf32>
    %15 = "stable_mosaic.vector.extract_strided_slice"(%2) {offsets = [0, 0], sizes = [4, 1], strides = [1, 1]} : (vector<16x128xf32>) -> vector<4x1xf32>
    %16 = "stable_mosaic.vector.shape_cast"(%15) : (vector<4x1xf32>) -> vector<4x1x1xf32>
    %17 = "stable_mosaic.vector.broadcast"(%16) : (vector<4x1x1xf32>) -> vector<4x1x128xf32>
    %18 = "stable_mosaic.vector.shape_cast"(%17) : (vector<4x1x128xf32>) -> vector<4x128xf32>
    %19 = "stable_mosaic.tpu.concatenate"(%11, %14, %18) {dimension = 0 : i32} : (vector<16x128xf32>, vector<4x128xf32>, vector<4x128xf32>) -> vector<24x128xf32>
    %20 = "stable_mosaic.tpu.iota"() {dimensions = array<i32: 1>} : () -> vector<24x128xi32>
    %21 = "stable_mosaic.arith.sitofp"(%20) : (vector<24x128xi32>) -> vector<24x128xf32>
    %22 = "stable_mosaic.arith.addf"(%19, %21) {fastmath = #arith.fastmath<none>} : (vector<24x128xf32>, vector<24x128xf32>) -> vector<24x128xf32>
    %23 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %24 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %25 = "stable_mosaic.vector.load"(%arg1, %23, %24) : (memref<24x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<24x128xf32>
    "stable_mosaic.tpu.vector_store"(%22, %arg1, %23, %24) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<24x128xf32>, memref<24x128xf32, #tpu.memory_space<vmem>>, index, index) -> ()
    "stable_mosaic.func.return"() : () -> ()
  }) {dimension_semantics = [], function_type = (memref<16x128xf32, #tpu.memory_space<vmem>>, memref<24x128xf32, #tpu.memory_space<vmem>>) -> (), scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, sym_name = "kernel", tpu.core_type = #tpu.core_type<tc>} : () -> ()
}) {stable_mosaic.version = 11 : i64} : () -> ()

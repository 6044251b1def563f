"builtin.module"() ({
  "stable_mosaic.func.func"() ({
  ^bb0(%arg0: memref<32x128xi8, #tpu.memory_space<vmem>>, %arg1: memref<8x128xi32, #tpu.memory_space<vmem>>, %arg2: memref<24x128xi32, #tpu.memory_space<vmem>>):
    %0 = "stable_mosaic.tpu.memref_bitcast"(%arg1) : (memref<8x128xi32, #tpu.memory_space<vmem>>) -> memref<16x128xi16, #tpu.memory_space<vmem>>
    %1 = "stable_mosaic.tpu.memref_bitcast"(%0) : (memref<16x128xi16, #tpu.memory_space<vmem>>) -> memref<8x128xi32, #tpu.memory_space<vmem>>
    %2 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %3 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %4 = "stable_mosaic.vector.load"(%1, %2, %3) : (memref<8x128xi32, #tpu.memory_space<vmem>>, index, index) -> vector<8x128xi32>
    %5 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %6 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %7 = "stable_mosaic.vector.load"(%arg2, %5, %6) : (memref<24x128xi32, #tpu.memory_space<vmem>>, index, index) -> vector<8x128xi32>
    "stable_mosaic.tpu.vector_store"(%4, %arg2, %5, %6) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<8x128xi32>, memref<24x128xi32, #tpu.memory_space<vmem>>, index, index) -> ()
    %8 = "stable_mosaic.tpu.memref_bitcast"(%arg1) : (memref<8x128xi32, #tpu.memory_space<vmem>>) -> memref<16x128xi16, #tpu.memory_space<vmem>>
    %9 = "stable_mosaic.tpu.memref_bitcast"(%8) : (memref<16x128xi16, #tpu.memory_space<vmem>>) -> memref<32x128xi8, #tpu.memory_space<vmem>>
    %10 = "stable_mosaic.arith.constant"() {value = 8 : index} : () -> index
    %11 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %12 = "stable_mosaic.vector.load"(%9, %10, %11) : (memref<32x128xi8, #tpu.memory_space<vmem>>, index, index) -> vector<8x128xi8>
    %13 = "stable_mosaic.arith.extsi"(%12) : (vector<8x128xi8>) -> vector<8x128xi32>
    %14 = "stable_mosaic.arith.constant"() {value = 8 : index} : () -> index
    %15 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %16 = "stable_mosaic.vector.load"(%arg2, %14, %15) : (memref<24x128xi32, #tpu.memory_space<vmem>>, index, index) -> vector<8x128xi32>
    "stable_mosaic.tpu.vector_store"(%13, %arg2, %14, %15) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<8x128xi32>, memref<24x128xi32, #tpu.memory_space<vmem>>, index, index) -> ()
    %17 = "stable_mosaic.tpu.memref_bitcast"(%arg1) : (memref<8x128xi32, #tpu.memory_space<vmem>>) -> memref<64x128xi4, #tpu.memory_space<vmem>>
    %18 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %19 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %20 = "stable_mosaic.vector.load"(%17, %18, %19) : (memref<64x128xi4, #tpu.memory_space<vmem>>, index, index) -> vector<64x128xi4>
    %21 = "stable_mosaic.arith.extsi"(%20) : (vector<64x128xi4>) -> vector<64x128xi32>
    %22 = "stable_mosaic.vector.shape_cast"(%21) : (vector<64x128xi32>) -> vector<8x8x128xi32>
    %23 = "stable_mosaic.vector.extract_strided_slice"(%22) {offsets = [0, 2, 0], sizes = [8, 1, 128], strides = [1, 1, 1]} : (vector<8x8x128xi32>) -> vector<8x1x128xi32>
    %24 = "stable_mosaic.vector.shape_cast"(%23) : (vector<8x1x128xi32>) -> vector<8x128xi32>
    %25 = "stable_mosaic.arith.constant"() {value = 16 : index} : () -> index
    %26 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %27 = "stable_mosaic.vector.load"(%arg2, %25, %26) : (memref<24x128xi32, #tpu.memory_space<vmem>>, index, index) -> vector<8x128xi32>
    "stable_mosaic.tpu.vector_store"(%24, %arg2, %25, %26) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<8x128xi32>, memref<24x128xi32, #tpu.memory_space<vmem>>, index, index) -> ()
    "stable_mosaic.func.return"() : () -> ()
  }) {dimension_semantics = [], function_type = (memref<32x128xi8, #tpu.memory_space<vmem>>, memref<8x128xi32, #tpu.memory_space<vmem>>, memref<24x128xi32, #tpu.memory_space<vmem>>) -> (), scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, sym_name = "kernel", tpu.core_type = #tpu.core_type<tc>} : () -> ()
}) {stable_mosaic.version = 11 : i64} : () -> ()

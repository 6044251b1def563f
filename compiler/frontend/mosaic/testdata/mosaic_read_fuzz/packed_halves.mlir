"builtin.module"() ({
  "stable_mosaic.func.func"() ({
  ^bb0(%arg0: memref<16x128xi16, #tpu.memory_space<vmem>>, %arg1: memref<16x128xi16, #tpu.memory_space<vmem>>, %arg2: memref<48x128xi32, #tpu.memory_space<vmem>>):
    %0 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %1 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %2 = "stable_mosaic.vector.load"(%arg0, %0, %1) : (memref<16x128xi16, #tpu.memory_space<vmem>>, index, index) -> vector<16x128xi16>
    %3 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %4 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %5 = "stable_mosaic.vector.load"(%arg1, %3, %4) : (memref<16x128xi16, #tpu.memory_space<vmem>>, index, index) -> vector<16x128xi16>
    %6 = "stable_mosaic.tpu.pack_elementwise"(%2, %5) {target_type = i8} : (vector<16x128xi16>, vector<16x128xi16>) -> vector<16x128xi16>
    %7 = "stable_mosaic.arith.extsi"(%6) : (vector<16x128xi16>) -> vector<16x128xi32>
    %8 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %9 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %10 = "stable_mosaic.vector.load"(%arg2, %8, %9) : (memref<48x128xi32, #tpu.memory_space<vmem>>, index, index) -> vector<16x128xi32>
    "stable_mosaic.tpu.vector_store"(%7, %arg2, %8, %9) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<16x128xi32>, memref<48x128xi32, #tpu.memory_space<vmem>>, index, index) -> ()
    %11 = "stable_mosaic.tpu.unpack_elementwise"(%6) {index = 0 : i32, source_type = i8} : (vector<16x128xi16>) -> vector<16x128xi16>
    %12 = "stable_mosaic.arith.extsi"(%11) : (vector<16x128xi16>) -> vector<16x128xi32>
    %13 = "stable_mosaic.arith.constant"() {value = 16 : index} : () -> index
    %14 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %15 = "stable_mosaic.vector.load"(%arg2, %13, %14) : (memref<48x128xi32, #tpu.memory_space<vmem>>, index, index) -> vector<16x128xi32>
    "stable_mosaic.tpu.vector_store"(%12, %arg2, %13, %14) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<16x128xi32>, memref<48x128xi32, #tpu.memory_space<vmem>>, index, index) -> ()
    %16 = "stable_mosaic.tpu.unpack_elementwise"(%6) {index = 1 : i32, source_type = i8} : (vector<16x128xi16>) -> vector<16x128xi16>
    %17 = "stable_mosaic.arith.extsi"(%16) : (vector<16x128xi16>) -> vector<16x128xi32>
    %18 = "stable_mosaic.arith.constant"() {value = 32 : index} : () -> index
    %19 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %20 = "stable_mosaic.vector.load"(%arg2, %18, %19) : (memref<48x128xi32, #tpu.memory_space<vmem>>, index, index) -> vector<16x128xi32>
    "stable_mosaic.tpu.vector_store"(%17, %arg2, %18, %19) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<16x128xi32>, memref<48x128xi32, #tpu.memory_space<vmem>>, index, index) -> ()
    "stable_mosaic.func.return"() : () -> ()
  }) {dimension_semantics = [], function_type = (memref<16x128xi16, #tpu.memory_space<vmem>>, memref<16x128xi16, #tpu.memory_space<vmem>>, memref<48x128xi32, #tpu.memory_space<vmem>>) -> (), scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, sym_name = "kernel", tpu.core_type = #tpu.core_type<tc>} : () -> ()
}) {stable_mosaic.version = 11 : i64} : () -> ()

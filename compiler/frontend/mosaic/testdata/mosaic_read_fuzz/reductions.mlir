"builtin.module"() ({
  "stable_mosaic.func.func"() ({
  ^bb0(%arg0: memref<16x128xf32, #tpu.memory_space<vmem>>, %arg1: memref<112x128xf32, #tpu.memory_space<vmem>>):
    %0 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %1 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %2 = "stable_mosaic.vector.load"(%arg0, %0, %1) : (memref<16x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<16x128xf32>
    %3 = "stable_mosaic.arith.constant"() {value = dense<0.000000e+00> : vector<16xf32>} : () -> vector<16xf32>
    %4 = "stable_mosaic.vector.multi_reduction"(%2, %3) {kind = #vector.kind<add>, reduction_dims = array<i64: 1>} : (vector<16x128xf32>, vector<16xf32>) -> vector<16xf32>
    %5 = "stable_mosaic.arith.constant"() {value = dense<0xFF800000> : vector<16xf32>} : () -> vector<16xf32>
    %6 = "stable_mosaic.vector.multi_reduction"(%2, %5) {kind = #vector.kind<maximumf>, reduction_dims = array<i64: 1>} : (vector<16x128xf32>, vector<16xf32>) -> vector<16xf32>
    %7 = "stable_mosaic.arith.constant"() {value = dense<0x7F800000> : vector<16xf32>} : () -> vector<16xf32>
    %8 = "stable_mosaic.vector.multi_reduction"(%2, %7) {kind = #vector.kind<minimumf>, reduction_dims = array<i64: 1>} : (vector<16x128xf32>, vector<16xf32>) -> vector<16xf32>
    %9 = "stable_mosaic.tpu.reduce_index"(%2) {axis = 1 : i32, kind = #tpu.reduction_kind<arg_max>} : (vector<16x128xf32>) -> vector<16xi32>
    %10 = "stable_mosaic.arith.sitofp"(%9) : (vector<16xi32>) -> vector<16xf32>
    %11 = "stable_mosaic.tpu.reduce_index"(%2) {axis = 1 : i32, kind = #tpu.reduction_kind<arg_min>} : (vector<16x128xf32>) -> vector<16xi32>
    %12 = "stable_mosaic.arith.sitofp"(%11) : (vector<16xi32>) -> vector<16xf32>
    %13 = "stable_mosaic.vector.shape_cast"(%4) : (vector<16xf32>) -> vector<16x1xf32>
    %14 = "stable_mosaic.vector.shape_cast"(%13) : (vector<16x1xf32>) -> vector<16x1xf32>
    %15 = "stable_mosaic.vector.broadcast"(%14) : (vector<16x1xf32>) -> vector<16x128xf32>
    %16 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %17 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %18 = "stable_mosaic.vector.load"(%arg1, %16, %17) : (memref<112x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<16x128xf32>
    "stable_mosaic.tpu.vector_store"(%15, %arg1, %16, %17) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<16x128xf32>, memref<112x128xf32, #tpu.memory_space<vmem>>, index, index) -> ()
    %19 = "stable_mosaic.vector.shape_cast"(%6) : (vector<16xf32>) -> vector<16x1xf32>
    %20 = "stable_mosaic.vector.shape_cast"(%19) : (vector<16x1xf32>) -> vector<16x1xf32>
    %21 = "stable_mosaic.vector.broadcast"(%20) : (vector<16x1xf32>) -> vector<16x128xf32>
    %22 = "stable_mosaic.arith.constant"() {value = 16 : index} : () -> index
    %23 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %24 = "stable_mosaic.vector.load"(%arg1, %22, %23) : (memref<112x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<16x128xf32>
    "stable_mosaic.tpu.vector_store"(%21, %arg1, %22, %23) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<16x128xf32>, memref<112x128xf32, #tpu.memory_space<vmem>>, index, index) -> ()
    %25 = "stable_mosaic.vector.shape_cast"(%8) : (vector<16xf32>) -> vector<16x1xf32>
    %26 = "stable_mosaic.vector.shape_cast"(%25) : (vector<16x1xf32>) -> vector<16x1xf32>
    %27 = "stable_mosaic.vector.broadcast"(%26) : (vector<16x1xf32>) -> vector<16x128xf32>
    %28 = "stable_mosaic.arith.constant"() {value = 32 : index} : () -> index
    %29 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %30 = "stable_mosaic.vector.load"(%arg1, %28, %29) : (memref<112x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<16x128xf32>
    "stable_mosaic.tpu.vector_store"(%27, %arg1, %28, %29) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<16x128xf32>, memref<112x128xf32, #tpu.memory_space<vmem>>, index, index) -> ()
    %31 = "stable_mosaic.vector.shape_cast"(%10) : (vector<16xf32>) -> vector<16x1xf32>
    %32 = "stable_mosaic.vector.shape_cast"(%31) : (vector<16x1xf32>) -> vector<16x1xf32>
    %33 = "stable_mosaic.vector.broadcast"(%32) : (vector<16x1xf32>) -> vector<16x128xf32>
    %34 = "stable_mosaic.arith.constant"() {value = 48 : index} : () -> index
    %35 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %36 = "stable_mosaic.vector.load"(%arg1, %34, %35) : (memref<112x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<16x128xf32>
    "stable_mosaic.tpu.vector_store"(%33, %arg1, %34, %35) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<16x128xf32>, memref<112x128xf32, #tpu.memory_space<vmem>>, index, index) -> ()
    %37 = "stable_mosaic.vector.shape_cast"(%12) : (vector<16xf32>) -> vector<16x1xf32>
    %38 = "stable_mosaic.vector.shape_cast"(%37) : (vector<16x1xf32>) -> vector<16x1xf32>
    %39 = "stable_mosaic.vector.broadcast"(%38) : (vector<16x1xf32>) -> vector<16x128xf32>
    %40 = "stable_mosaic.arith.constant"() {value = 64 : index} : () -> index
    %41 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %42 = "stable_mosaic.vector.load"(%arg1, %40, %41) : (memref<112x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<16x128xf32>
    "stable_mosaic.tpu.vector_store"(%39, %arg1, %40, %41) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<16x128xf32>, memref<112x128xf32, #tpu.memory_space<vmem>>, index, index) -> ()
    %43 = "stable_mosaic.arith.constant"() {value = dense<0.000000e+00> : vector<128xf32>} : () -> vector<128xf32>
    %44 = "stable_mosaic.vector.multi_reduction"(%2, %43) {kind = #vector.kind<add>, reduction_dims = array<i64: 0>} : (vector<16x128xf32>, vector<128xf32>) -> vector<128xf32>
    %45 = "stable_mosaic.vector.shape_cast"(%44) : (vector<128xf32>) -> vector<1x128xf32>
    %46 = "stable_mosaic.vector.shape_cast"(%45) : (vector<1x128xf32>) -> vector<1x128xf32>
    %47 = "stable_mosaic.vector.broadcast"(%46) : (vector<1x128xf32>) -> vector<8x128xf32>
    %48 = "stable_mosaic.arith.constant"() {value = 80 : index} : () -> index
    %49 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %50 = "stable_mosaic.vector.load"(%arg1, %48, %49) : (memref<112x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<8x128xf32>
    "stable_mosaic.tpu.vector_store"(%47, %arg1, %48, %49) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<8x128xf32>, memref<112x128xf32, #tpu.memory_space<vmem>>, index, index) -> ()
    %51 = "stable_mosaic.vector.shape_cast"(%2) : (vector<16x128xf32>) -> vector<1x16x128xf32>
    %52 = "stable_mosaic.arith.constant"() {value = dense<0.000000e+00> : vector<1xf32>} : () -> vector<1xf32>
    %53 = "stable_mosaic.vector.multi_reduction"(%51, %52) {kind = #vector.kind<add>, reduction_dims = array<i64: 1, 2>} : (vector<1x16x128xf32>, vector<1xf32>) -> vector<1xf32>
    %54 = "stable_mosaic.vector.shape_cast"(%53) : (vector<1xf32>) -> vector<1x1x1xf32>
    %55 = "stable_mosaic.vector.extract"(%54) {static_position = array<i64: 0, 0, 0>} : (vector<1x1x1xf32>) -> f32
    %56 = "stable_mosaic.vector.broadcast"(%55) : (f32) -> vector<8x128xf32>
    %57 = "stable_mosaic.arith.constant"() {value = 88 : index} : () -> index
    %58 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %59 = "stable_mosaic.vector.load"(%arg1, %57, %58) : (memref<112x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<8x128xf32>
    "stable_mosaic.tpu.vector_store"(%56, %arg1, %57, %58) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<8x128xf32>, memref<112x128xf32, #tpu.memory_space<vmem>>, index, index) -> ()
    %60 = "stable_mosaic.vector.shape_cast"(%2) : (vector<16x128xf32>) -> vector<2x8x128xf32>
    %61 = "stable_mosaic.arith.constant"() {value = dense<0.000000e+00> : vector<8x128xf32>} : () -> vector<8x128xf32>
    %62 = "stable_mosaic.vector.multi_reduction"(%60, %61) {kind = #vector.kind<add>, reduction_dims = array<i64: 0>} : (vector<2x8x128xf32>, vector<8x128xf32>) -> vector<8x128xf32>
    %63 = "stable_mosaic.arith.constant"() {value = 96 : index} : () -> index
    %64 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %65 = "stable_mosaic.vector.load"(%arg1, %63, %64) : (memref<112x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<8x128xf32>
    "stable_mosaic.tpu.vector_store"(%62, %arg1, %63, %64) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<8x128xf32>, memref<112x128xf32, #tpu.memory_space<vmem>>, index, index) -> ()
    %66 = "stable_mosaic.vector.shape_cast"(%2) : (vector<16x128xf32>) -> vector<2x8x128xf32>
    %67 = "stable_mosaic.arith.constant"() {value = dense<0xFF800000> : vector<8xf32>} : () -> vector<8xf32>
    %68 = "stable_mosaic.vector.multi_reduction"(%66, %67) {kind = #vector.kind<maximumf>, reduction_dims = array<i64: 0, 2>} : (vector<2x8x128xf32>, vector<8xf32>) -> vector<8xf32>
    %69 = "stable_mosaic.vector.shape_cast"(%68) : (vector<8xf32>) -> vector<8x1xf32>
    %70 = "stable_mosaic.vector.shape_cast"(%69) : (vector<8x1xf32>) -> vector<8x1xf32>
    %71 = "stable_mosaic.vector.broadcast"(%70) : (vector<8x1xf32>) -> vector<8x128xf32>
    %72 = "stable_mosaic.arith.constant"() {value = 104 : index} : () -> index
    %73 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %74 = "stable_mosaic.vector.load"(%arg1, %72, %73) : (memref<112x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<8x128xf32>
    "stable_mosaic.tpu.vector_store"(%71, %arg1, %72, %73) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<8x128xf32>, memref<112x128xf32, #tpu.memory_space<vmem>>, index, index) -> ()
    "stable_mosaic.func.return"() : () -> ()
  }) {dimension_semantics = [], function_type = (memref<16x128xf32, #tpu.memory_space<vmem>>, memref<112x128xf32, #tpu.memory_space<vmem>>) -> (), scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, sym_name = "kernel", tpu.core_type = #tpu.core_type<tc>} : () -> ()
}) {stable_mosaic.version = 11 : i64} : () -> ()

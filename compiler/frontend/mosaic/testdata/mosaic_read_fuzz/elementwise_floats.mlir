"builtin.module"() ({
  "stable_mosaic.func.func"() ({
  ^bb0(%arg0: memref<16x128xf32, #tpu.memory_space<vmem>>, %arg1: memref<16x128xf32, #tpu.memory_space<vmem>>, %arg2: memref<16x128xf32, #tpu.memory_space<vmem>>):
    %0 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %1 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %2 = "stable_mosaic.vector.load"(%arg0, %0, %1) : (memref<16x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<16x128xf32>
    %3 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %4 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %5 = "stable_mosaic.vector.load"(%arg1, %3, %4) : (memref<16x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<16x128xf32>
    %6 = "stable_mosaic.math.exp"(%2) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>) -> vector<16x128xf32>
    %7 = "stable_mosaic.math.tanh"(%5) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>) -> vector<16x128xf32>
    %8 = "stable_mosaic.math.sin"(%2) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>) -> vector<16x128xf32>
    %9 = "stable_mosaic.arith.mulf"(%7, %8) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %10 = "stable_mosaic.arith.addf"(%6, %9) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %11 = "stable_mosaic.math.cos"(%5) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>) -> vector<16x128xf32>
    %12 = "stable_mosaic.arith.subf"(%10, %11) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %13 = "stable_mosaic.math.absf"(%2) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>) -> vector<16x128xf32>
    %14 = "stable_mosaic.arith.constant"() {value = 1.000000e+00 : f32} : () -> f32
    %15 = "stable_mosaic.vector.broadcast"(%14) : (f32) -> vector<16x128xf32>
    %16 = "stable_mosaic.arith.addf"(%13, %15) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %17 = "stable_mosaic.math.log"(%16) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>) -> vector<16x128xf32>
    %18 = "stable_mosaic.arith.addf"(%12, %17) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %19 = "stable_mosaic.math.absf"(%5) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>) -> vector<16x128xf32>
    %20 = "stable_mosaic.math.sqrt"(%19) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>) -> vector<16x128xf32>
    %21 = "stable_mosaic.arith.addf"(%18, %20) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %22 = "stable_mosaic.math.absf"(%2) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>) -> vector<16x128xf32>
    %23 = "stable_mosaic.arith.constant"() {value = 1.000000e+00 : f32} : () -> f32
    %24 = "stable_mosaic.vector.broadcast"(%23) : (f32) -> vector<16x128xf32>
    %25 = "stable_mosaic.arith.addf"(%22, %24) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %26 = "stable_mosaic.math.rsqrt"(%25) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>) -> vector<16x128xf32>
    %27 = "stable_mosaic.arith.addf"(%21, %26) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %28 = "stable_mosaic.arith.maximumf"(%2, %5) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %29 = "stable_mosaic.arith.minimumf"(%2, %5) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %30 = "stable_mosaic.arith.constant"() {value = 3.000000e+00 : f32} : () -> f32
    %31 = "stable_mosaic.vector.broadcast"(%30) : (f32) -> vector<16x128xf32>
    %32 = "stable_mosaic.arith.addf"(%29, %31) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %33 = "stable_mosaic.arith.divf"(%28, %32) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %34 = "stable_mosaic.arith.addf"(%27, %33) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %35 = "stable_mosaic.arith.constant"() {value = 5.000000e+00 : f32} : () -> f32
    %36 = "stable_mosaic.vector.broadcast"(%35) : (f32) -> vector<16x128xf32>
    %37 = "stable_mosaic.arith.mulf"(%2, %36) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %38 = "stable_mosaic.math.floor"(%37) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>) -> vector<16x128xf32>
    %39 = "stable_mosaic.arith.addf"(%34, %38) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %40 = "stable_mosaic.arith.constant"() {value = 5.000000e+00 : f32} : () -> f32
    %41 = "stable_mosaic.vector.broadcast"(%40) : (f32) -> vector<16x128xf32>
    %42 = "stable_mosaic.arith.mulf"(%5, %41) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %43 = "stable_mosaic.math.ceil"(%42) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>) -> vector<16x128xf32>
    %44 = "stable_mosaic.arith.addf"(%39, %43) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %45 = "stable_mosaic.math.exp2"(%2) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>) -> vector<16x128xf32>
    %46 = "stable_mosaic.arith.addf"(%44, %45) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %47 = "stable_mosaic.math.absf"(%2) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>) -> vector<16x128xf32>
    %48 = "stable_mosaic.math.log1p"(%47) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>) -> vector<16x128xf32>
    %49 = "stable_mosaic.arith.addf"(%46, %48) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %50 = "stable_mosaic.math.erf"(%5) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>) -> vector<16x128xf32>
    %51 = "stable_mosaic.arith.addf"(%49, %50) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %52 = "stable_mosaic.arith.constant"() {value = 3.000000e+00 : f32} : () -> f32
    %53 = "stable_mosaic.vector.broadcast"(%52) : (f32) -> vector<16x128xf32>
    %54 = "stable_mosaic.arith.mulf"(%2, %53) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %55 = "stable_mosaic.math.roundeven"(%54) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>) -> vector<16x128xf32>
    %56 = "stable_mosaic.arith.addf"(%51, %55) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %57 = "stable_mosaic.vector.extract_strided_slice"(%5) {offsets = [0, 0], sizes = [1, 1], strides = [1, 1]} : (vector<16x128xf32>) -> vector<1x1xf32>
    %58 = "stable_mosaic.vector.extract"(%57) {static_position = array<i64: 0, 0>} : (vector<1x1xf32>) -> f32
    %59 = "stable_mosaic.vector.broadcast"(%58) : (f32) -> vector<16x128xf32>
    %60 = "stable_mosaic.arith.subf"(%5, %59) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %61 = "stable_mosaic.arith.divf"(%2, %60) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %62 = "stable_mosaic.tpu.weird"(%61) : (vector<16x128xf32>) -> vector<16x128xi1>
    %63 = "stable_mosaic.arith.constant"() {value = dense<true> : vector<16x128xi1>} : () -> vector<16x128xi1>
    %64 = "stable_mosaic.arith.xori"(%62, %63) : (vector<16x128xi1>, vector<16x128xi1>) -> vector<16x128xi1>
    %65 = "stable_mosaic.arith.constant"() {value = 1.000000e+00 : f32} : () -> f32
    %66 = "stable_mosaic.arith.constant"() {value = 2.000000e+00 : f32} : () -> f32
    %67 = "stable_mosaic.vector.broadcast"(%65) : (f32) -> vector<16x128xf32>
    %68 = "stable_mosaic.vector.broadcast"(%66) : (f32) -> vector<16x128xf32>
    %69 = "stable_mosaic.arith.select"(%64, %67, %68) : (vector<16x128xi1>, vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %70 = "stable_mosaic.arith.addf"(%56, %69) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %71 = "stable_mosaic.tpu.bitcast"(%2) : (vector<16x128xf32>) -> vector<16x128xi32>
    %72 = "stable_mosaic.arith.constant"() {value = -2147483648 : i32} : () -> i32
    %73 = "stable_mosaic.vector.broadcast"(%72) : (i32) -> vector<16x128xi32>
    %74 = "stable_mosaic.arith.andi"(%71, %73) : (vector<16x128xi32>, vector<16x128xi32>) -> vector<16x128xi32>
    %75 = "stable_mosaic.arith.constant"() {value = 1065353216 : i32} : () -> i32
    %76 = "stable_mosaic.vector.broadcast"(%75) : (i32) -> vector<16x128xi32>
    %77 = "stable_mosaic.arith.ori"(%76, %74) : (vector<16x128xi32>, vector<16x128xi32>) -> vector<16x128xi32>
    %78 = "stable_mosaic.tpu.bitcast"(%77) : (vector<16x128xi32>) -> vector<16x128xf32>
    %79 = "stable_mosaic.math.absf"(%2) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>) -> vector<16x128xf32>
    %80 = "stable_mosaic.arith.constant"() {value = 0.000000e+00 : f32} : () -> f32
    %81 = "stable_mosaic.vector.broadcast"(%80) : (f32) -> vector<16x128xf32>
    %82 = "stable_mosaic.arith.cmpf"(%79, %81) {fastmath = #arith.fastmath<none>, predicate = 2 : i64} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xi1>
    %83 = "stable_mosaic.arith.select"(%82, %78, %2) : (vector<16x128xi1>, vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %84 = "stable_mosaic.arith.addf"(%70, %83) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %85 = "stable_mosaic.arith.cmpf"(%2, %5) {fastmath = #arith.fastmath<none>, predicate = 2 : i64} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xi1>
    %86 = "stable_mosaic.arith.constant"() {value = 0.000000e+00 : f32} : () -> f32
    %87 = "stable_mosaic.vector.broadcast"(%86) : (f32) -> vector<16x128xf32>
    %88 = "stable_mosaic.arith.subf"(%87, %84) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %89 = "stable_mosaic.arith.select"(%85, %84, %88) : (vector<16x128xi1>, vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %90 = "stable_mosaic.math.absf"(%2) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>) -> vector<16x128xf32>
    %91 = "stable_mosaic.arith.constant"() {value = 5.000000e-01 : f32} : () -> f32
    %92 = "stable_mosaic.vector.broadcast"(%91) : (f32) -> vector<16x128xf32>
    %93 = "stable_mosaic.arith.addf"(%90, %92) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %94 = "stable_mosaic.math.powf"(%93, %5) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %95 = "stable_mosaic.arith.addf"(%89, %94) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %96 = "stable_mosaic.arith.constant"() {value = 3.000000e+00 : f32} : () -> f32
    %97 = "stable_mosaic.vector.broadcast"(%96) : (f32) -> vector<16x128xf32>
    %98 = "stable_mosaic.arith.addf"(%5, %97) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %99 = "stable_mosaic.math.atan2"(%2, %98) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %100 = "stable_mosaic.arith.addf"(%95, %99) {fastmath = #arith.fastmath<none>} : (vector<16x128xf32>, vector<16x128xf32>) -> vector<16x128xf32>
    %101 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %102 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %103 = "stable_mosaic.vector.load"(%arg2, %101, %102) : (memref<16x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<16x128xf32>
    "stable_mosaic.tpu.vector_store"(%100, %arg2, %101, %102) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<16x128xf32>, memref<16x128xf32, #tpu.memory_space<vmem>>, index, index) -> ()
    "stable_mosaic.func.return"() : () -> ()
  }) {dimension_semantics = [], function_type = (memref<16x128xf32, #tpu.memory_space<vmem>>, memref<16x128xf32, #tpu.memory_space<vmem>>, memref<16x128xf32, #tpu.memory_space<vmem>>) -> (), scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, sym_name = "kernel", tpu.core_type = #tpu.core_type<tc>} : () -> ()
}) {stable_mosaic.version = 11 : i64} : () -> ()

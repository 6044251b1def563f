"builtin.module"() ({
  "stable_mosaic.func.func"() ({
  ^bb0(%arg0: memref<8x128xi32, #tpu.memory_space<vmem>>, %arg1: memref<8x128xi32, #tpu.memory_space<vmem>>, %arg2: memref<8x128xi32, #tpu.memory_space<vmem>>):
    %0 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %1 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %2 = "stable_mosaic.vector.load"(%arg0, %0, %1) : (memref<8x128xi32, #tpu.memory_space<vmem>>, index, index) -> vector<8x128xi32>
    %3 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %4 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %5 = "stable_mosaic.vector.load"(%arg1, %3, %4) : (memref<8x128xi32, #tpu.memory_space<vmem>>, index, index) -> vector<8x128xi32>
    %6 = "stable_mosaic.tpu.bitcast"(%2) : (vector<8x128xi32>) -> vector<8x128xi32>
    %7 = "stable_mosaic.arith.constant"() {value = 1 : i32} : () -> i32
    %8 = "stable_mosaic.vector.broadcast"(%7) : (i32) -> vector<8x128xi32>
    %9 = "stable_mosaic.arith.ori"(%5, %8) : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %10 = "stable_mosaic.tpu.bitcast"(%9) : (vector<8x128xi32>) -> vector<8x128xi32>
    %11 = "stable_mosaic.arith.addi"(%2, %5) {overflowFlags = #arith.overflow<none>} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %12 = "stable_mosaic.arith.constant"() {value = 3 : i32} : () -> i32
    %13 = "stable_mosaic.vector.broadcast"(%12) : (i32) -> vector<8x128xi32>
    %14 = "stable_mosaic.arith.muli"(%11, %13) {overflowFlags = #arith.overflow<none>} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %15 = "stable_mosaic.arith.constant"() {value = 2 : i32} : () -> i32
    %16 = "stable_mosaic.vector.broadcast"(%15) : (i32) -> vector<8x128xi32>
    %17 = "stable_mosaic.arith.shli"(%2, %16) {overflowFlags = #arith.overflow<none>} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %18 = "stable_mosaic.arith.subi"(%14, %17) {overflowFlags = #arith.overflow<none>} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %19 = "stable_mosaic.arith.constant"() {value = 1 : i32} : () -> i32
    %20 = "stable_mosaic.vector.broadcast"(%19) : (i32) -> vector<8x128xi32>
    %21 = "stable_mosaic.arith.shrsi"(%2, %20) : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %22 = "stable_mosaic.arith.addi"(%18, %21) {overflowFlags = #arith.overflow<none>} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %23 = "stable_mosaic.arith.andi"(%2, %5) : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %24 = "stable_mosaic.arith.addi"(%22, %23) {overflowFlags = #arith.overflow<none>} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %25 = "stable_mosaic.arith.ori"(%2, %5) : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %26 = "stable_mosaic.arith.addi"(%24, %25) {overflowFlags = #arith.overflow<none>} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %27 = "stable_mosaic.arith.xori"(%2, %5) : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %28 = "stable_mosaic.arith.addi"(%26, %27) {overflowFlags = #arith.overflow<none>} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %29 = "stable_mosaic.arith.maxsi"(%2, %5) : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %30 = "stable_mosaic.arith.addi"(%28, %29) {overflowFlags = #arith.overflow<none>} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %31 = "stable_mosaic.arith.constant"() {value = 5 : i32} : () -> i32
    %32 = "stable_mosaic.vector.broadcast"(%31) : (i32) -> vector<8x128xi32>
    %33 = "stable_mosaic.arith.minsi"(%2, %32) : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %34 = "stable_mosaic.arith.addi"(%30, %33) {overflowFlags = #arith.overflow<none>} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %35 = "stable_mosaic.math.absi"(%5) : (vector<8x128xi32>) -> vector<8x128xi32>
    %36 = "stable_mosaic.arith.addi"(%34, %35) {overflowFlags = #arith.overflow<none>} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %37 = "stable_mosaic.arith.cmpi"(%2, %5) {predicate = 1 : i64} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi1>
    %38 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %39 = "stable_mosaic.vector.broadcast"(%38) : (i32) -> vector<8x128xi32>
    %40 = "stable_mosaic.arith.cmpi"(%5, %39) {predicate = 0 : i64} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi1>
    %41 = "stable_mosaic.arith.constant"() {value = 7 : i32} : () -> i32
    %42 = "stable_mosaic.vector.broadcast"(%41) : (i32) -> vector<8x128xi32>
    %43 = "stable_mosaic.arith.select"(%40, %42, %5) : (vector<8x128xi1>, vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %44 = "stable_mosaic.arith.divsi"(%2, %43) : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %45 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %46 = "stable_mosaic.vector.broadcast"(%45) : (i32) -> vector<8x128xi32>
    %47 = "stable_mosaic.arith.cmpi"(%2, %46) {predicate = 4 : i64} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi1>
    %48 = "stable_mosaic.arith.extui"(%47) : (vector<8x128xi1>) -> vector<8x128xi32>
    %49 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %50 = "stable_mosaic.vector.broadcast"(%49) : (i32) -> vector<8x128xi32>
    %51 = "stable_mosaic.arith.cmpi"(%2, %50) {predicate = 2 : i64} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi1>
    %52 = "stable_mosaic.arith.extui"(%51) : (vector<8x128xi1>) -> vector<8x128xi32>
    %53 = "stable_mosaic.arith.subi"(%48, %52) {overflowFlags = #arith.overflow<none>} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %54 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %55 = "stable_mosaic.vector.broadcast"(%54) : (i32) -> vector<8x128xi32>
    %56 = "stable_mosaic.arith.cmpi"(%43, %55) {predicate = 4 : i64} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi1>
    %57 = "stable_mosaic.arith.extui"(%56) : (vector<8x128xi1>) -> vector<8x128xi32>
    %58 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %59 = "stable_mosaic.vector.broadcast"(%58) : (i32) -> vector<8x128xi32>
    %60 = "stable_mosaic.arith.cmpi"(%43, %59) {predicate = 2 : i64} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi1>
    %61 = "stable_mosaic.arith.extui"(%60) : (vector<8x128xi1>) -> vector<8x128xi32>
    %62 = "stable_mosaic.arith.subi"(%57, %61) {overflowFlags = #arith.overflow<none>} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %63 = "stable_mosaic.arith.cmpi"(%53, %62) {predicate = 1 : i64} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi1>
    %64 = "stable_mosaic.arith.remsi"(%2, %43) : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %65 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %66 = "stable_mosaic.vector.broadcast"(%65) : (i32) -> vector<8x128xi32>
    %67 = "stable_mosaic.arith.cmpi"(%64, %66) {predicate = 1 : i64} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi1>
    %68 = "stable_mosaic.arith.andi"(%63, %67) : (vector<8x128xi1>, vector<8x128xi1>) -> vector<8x128xi1>
    %69 = "stable_mosaic.arith.constant"() {value = 1 : i32} : () -> i32
    %70 = "stable_mosaic.vector.broadcast"(%69) : (i32) -> vector<8x128xi32>
    %71 = "stable_mosaic.arith.subi"(%44, %70) {overflowFlags = #arith.overflow<none>} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %72 = "stable_mosaic.arith.select"(%68, %71, %44) : (vector<8x128xi1>, vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %73 = "stable_mosaic.arith.constant"() {value = 1 : i32} : () -> i32
    %74 = "stable_mosaic.vector.broadcast"(%73) : (i32) -> vector<8x128xi32>
    %75 = "stable_mosaic.arith.select"(%37, %72, %74) : (vector<8x128xi1>, vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %76 = "stable_mosaic.arith.addi"(%36, %75) {overflowFlags = #arith.overflow<none>} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %77 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %78 = "stable_mosaic.vector.broadcast"(%77) : (i32) -> vector<8x128xi32>
    %79 = "stable_mosaic.arith.cmpi"(%5, %78) {predicate = 0 : i64} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi1>
    %80 = "stable_mosaic.arith.constant"() {value = 3 : i32} : () -> i32
    %81 = "stable_mosaic.vector.broadcast"(%80) : (i32) -> vector<8x128xi32>
    %82 = "stable_mosaic.arith.select"(%79, %81, %5) : (vector<8x128xi1>, vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %83 = "stable_mosaic.arith.remsi"(%2, %82) : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %84 = "stable_mosaic.arith.addi"(%76, %83) {overflowFlags = #arith.overflow<none>} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %85 = "stable_mosaic.arith.constant"() {value = dense<-1> : vector<8x128xi32>} : () -> vector<8x128xi32>
    %86 = "stable_mosaic.arith.xori"(%2, %85) : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %87 = "stable_mosaic.arith.addi"(%84, %86) {overflowFlags = #arith.overflow<none>} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %88 = "stable_mosaic.math.ctlz"(%2) : (vector<8x128xi32>) -> vector<8x128xi32>
    %89 = "stable_mosaic.arith.addi"(%87, %88) {overflowFlags = #arith.overflow<none>} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %90 = "stable_mosaic.math.ctpop"(%5) : (vector<8x128xi32>) -> vector<8x128xi32>
    %91 = "stable_mosaic.arith.addi"(%89, %90) {overflowFlags = #arith.overflow<none>} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %92 = "stable_mosaic.arith.constant"() {value = 3 : i32} : () -> i32
    %93 = "stable_mosaic.vector.broadcast"(%92) : (i32) -> vector<8x128xi32>
    %94 = "stable_mosaic.arith.shrui"(%6, %93) : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %95 = "stable_mosaic.arith.divui"(%6, %10) : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %96 = "stable_mosaic.arith.addi"(%94, %95) {overflowFlags = #arith.overflow<none>} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %97 = "stable_mosaic.arith.remui"(%6, %10) : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %98 = "stable_mosaic.arith.addi"(%96, %97) {overflowFlags = #arith.overflow<none>} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %99 = "stable_mosaic.tpu.bitcast"(%98) : (vector<8x128xi32>) -> vector<8x128xi32>
    %100 = "stable_mosaic.arith.addi"(%91, %99) {overflowFlags = #arith.overflow<none>} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %101 = "stable_mosaic.arith.cmpi"(%2, %5) {predicate = 4 : i64} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi1>
    %102 = "stable_mosaic.arith.extui"(%101) : (vector<8x128xi1>) -> vector<8x128xi32>
    %103 = "stable_mosaic.arith.addi"(%100, %102) {overflowFlags = #arith.overflow<none>} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %104 = "stable_mosaic.arith.cmpi"(%6, %10) {predicate = 6 : i64} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi1>
    %105 = "stable_mosaic.arith.extui"(%104) : (vector<8x128xi1>) -> vector<8x128xi32>
    %106 = "stable_mosaic.arith.addi"(%103, %105) {overflowFlags = #arith.overflow<none>} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %107 = "stable_mosaic.arith.sitofp"(%2) : (vector<8x128xi32>) -> vector<8x128xf32>
    %108 = "stable_mosaic.arith.fptosi"(%107) : (vector<8x128xf32>) -> vector<8x128xi32>
    %109 = "stable_mosaic.arith.addi"(%106, %108) {overflowFlags = #arith.overflow<none>} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %110 = "stable_mosaic.arith.sitofp"(%2) : (vector<8x128xi32>) -> vector<8x128xf32>
    %111 = "stable_mosaic.arith.constant"() {value = 5.000000e-01 : f32} : () -> f32
    %112 = "stable_mosaic.vector.broadcast"(%111) : (f32) -> vector<8x128xf32>
    %113 = "stable_mosaic.arith.mulf"(%110, %112) {fastmath = #arith.fastmath<none>} : (vector<8x128xf32>, vector<8x128xf32>) -> vector<8x128xf32>
    %114 = "stable_mosaic.arith.fptosi"(%113) : (vector<8x128xf32>) -> vector<8x128xi32>
    %115 = "stable_mosaic.arith.addi"(%109, %114) {overflowFlags = #arith.overflow<none>} : (vector<8x128xi32>, vector<8x128xi32>) -> vector<8x128xi32>
    %116 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %117 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %118 = "stable_mosaic.vector.load"(%arg2, %116, %117) : (memref<8x128xi32, #tpu.memory_space<vmem>>, index, index) -> vector<8x128xi32>
    "stable_mosaic.tpu.vector_store"(%115, %arg2, %116, %117) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<8x128xi32>, memref<8x128xi32, #tpu.memory_space<vmem>>, index, index) -> ()
    "stable_mosaic.func.return"() : () -> ()
  }) {dimension_semantics = [], function_type = (memref<8x128xi32, #tpu.memory_space<vmem>>, memref<8x128xi32, #tpu.memory_space<vmem>>, memref<8x128xi32, #tpu.memory_space<vmem>>) -> (), scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, sym_name = "kernel", tpu.core_type = #tpu.core_type<tc>} : () -> ()
}) {stable_mosaic.version = 11 : i64} : () -> ()

"builtin.module"() ({
  "stable_mosaic.func.func"() ({
  ^bb0(%arg0: memref<8x128xf32, #tpu.memory_space<vmem>>, %arg1: memref<2xi32, #tpu.memory_space<smem>>, %arg2: memref<8x128xf32, #tpu.memory_space<vmem>>):
    %0 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %1 = "stable_mosaic.memref.load"(%arg1, %0) : (memref<2xi32, #tpu.memory_space<smem>>, index) -> i32
    %2 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %3 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %4 = "stable_mosaic.arith.constant"() {value = 1 : i32} : () -> i32
    %5 = "stable_mosaic.arith.subi"(%1, %2) {overflowFlags = #arith.overflow<none>} : (i32, i32) -> i32
    %6 = "stable_mosaic.arith.addi"(%2, %5) {overflowFlags = #arith.overflow<none>} : (i32, i32) -> i32
    %7 = "stable_mosaic.arith.constant"() {value = 1 : i32} : () -> i32
    %8 = "stable_mosaic.arith.divsi"(%5, %7) : (i32, i32) -> i32
    %9 = "stable_mosaic.arith.muli"(%8, %7) {overflowFlags = #arith.overflow<none>} : (i32, i32) -> i32
    %10 = "stable_mosaic.arith.addi"(%2, %9) {overflowFlags = #arith.overflow<none>} : (i32, i32) -> i32
    %11 = "stable_mosaic.arith.constant"() {value = 1 : i32} : () -> i32
    %12:2 = "stable_mosaic.scf.for"(%2, %10, %11, %3, %4) ({
    ^bb0(%arg10: i32, %arg11: i32, %arg12: i32):
      %70 = "stable_mosaic.arith.addi"(%arg11, %arg12) {overflowFlags = #arith.overflow<none>} : (i32, i32) -> i32
      "stable_mosaic.scf.yield"(%arg12, %70) : (i32, i32) -> ()
    }) : (i32, i32, i32, i32, i32) -> (i32, i32)
    %13 = "stable_mosaic.arith.constant"() {value = 1 : i32} : () -> i32
    %14:2 = "stable_mosaic.scf.for"(%10, %6, %13, %12#0, %12#1) ({
    ^bb0(%arg7: i32, %arg8: i32, %arg9: i32):
      %69 = "stable_mosaic.arith.addi"(%arg8, %arg9) {overflowFlags = #arith.overflow<none>} : (i32, i32) -> i32
      "stable_mosaic.scf.yield"(%arg9, %69) : (i32, i32) -> ()
    }) : (i32, i32, i32, i32, i32) -> (i32, i32)
    %15 = "stable_mosaic.arith.constant"() {value = 1 : index} : () -> index
    %16 = "stable_mosaic.memref.load"(%arg1, %15) : (memref<2xi32, #tpu.memory_space<smem>>, index) -> i32
    %17 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %18:2 = "stable_mosaic.scf.while"(%17, %16) ({
    ^bb0(%arg5: i32, %arg6: i32):
      %67 = "stable_mosaic.arith.constant"() {value = 1 : i32} : () -> i32
      %68 = "stable_mosaic.arith.cmpi"(%arg6, %67) {predicate = 4 : i64} : (i32, i32) -> i1
      "stable_mosaic.scf.condition"(%68, %arg5, %arg6) : (i1, i32, i32) -> ()
    }, {
    ^bb0(%arg3: i32, %arg4: i32):
      %41 = "stable_mosaic.arith.constant"() {value = 1 : i32} : () -> i32
      %42 = "stable_mosaic.arith.addi"(%arg3, %41) {overflowFlags = #arith.overflow<none>} : (i32, i32) -> i32
      %43 = "stable_mosaic.arith.constant"() {value = 2 : i32} : () -> i32
      %44 = "stable_mosaic.arith.divsi"(%arg4, %43) : (i32, i32) -> i32
      %45 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
      %46 = "stable_mosaic.arith.cmpi"(%arg4, %45) {predicate = 4 : i64} : (i32, i32) -> i1
      %47 = "stable_mosaic.arith.extui"(%46) : (i1) -> i32
      %48 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
      %49 = "stable_mosaic.arith.cmpi"(%arg4, %48) {predicate = 2 : i64} : (i32, i32) -> i1
      %50 = "stable_mosaic.arith.extui"(%49) : (i1) -> i32
      %51 = "stable_mosaic.arith.subi"(%47, %50) {overflowFlags = #arith.overflow<none>} : (i32, i32) -> i32
      %52 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
      %53 = "stable_mosaic.arith.cmpi"(%43, %52) {predicate = 4 : i64} : (i32, i32) -> i1
      %54 = "stable_mosaic.arith.extui"(%53) : (i1) -> i32
      %55 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
      %56 = "stable_mosaic.arith.cmpi"(%43, %55) {predicate = 2 : i64} : (i32, i32) -> i1
      %57 = "stable_mosaic.arith.extui"(%56) : (i1) -> i32
      %58 = "stable_mosaic.arith.subi"(%54, %57) {overflowFlags = #arith.overflow<none>} : (i32, i32) -> i32
      %59 = "stable_mosaic.arith.cmpi"(%51, %58) {predicate = 1 : i64} : (i32, i32) -> i1
      %60 = "stable_mosaic.arith.remsi"(%arg4, %43) : (i32, i32) -> i32
      %61 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
      %62 = "stable_mosaic.arith.cmpi"(%60, %61) {predicate = 1 : i64} : (i32, i32) -> i1
      %63 = "stable_mosaic.arith.andi"(%59, %62) : (i1, i1) -> i1
      %64 = "stable_mosaic.arith.constant"() {value = 1 : i32} : () -> i32
      %65 = "stable_mosaic.arith.subi"(%44, %64) {overflowFlags = #arith.overflow<none>} : (i32, i32) -> i32
      %66 = "stable_mosaic.arith.select"(%63, %65, %44) : (i1, i32, i32) -> i32
      "stable_mosaic.scf.yield"(%42, %66) : (i32, i32) -> ()
    }) : (i32, i32) -> (i32, i32)
    %19 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %20 = "stable_mosaic.memref.load"(%arg1, %19) : (memref<2xi32, #tpu.memory_space<smem>>, index) -> i32
    %21 = "stable_mosaic.arith.constant"() {value = 5 : i32} : () -> i32
    %22 = "stable_mosaic.arith.cmpi"(%20, %21) {predicate = 4 : i64} : (i32, i32) -> i1
    %23 = "stable_mosaic.arith.extui"(%22) : (i1) -> i32
    %24 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %25 = "stable_mosaic.arith.cmpi"(%23, %24) {predicate = 1 : i64} : (i32, i32) -> i1
    %26 = "stable_mosaic.scf.if"(%25) ({
      %40 = "stable_mosaic.arith.constant"() {value = 3.000000e+00 : f32} : () -> f32
      "stable_mosaic.scf.yield"(%40) : (f32) -> ()
    }, {
      %39 = "stable_mosaic.arith.constant"() {value = 7.000000e+00 : f32} : () -> f32
      "stable_mosaic.scf.yield"(%39) : (f32) -> ()
    }) : (i1) -> f32
    %27 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %28 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %29 = "stable_mosaic.vector.load"(%arg0, %27, %28) : (memref<8x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<8x128xf32>
    %30 = "stable_mosaic.vector.broadcast"(%26) : (f32) -> vector<8x128xf32>
    %31 = "stable_mosaic.arith.mulf"(%29, %30) {fastmath = #arith.fastmath<none>} : (vector<8x128xf32>, vector<8x128xf32>) -> vector<8x128xf32>
    %32 = "stable_mosaic.arith.addi"(%14#1, %18#0) {overflowFlags = #arith.overflow<none>} : (i32, i32) -> i32
    %33 = "stable_mosaic.arith.sitofp"(%32) : (i32) -> f32
    %34 = "stable_mosaic.vector.broadcast"(%33) : (f32) -> vector<8x128xf32>
    %35 = "stable_mosaic.arith.addf"(%31, %34) {fastmath = #arith.fastmath<none>} : (vector<8x128xf32>, vector<8x128xf32>) -> vector<8x128xf32>
    %36 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %37 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %38 = "stable_mosaic.vector.load"(%arg2, %36, %37) : (memref<8x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<8x128xf32>
    "stable_mosaic.tpu.vector_store"(%35, %arg2, %36, %37) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<8x128xf32>, memref<8x128xf32, #tpu.memory_space<vmem>>, index, index) -> ()
    "stable_mosaic.func.return"() : () -> ()
  }) {dimension_semantics = [], function_type = (memref<8x128xf32, #tpu.memory_space<vmem>>, memref<2xi32, #tpu.memory_space<smem>>, memref<8x128xf32, #tpu.memory_space<vmem>>) -> (), scalar_prefetch = 0 : i64, scratch_operands = 0 : i64, sym_name = "kernel", tpu.core_type = #tpu.core_type<tc>} : () -> ()
}) {stable_mosaic.version = 11 : i64} : () -> ()

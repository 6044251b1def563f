"builtin.module"() ({
  "stable_mosaic.func.func"() ({
  ^bb0(%arg0: memref<64x128xf32, #tpu.memory_space<any>>, %arg1: memref<64x128xf32, #tpu.memory_space<any>>, %arg2: memref<2x8x128xf32, #tpu.memory_space<vmem>>, %arg3: memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>, %arg4: memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>):
    %0 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %1 = "stable_mosaic.arith.constant"() {value = 2 : i32} : () -> i32
    %2 = "stable_mosaic.arith.remsi"(%0, %1) : (i32, i32) -> i32
    %3 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %4 = "stable_mosaic.arith.constant"() {value = 2 : i32} : () -> i32
    %5 = "stable_mosaic.arith.remsi"(%3, %4) : (i32, i32) -> i32
    %6 = "stable_mosaic.tpu.memref_slice"(%arg3, %5) {operandSegmentSizes = array<i32: 1, 1, 0>} : (memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>, i32) -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %7 = "stable_mosaic.tpu.memref_squeeze"(%6) : (memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %8 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %9 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %10 = "stable_mosaic.tpu.memref_slice"(%arg2, %2, %8, %9) {operandSegmentSizes = array<i32: 1, 3, 0>} : (memref<2x8x128xf32, #tpu.memory_space<vmem>>, i32, i32, i32) -> memref<1x8x128xf32, #tpu.memory_space<vmem>>
    %11 = "stable_mosaic.tpu.memref_squeeze"(%10) : (memref<1x8x128xf32, #tpu.memory_space<vmem>>) -> memref<8x128xf32, #tpu.memory_space<vmem>>
    %12 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %13 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %14 = "stable_mosaic.tpu.memref_slice"(%arg0, %12, %13) {operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<64x128xf32, #tpu.memory_space<any>>, i32, i32) -> memref<8x128xf32, #tpu.memory_space<any>>
    "stable_mosaic.tpu.enqueue_dma"(%14, %11, %7) {operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0>, priority = 0 : i32, strict_ordering = false} : (memref<8x128xf32, #tpu.memory_space<any>>, memref<8x128xf32, #tpu.memory_space<vmem>>, memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) -> ()
    %15 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %16 = "stable_mosaic.arith.constant"() {value = 8 : i32} : () -> i32
    %17 = "stable_mosaic.arith.addi"(%15, %16) {overflowFlags = #arith.overflow<none>} : (i32, i32) -> i32
    %18 = "stable_mosaic.arith.constant"() {value = 1 : i32} : () -> i32
    "stable_mosaic.scf.for"(%15, %17, %18) ({
    ^bb0(%arg5: i32):
      %20 = "stable_mosaic.arith.constant"() {value = 7 : i32} : () -> i32
      %21 = "stable_mosaic.arith.cmpi"(%arg5, %20) {predicate = 2 : i64} : (i32, i32) -> i1
      %22 = "stable_mosaic.arith.extui"(%21) : (i1) -> i32
      %23 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
      %24 = "stable_mosaic.arith.cmpi"(%22, %23) {predicate = 1 : i64} : (i32, i32) -> i1
      "stable_mosaic.scf.if"(%24) ({
        %73 = "stable_mosaic.arith.constant"() {value = 1 : i32} : () -> i32
        %74 = "stable_mosaic.arith.addi"(%arg5, %73) {overflowFlags = #arith.overflow<none>} : (i32, i32) -> i32
        %75 = "stable_mosaic.arith.constant"() {value = 8 : i32} : () -> i32
        %76 = "stable_mosaic.arith.muli"(%75, %74) {overflowFlags = #arith.overflow<none>} : (i32, i32) -> i32
        %77 = "stable_mosaic.arith.constant"() {value = 2 : i32} : () -> i32
        %78 = "stable_mosaic.arith.remsi"(%74, %77) : (i32, i32) -> i32
        %79 = "stable_mosaic.arith.constant"() {value = 2 : i32} : () -> i32
        %80 = "stable_mosaic.arith.remsi"(%74, %79) : (i32, i32) -> i32
        %81 = "stable_mosaic.tpu.memref_slice"(%arg3, %80) {operandSegmentSizes = array<i32: 1, 1, 0>} : (memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>, i32) -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
        %82 = "stable_mosaic.tpu.memref_squeeze"(%81) : (memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
        %83 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
        %84 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
        %85 = "stable_mosaic.tpu.memref_slice"(%arg2, %78, %83, %84) {operandSegmentSizes = array<i32: 1, 3, 0>} : (memref<2x8x128xf32, #tpu.memory_space<vmem>>, i32, i32, i32) -> memref<1x8x128xf32, #tpu.memory_space<vmem>>
        %86 = "stable_mosaic.tpu.memref_squeeze"(%85) : (memref<1x8x128xf32, #tpu.memory_space<vmem>>) -> memref<8x128xf32, #tpu.memory_space<vmem>>
        %87 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
        %88 = "stable_mosaic.tpu.memref_slice"(%arg0, %76, %87) {operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<64x128xf32, #tpu.memory_space<any>>, i32, i32) -> memref<8x128xf32, #tpu.memory_space<any>>
        "stable_mosaic.tpu.enqueue_dma"(%88, %86, %82) {operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0>, priority = 0 : i32, strict_ordering = false} : (memref<8x128xf32, #tpu.memory_space<any>>, memref<8x128xf32, #tpu.memory_space<vmem>>, memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) -> ()
        "stable_mosaic.scf.yield"() : () -> ()
      }, {
        "stable_mosaic.scf.yield"() : () -> ()
      }) : (i1) -> ()
      %25 = "stable_mosaic.arith.constant"() {value = 8 : i32} : () -> i32
      %26 = "stable_mosaic.arith.muli"(%25, %arg5) {overflowFlags = #arith.overflow<none>} : (i32, i32) -> i32
      %27 = "stable_mosaic.arith.constant"() {value = 2 : i32} : () -> i32
      %28 = "stable_mosaic.arith.remsi"(%arg5, %27) : (i32, i32) -> i32
      %29 = "stable_mosaic.arith.constant"() {value = 2 : i32} : () -> i32
      %30 = "stable_mosaic.arith.remsi"(%arg5, %29) : (i32, i32) -> i32
      %31 = "stable_mosaic.tpu.memref_slice"(%arg3, %30) {operandSegmentSizes = array<i32: 1, 1, 0>} : (memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>, i32) -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
      %32 = "stable_mosaic.tpu.memref_squeeze"(%31) : (memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
      %33 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
      %34 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
      %35 = "stable_mosaic.tpu.memref_slice"(%arg2, %28, %33, %34) {operandSegmentSizes = array<i32: 1, 3, 0>} : (memref<2x8x128xf32, #tpu.memory_space<vmem>>, i32, i32, i32) -> memref<1x8x128xf32, #tpu.memory_space<vmem>>
      %36 = "stable_mosaic.tpu.memref_squeeze"(%35) : (memref<1x8x128xf32, #tpu.memory_space<vmem>>) -> memref<8x128xf32, #tpu.memory_space<vmem>>
      %37 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
      %38 = "stable_mosaic.tpu.memref_slice"(%arg0, %26, %37) {operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<64x128xf32, #tpu.memory_space<any>>, i32, i32) -> memref<8x128xf32, #tpu.memory_space<any>>
      "stable_mosaic.tpu.wait_dma2"(%32, %38, %36) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, strict_ordering = false} : (memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>, memref<8x128xf32, #tpu.memory_space<any>>, memref<8x128xf32, #tpu.memory_space<vmem>>) -> ()
      %39 = "stable_mosaic.arith.constant"() {value = 2 : i32} : () -> i32
      %40 = "stable_mosaic.arith.remsi"(%arg5, %39) : (i32, i32) -> i32
      %41 = "stable_mosaic.arith.index_cast"(%40) : (i32) -> index
      %42 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
      %43 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
      %44 = "stable_mosaic.vector.load"(%arg2, %41, %42, %43) : (memref<2x8x128xf32, #tpu.memory_space<vmem>>, index, index, index) -> vector<1x8x128xf32>
      %45 = "stable_mosaic.vector.shape_cast"(%44) : (vector<1x8x128xf32>) -> vector<8x128xf32>
      %46 = "stable_mosaic.arith.constant"() {value = 1.000000e+00 : f32} : () -> f32
      %47 = "stable_mosaic.vector.broadcast"(%46) : (f32) -> vector<8x128xf32>
      %48 = "stable_mosaic.arith.addf"(%45, %47) {fastmath = #arith.fastmath<none>} : (vector<8x128xf32>, vector<8x128xf32>) -> vector<8x128xf32>
      %49 = "stable_mosaic.arith.constant"() {value = 2 : i32} : () -> i32
      %50 = "stable_mosaic.arith.remsi"(%arg5, %49) : (i32, i32) -> i32
      %51 = "stable_mosaic.arith.index_cast"(%50) : (i32) -> index
      %52 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
      %53 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
      %54 = "stable_mosaic.vector.load"(%arg2, %51, %52, %53) : (memref<2x8x128xf32, #tpu.memory_space<vmem>>, index, index, index) -> vector<1x8x128xf32>
      %55 = "stable_mosaic.vector.shape_cast"(%54) : (vector<1x8x128xf32>) -> vector<8x128xf32>
      %56 = "stable_mosaic.vector.shape_cast"(%48) : (vector<8x128xf32>) -> vector<1x8x128xf32>
      "stable_mosaic.tpu.vector_store"(%56, %arg2, %51, %52, %53) {add = false, operandSegmentSizes = array<i32: 1, 1, 3, 0>, strides = array<i32>} : (vector<1x8x128xf32>, memref<2x8x128xf32, #tpu.memory_space<vmem>>, index, index, index) -> ()
      %57 = "stable_mosaic.arith.constant"() {value = 2 : i32} : () -> i32
      %58 = "stable_mosaic.arith.remsi"(%arg5, %57) : (i32, i32) -> i32
      %59 = "stable_mosaic.arith.constant"() {value = 8 : i32} : () -> i32
      %60 = "stable_mosaic.arith.muli"(%59, %arg5) {overflowFlags = #arith.overflow<none>} : (i32, i32) -> i32
      %61 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
      %62 = "stable_mosaic.tpu.memref_slice"(%arg1, %60, %61) {operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<64x128xf32, #tpu.memory_space<any>>, i32, i32) -> memref<8x128xf32, #tpu.memory_space<any>>
      %63 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
      %64 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
      %65 = "stable_mosaic.tpu.memref_slice"(%arg2, %58, %63, %64) {operandSegmentSizes = array<i32: 1, 3, 0>} : (memref<2x8x128xf32, #tpu.memory_space<vmem>>, i32, i32, i32) -> memref<1x8x128xf32, #tpu.memory_space<vmem>>
      %66 = "stable_mosaic.tpu.memref_squeeze"(%65) : (memref<1x8x128xf32, #tpu.memory_space<vmem>>) -> memref<8x128xf32, #tpu.memory_space<vmem>>
      "stable_mosaic.tpu.enqueue_dma"(%66, %62, %arg4) {operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0>, priority = 0 : i32, strict_ordering = false} : (memref<8x128xf32, #tpu.memory_space<vmem>>, memref<8x128xf32, #tpu.memory_space<any>>, memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) -> ()
      %67 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
      %68 = "stable_mosaic.tpu.memref_slice"(%arg1, %60, %67) {operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<64x128xf32, #tpu.memory_space<any>>, i32, i32) -> memref<8x128xf32, #tpu.memory_space<any>>
      %69 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
      %70 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
      %71 = "stable_mosaic.tpu.memref_slice"(%arg2, %58, %69, %70) {operandSegmentSizes = array<i32: 1, 3, 0>} : (memref<2x8x128xf32, #tpu.memory_space<vmem>>, i32, i32, i32) -> memref<1x8x128xf32, #tpu.memory_space<vmem>>
      %72 = "stable_mosaic.tpu.memref_squeeze"(%71) : (memref<1x8x128xf32, #tpu.memory_space<vmem>>) -> memref<8x128xf32, #tpu.memory_space<vmem>>
      "stable_mosaic.tpu.wait_dma2"(%arg4, %72, %68) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, strict_ordering = false} : (memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>, memref<8x128xf32, #tpu.memory_space<vmem>>, memref<8x128xf32, #tpu.memory_space<any>>) -> ()
      "stable_mosaic.scf.yield"() : () -> ()
    }) : (i32, i32, i32) -> ()
    %19 = "stable_mosaic.arith.constant"() {value = 8 : i32} : () -> i32
    "stable_mosaic.func.return"() : () -> ()
  }) {dimension_semantics = [], function_type = (memref<64x128xf32, #tpu.memory_space<any>>, memref<64x128xf32, #tpu.memory_space<any>>, memref<2x8x128xf32, #tpu.memory_space<vmem>>, memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>, memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) -> (), scalar_prefetch = 0 : i64, scratch_operands = 3 : i64, sym_name = "kernel", tpu.core_type = #tpu.core_type<tc>} : () -> ()
}) {stable_mosaic.version = 11 : i64} : () -> ()

"builtin.module"() ({
  "stable_mosaic.func.func"() ({
  ^bb0(%arg0: memref<32x128xf32, #tpu.memory_space<any>>, %arg1: memref<32x128xf32, #tpu.memory_space<vmem>>, %arg2: memref<2x8x128xf32, #tpu.memory_space<vmem>>, %arg3: memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>):
    %0 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %1 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %2 = "stable_mosaic.tpu.memref_slice"(%arg3, %1) {operandSegmentSizes = array<i32: 1, 1, 0>} : (memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>, i32) -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %3 = "stable_mosaic.tpu.memref_squeeze"(%2) : (memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %4 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %5 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %6 = "stable_mosaic.tpu.memref_slice"(%arg2, %0, %4, %5) {operandSegmentSizes = array<i32: 1, 3, 0>} : (memref<2x8x128xf32, #tpu.memory_space<vmem>>, i32, i32, i32) -> memref<1x8x128xf32, #tpu.memory_space<vmem>>
    %7 = "stable_mosaic.tpu.memref_squeeze"(%6) : (memref<1x8x128xf32, #tpu.memory_space<vmem>>) -> memref<8x128xf32, #tpu.memory_space<vmem>>
    %8 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %9 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %10 = "stable_mosaic.tpu.memref_slice"(%arg0, %8, %9) {operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<32x128xf32, #tpu.memory_space<any>>, i32, i32) -> memref<8x128xf32, #tpu.memory_space<any>>
    "stable_mosaic.tpu.enqueue_dma"(%10, %7, %3) {operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0>, priority = 0 : i32, strict_ordering = false} : (memref<8x128xf32, #tpu.memory_space<any>>, memref<8x128xf32, #tpu.memory_space<vmem>>, memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) -> ()
    %11 = "stable_mosaic.arith.constant"() {value = 1 : i32} : () -> i32
    %12 = "stable_mosaic.arith.constant"() {value = 1 : i32} : () -> i32
    %13 = "stable_mosaic.tpu.memref_slice"(%arg3, %12) {operandSegmentSizes = array<i32: 1, 1, 0>} : (memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>, i32) -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %14 = "stable_mosaic.tpu.memref_squeeze"(%13) : (memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %15 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %16 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %17 = "stable_mosaic.tpu.memref_slice"(%arg2, %11, %15, %16) {operandSegmentSizes = array<i32: 1, 3, 0>} : (memref<2x8x128xf32, #tpu.memory_space<vmem>>, i32, i32, i32) -> memref<1x8x128xf32, #tpu.memory_space<vmem>>
    %18 = "stable_mosaic.tpu.memref_squeeze"(%17) : (memref<1x8x128xf32, #tpu.memory_space<vmem>>) -> memref<8x128xf32, #tpu.memory_space<vmem>>
    %19 = "stable_mosaic.arith.constant"() {value = 8 : i32} : () -> i32
    %20 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %21 = "stable_mosaic.tpu.memref_slice"(%arg0, %19, %20) {operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<32x128xf32, #tpu.memory_space<any>>, i32, i32) -> memref<8x128xf32, #tpu.memory_space<any>>
    "stable_mosaic.tpu.enqueue_dma"(%21, %18, %14) {operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0>, priority = 0 : i32, strict_ordering = false} : (memref<8x128xf32, #tpu.memory_space<any>>, memref<8x128xf32, #tpu.memory_space<vmem>>, memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) -> ()
    %22 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %23 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %24 = "stable_mosaic.tpu.memref_slice"(%arg3, %23) {operandSegmentSizes = array<i32: 1, 1, 0>} : (memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>, i32) -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %25 = "stable_mosaic.tpu.memref_squeeze"(%24) : (memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %26 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %27 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %28 = "stable_mosaic.tpu.memref_slice"(%arg2, %22, %26, %27) {operandSegmentSizes = array<i32: 1, 3, 0>} : (memref<2x8x128xf32, #tpu.memory_space<vmem>>, i32, i32, i32) -> memref<1x8x128xf32, #tpu.memory_space<vmem>>
    %29 = "stable_mosaic.tpu.memref_squeeze"(%28) : (memref<1x8x128xf32, #tpu.memory_space<vmem>>) -> memref<8x128xf32, #tpu.memory_space<vmem>>
    %30 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %31 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %32 = "stable_mosaic.tpu.memref_slice"(%arg0, %30, %31) {operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<32x128xf32, #tpu.memory_space<any>>, i32, i32) -> memref<8x128xf32, #tpu.memory_space<any>>
    "stable_mosaic.tpu.wait_dma2"(%25, %32, %29) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, strict_ordering = false} : (memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>, memref<8x128xf32, #tpu.memory_space<any>>, memref<8x128xf32, #tpu.memory_space<vmem>>) -> ()
    %33 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %34 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %35 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %36 = "stable_mosaic.vector.load"(%arg2, %33, %34, %35) : (memref<2x8x128xf32, #tpu.memory_space<vmem>>, index, index, index) -> vector<1x8x128xf32>
    %37 = "stable_mosaic.vector.shape_cast"(%36) : (vector<1x8x128xf32>) -> vector<8x128xf32>
    %38 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %39 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %40 = "stable_mosaic.vector.load"(%arg1, %38, %39) : (memref<32x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<8x128xf32>
    "stable_mosaic.tpu.vector_store"(%37, %arg1, %38, %39) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<8x128xf32>, memref<32x128xf32, #tpu.memory_space<vmem>>, index, index) -> ()
    %41 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %42 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %43 = "stable_mosaic.tpu.memref_slice"(%arg3, %42) {operandSegmentSizes = array<i32: 1, 1, 0>} : (memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>, i32) -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %44 = "stable_mosaic.tpu.memref_squeeze"(%43) : (memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %45 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %46 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %47 = "stable_mosaic.tpu.memref_slice"(%arg2, %41, %45, %46) {operandSegmentSizes = array<i32: 1, 3, 0>} : (memref<2x8x128xf32, #tpu.memory_space<vmem>>, i32, i32, i32) -> memref<1x8x128xf32, #tpu.memory_space<vmem>>
    %48 = "stable_mosaic.tpu.memref_squeeze"(%47) : (memref<1x8x128xf32, #tpu.memory_space<vmem>>) -> memref<8x128xf32, #tpu.memory_space<vmem>>
    %49 = "stable_mosaic.arith.constant"() {value = 16 : i32} : () -> i32
    %50 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %51 = "stable_mosaic.tpu.memref_slice"(%arg0, %49, %50) {operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<32x128xf32, #tpu.memory_space<any>>, i32, i32) -> memref<8x128xf32, #tpu.memory_space<any>>
    "stable_mosaic.tpu.enqueue_dma"(%51, %48, %44) {operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0>, priority = 0 : i32, strict_ordering = false} : (memref<8x128xf32, #tpu.memory_space<any>>, memref<8x128xf32, #tpu.memory_space<vmem>>, memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) -> ()
    %52 = "stable_mosaic.arith.constant"() {value = 1 : i32} : () -> i32
    %53 = "stable_mosaic.arith.constant"() {value = 1 : i32} : () -> i32
    %54 = "stable_mosaic.tpu.memref_slice"(%arg3, %53) {operandSegmentSizes = array<i32: 1, 1, 0>} : (memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>, i32) -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %55 = "stable_mosaic.tpu.memref_squeeze"(%54) : (memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %56 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %57 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %58 = "stable_mosaic.tpu.memref_slice"(%arg2, %52, %56, %57) {operandSegmentSizes = array<i32: 1, 3, 0>} : (memref<2x8x128xf32, #tpu.memory_space<vmem>>, i32, i32, i32) -> memref<1x8x128xf32, #tpu.memory_space<vmem>>
    %59 = "stable_mosaic.tpu.memref_squeeze"(%58) : (memref<1x8x128xf32, #tpu.memory_space<vmem>>) -> memref<8x128xf32, #tpu.memory_space<vmem>>
    %60 = "stable_mosaic.arith.constant"() {value = 8 : i32} : () -> i32
    %61 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %62 = "stable_mosaic.tpu.memref_slice"(%arg0, %60, %61) {operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<32x128xf32, #tpu.memory_space<any>>, i32, i32) -> memref<8x128xf32, #tpu.memory_space<any>>
    "stable_mosaic.tpu.wait_dma2"(%55, %62, %59) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, strict_ordering = false} : (memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>, memref<8x128xf32, #tpu.memory_space<any>>, memref<8x128xf32, #tpu.memory_space<vmem>>) -> ()
    %63 = "stable_mosaic.arith.constant"() {value = 1 : index} : () -> index
    %64 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %65 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %66 = "stable_mosaic.vector.load"(%arg2, %63, %64, %65) : (memref<2x8x128xf32, #tpu.memory_space<vmem>>, index, index, index) -> vector<1x8x128xf32>
    %67 = "stable_mosaic.vector.shape_cast"(%66) : (vector<1x8x128xf32>) -> vector<8x128xf32>
    %68 = "stable_mosaic.arith.constant"() {value = 8 : index} : () -> index
    %69 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %70 = "stable_mosaic.vector.load"(%arg1, %68, %69) : (memref<32x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<8x128xf32>
    "stable_mosaic.tpu.vector_store"(%67, %arg1, %68, %69) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<8x128xf32>, memref<32x128xf32, #tpu.memory_space<vmem>>, index, index) -> ()
    %71 = "stable_mosaic.arith.constant"() {value = 1 : i32} : () -> i32
    %72 = "stable_mosaic.arith.constant"() {value = 1 : i32} : () -> i32
    %73 = "stable_mosaic.tpu.memref_slice"(%arg3, %72) {operandSegmentSizes = array<i32: 1, 1, 0>} : (memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>, i32) -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %74 = "stable_mosaic.tpu.memref_squeeze"(%73) : (memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %75 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %76 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %77 = "stable_mosaic.tpu.memref_slice"(%arg2, %71, %75, %76) {operandSegmentSizes = array<i32: 1, 3, 0>} : (memref<2x8x128xf32, #tpu.memory_space<vmem>>, i32, i32, i32) -> memref<1x8x128xf32, #tpu.memory_space<vmem>>
    %78 = "stable_mosaic.tpu.memref_squeeze"(%77) : (memref<1x8x128xf32, #tpu.memory_space<vmem>>) -> memref<8x128xf32, #tpu.memory_space<vmem>>
    %79 = "stable_mosaic.arith.constant"() {value = 24 : i32} : () -> i32
    %80 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %81 = "stable_mosaic.tpu.memref_slice"(%arg0, %79, %80) {operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<32x128xf32, #tpu.memory_space<any>>, i32, i32) -> memref<8x128xf32, #tpu.memory_space<any>>
    "stable_mosaic.tpu.enqueue_dma"(%81, %78, %74) {operandSegmentSizes = array<i32: 1, 0, 1, 1, 0, 0>, priority = 0 : i32, strict_ordering = false} : (memref<8x128xf32, #tpu.memory_space<any>>, memref<8x128xf32, #tpu.memory_space<vmem>>, memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) -> ()
    %82 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %83 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %84 = "stable_mosaic.tpu.memref_slice"(%arg3, %83) {operandSegmentSizes = array<i32: 1, 1, 0>} : (memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>, i32) -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %85 = "stable_mosaic.tpu.memref_squeeze"(%84) : (memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %86 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %87 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %88 = "stable_mosaic.tpu.memref_slice"(%arg2, %82, %86, %87) {operandSegmentSizes = array<i32: 1, 3, 0>} : (memref<2x8x128xf32, #tpu.memory_space<vmem>>, i32, i32, i32) -> memref<1x8x128xf32, #tpu.memory_space<vmem>>
    %89 = "stable_mosaic.tpu.memref_squeeze"(%88) : (memref<1x8x128xf32, #tpu.memory_space<vmem>>) -> memref<8x128xf32, #tpu.memory_space<vmem>>
    %90 = "stable_mosaic.arith.constant"() {value = 16 : i32} : () -> i32
    %91 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %92 = "stable_mosaic.tpu.memref_slice"(%arg0, %90, %91) {operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<32x128xf32, #tpu.memory_space<any>>, i32, i32) -> memref<8x128xf32, #tpu.memory_space<any>>
    "stable_mosaic.tpu.wait_dma2"(%85, %92, %89) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, strict_ordering = false} : (memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>, memref<8x128xf32, #tpu.memory_space<any>>, memref<8x128xf32, #tpu.memory_space<vmem>>) -> ()
    %93 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %94 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %95 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %96 = "stable_mosaic.vector.load"(%arg2, %93, %94, %95) : (memref<2x8x128xf32, #tpu.memory_space<vmem>>, index, index, index) -> vector<1x8x128xf32>
    %97 = "stable_mosaic.vector.shape_cast"(%96) : (vector<1x8x128xf32>) -> vector<8x128xf32>
    %98 = "stable_mosaic.arith.constant"() {value = 16 : index} : () -> index
    %99 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %100 = "stable_mosaic.vector.load"(%arg1, %98, %99) : (memref<32x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<8x128xf32>
    "stable_mosaic.tpu.vector_store"(%97, %arg1, %98, %99) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<8x128xf32>, memref<32x128xf32, #tpu.memory_space<vmem>>, index, index) -> ()
    %101 = "stable_mosaic.arith.constant"() {value = 1 : i32} : () -> i32
    %102 = "stable_mosaic.arith.constant"() {value = 1 : i32} : () -> i32
    %103 = "stable_mosaic.tpu.memref_slice"(%arg3, %102) {operandSegmentSizes = array<i32: 1, 1, 0>} : (memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>, i32) -> memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %104 = "stable_mosaic.tpu.memref_squeeze"(%103) : (memref<1x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) -> memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>
    %105 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %106 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %107 = "stable_mosaic.tpu.memref_slice"(%arg2, %101, %105, %106) {operandSegmentSizes = array<i32: 1, 3, 0>} : (memref<2x8x128xf32, #tpu.memory_space<vmem>>, i32, i32, i32) -> memref<1x8x128xf32, #tpu.memory_space<vmem>>
    %108 = "stable_mosaic.tpu.memref_squeeze"(%107) : (memref<1x8x128xf32, #tpu.memory_space<vmem>>) -> memref<8x128xf32, #tpu.memory_space<vmem>>
    %109 = "stable_mosaic.arith.constant"() {value = 24 : i32} : () -> i32
    %110 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    %111 = "stable_mosaic.tpu.memref_slice"(%arg0, %109, %110) {operandSegmentSizes = array<i32: 1, 2, 0>} : (memref<32x128xf32, #tpu.memory_space<any>>, i32, i32) -> memref<8x128xf32, #tpu.memory_space<any>>
    "stable_mosaic.tpu.wait_dma2"(%104, %111, %108) {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, strict_ordering = false} : (memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>, memref<8x128xf32, #tpu.memory_space<any>>, memref<8x128xf32, #tpu.memory_space<vmem>>) -> ()
    %112 = "stable_mosaic.arith.constant"() {value = 1 : index} : () -> index
    %113 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %114 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %115 = "stable_mosaic.vector.load"(%arg2, %112, %113, %114) : (memref<2x8x128xf32, #tpu.memory_space<vmem>>, index, index, index) -> vector<1x8x128xf32>
    %116 = "stable_mosaic.vector.shape_cast"(%115) : (vector<1x8x128xf32>) -> vector<8x128xf32>
    %117 = "stable_mosaic.arith.constant"() {value = 24 : index} : () -> index
    %118 = "stable_mosaic.arith.constant"() {value = 0 : index} : () -> index
    %119 = "stable_mosaic.vector.load"(%arg1, %117, %118) : (memref<32x128xf32, #tpu.memory_space<vmem>>, index, index) -> vector<8x128xf32>
    "stable_mosaic.tpu.vector_store"(%116, %arg1, %117, %118) {add = false, operandSegmentSizes = array<i32: 1, 1, 2, 0>, strides = array<i32>} : (vector<8x128xf32>, memref<32x128xf32, #tpu.memory_space<vmem>>, index, index) -> ()
    "stable_mosaic.func.return"() : () -> ()
  }) {dimension_semantics = [], function_type = (memref<32x128xf32, #tpu.memory_space<any>>, memref<32x128xf32, #tpu.memory_space<vmem>>, memref<2x8x128xf32, #tpu.memory_space<vmem>>, memref<2x!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) -> (), scalar_prefetch = 0 : i64, scratch_operands = 2 : i64, sym_name = "kernel", tpu.core_type = #tpu.core_type<tc>} : () -> ()
}) {stable_mosaic.version = 11 : i64} : () -> ()

"builtin.module"() ({
  "stable_mosaic.func.func"() ({
  ^bb0(%arg0: memref<8x128xf32, #tpu.memory_space<vmem>>, %arg1: memref<8x128xf32, #tpu.memory_space<vmem>>, %arg2: memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>, %arg3: memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>):
    %0 = "stable_mosaic.tpu.device_id"() : () -> i32
    %1 = "stable_mosaic.arith.constant"() {value = 2 : i32} : () -> i32
    %2 = "stable_mosaic.arith.constant"() {value = 1 : i32} : () -> i32
    %3 = "stable_mosaic.arith.divsi"(%0, %2) : (i32, i32) -> i32
    %4 = "stable_mosaic.arith.remsi"(%3, %1) : (i32, i32) -> i32
    %5 = "stable_mosaic.arith.constant"() {value = 1 : i32} : () -> i32
    %6 = "stable_mosaic.arith.subi"(%5, %4) {overflowFlags = #arith.overflow<none>} : (i32, i32) -> i32
    %7 = "stable_mosaic.tpu.sem_barrier"() : () -> memref<!tpu.semaphore, #tpu.memory_space<semaphore_mem>>
    %8 = "stable_mosaic.arith.constant"() {value = 1 : i32} : () -> i32
    "stable_mosaic.tpu.sem_signal"(%7, %8, %6) {operandSegmentSizes = array<i32: 1, 1, 1, 0>} : (memref<!tpu.semaphore, #tpu.memory_space<semaphore_mem>>, i32, i32) -> ()
    %9 = "stable_mosaic.arith.constant"() {value = 1 : i32} : () -> i32
    %10 = "stable_mosaic.arith.constant"() {value = true} : () -> i1
    "stable_mosaic.tpu.sem_wait"(%7, %9) : (memref<!tpu.semaphore, #tpu.memory_space<semaphore_mem>>, i32) -> ()
    "stable_mosaic.tpu.enqueue_dma"(%arg0, %arg2, %arg1, %arg3, %6) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0>, priority = 0 : i32, strict_ordering = false} : (memref<8x128xf32, #tpu.memory_space<vmem>>, memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>, memref<8x128xf32, #tpu.memory_space<vmem>>, memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>, i32) -> ()
    %11 = "stable_mosaic.arith.constant"() {value = 0 : i32} : () -> i32
    "stable_mosaic.tpu.wait_dma2"(%arg2, %arg1, %arg0, %11, %11) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>, strict_ordering = false} : (memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>, memref<8x128xf32, #tpu.memory_space<vmem>>, memref<8x128xf32, #tpu.memory_space<vmem>>, i32, i32) -> ()
    "stable_mosaic.tpu.wait_dma2"(%arg3, %arg0, %arg1, %6) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>, strict_ordering = false} : (memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>, memref<8x128xf32, #tpu.memory_space<vmem>>, memref<8x128xf32, #tpu.memory_space<vmem>>, i32) -> ()
    "stable_mosaic.func.return"() : () -> ()
  }) {dimension_semantics = [], function_type = (memref<8x128xf32, #tpu.memory_space<vmem>>, memref<8x128xf32, #tpu.memory_space<vmem>>, memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>, memref<!tpu.dma_semaphore, #tpu.memory_space<semaphore_mem>>) -> (), scalar_prefetch = 0 : i64, scratch_operands = 2 : i64, sym_name = "kernel", tpu.core_type = #tpu.core_type<tc>} : () -> ()
}) {stable_mosaic.version = 11 : i64} : () -> ()

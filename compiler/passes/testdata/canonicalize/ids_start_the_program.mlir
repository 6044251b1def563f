// run: canonicalize
module attributes {mhlo.num_partitions = 2 : i32} {
func.func @main(%x: tensor<ui32>, %p: tensor<i1>) -> (tensor<ui32>, tensor<ui32>) {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.partition_id : tensor<ui32>
    stablehlo.return %1 : tensor<ui32>
  }, {
    %2 = stablehlo.partition_id : tensor<ui32>
    %3 = stablehlo.add %2, %x : tensor<ui32>
    stablehlo.return %3 : tensor<ui32>
  }) : (tensor<i1>) -> tensor<ui32>
  %4 = stablehlo.replica_id : tensor<ui32>
  return %0, %4 : tensor<ui32>, tensor<ui32>
}
}
// ----
module @module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<ui32>, %arg1: tensor<i1>) -> (tensor<ui32>, tensor<ui32>) {
    %0 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %1 = "stablehlo.if"(%arg1) ({
      "stablehlo.return"(%0) : (tensor<ui32>) -> ()
    }, {
      %2 = "stablehlo.add"(%0, %arg0) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      "stablehlo.return"(%2) : (tensor<ui32>) -> ()
    }) : (tensor<i1>) -> tensor<ui32>
    %3 = "stablehlo.constant"() {value = dense<0> : tensor<ui32>} : () -> tensor<ui32>
    "func.return"(%1, %3) : (tensor<ui32>, tensor<ui32>) -> ()
  }
}

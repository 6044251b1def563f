// run: spmd_propagate
module @module {
  func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
    %0 = stablehlo.negate %x : tensor<16xf32>
    return %0 : tensor<16xf32>
  }
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xf32>) -> (tensor<16xf32>) {
    %0 = "stablehlo.negate"(%arg0) : (tensor<16xf32>) -> tensor<16xf32>
    "func.return"(%0) : (tensor<16xf32>) -> ()
  }
}

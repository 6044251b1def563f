// run: spmd_propagate
module @module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  // Heads: 8 shards of 16 features are 4 shards of heads and 2 of the rest. Three rows cannot be told from 4 shards of 12.
  func.func @main(%x: tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>}, %y: tensor<12x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<4x4x4xf32>, tensor<3x4x4xf32>, tensor<64xf32>) {
    %0 = stablehlo.reshape %x : (tensor<4x16xf32>) -> tensor<4x4x4xf32>
    %1 = stablehlo.reshape %y : (tensor<12x4xf32>) -> tensor<3x4x4xf32>
    %2 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<4x4x4xf32>) -> tensor<4x4x4xf32>
    %3 = stablehlo.reshape %2 : (tensor<4x4x4xf32>) -> tensor<64xf32>
    return %0, %1, %3 : tensor<4x4x4xf32>, tensor<3x4x4xf32>, tensor<64xf32>
  }
}
// ----
module @module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%arg0: tensor<4x16xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{}, {"axis_0", "axis_1", "axis_2"}]>}, %arg1: tensor<12x4xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {}]>}) -> (tensor<4x4x4xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{}, {"axis_0", "axis_1"}, {"axis_2"}]>}, tensor<3x4x4xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{}, {}, {}]>}, tensor<64xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}]>}) {
    %0 = "stablehlo.reshape"(%arg0) : (tensor<4x16xf32>) -> tensor<4x4x4xf32> // [{}, {"axis_0", "axis_1"}, {"axis_2"}]
    %1 = "stablehlo.reshape"(%arg1) : (tensor<12x4xf32>) -> tensor<3x4x4xf32> // [{}, {}, {}]
    %2 = "stablehlo.transpose"(%0) {permutation = array<i64: 1, 0, 2>} : (tensor<4x4x4xf32>) -> tensor<4x4x4xf32> // [{"axis_0", "axis_1"}, {}, {"axis_2"}]
    %3 = "stablehlo.reshape"(%2) : (tensor<4x4x4xf32>) -> tensor<64xf32> // [{"axis_0", "axis_1"}]
    "func.return"(%0, %1, %3) : (tensor<4x4x4xf32>, tensor<3x4x4xf32>, tensor<64xf32>) -> ()
  }
}

module @rules attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<4x8xf32>, tensor<2x2x8xf32>, tensor<8xf32>) {
    %0 = stablehlo.custom_call @turn(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([j, i]) {i=8, j=4}, custom>} : (tensor<8x4xf32>) -> tensor<4x8xf32>
    %1 = stablehlo.custom_call @split(%0) {sdy.sharding_rule = #sdy.op_sharding_rule<([ij, k])->([i, j, k]) {i=2, j=2, k=8} permutation={k}, custom>} : (tensor<4x8xf32>) -> tensor<2x2x8xf32>
    %2 = stablehlo.custom_call @contract(%arg0, %0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [j, i])->([i]) {i=8, j=4} reduction={j}, custom>} : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8xf32>
    return %0, %1, %2 : tensor<4x8xf32>, tensor<2x2x8xf32>, tensor<8xf32>
  }
}

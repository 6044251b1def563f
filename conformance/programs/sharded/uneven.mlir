module @m attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
  func.func @main(%a: tensor<7x6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>}) -> (tensor<5x7x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {"z"}]>}, tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z", "x"}]>}) {
    %z = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.exponential %a : tensor<7x6x5xf32>
    %1 = stablehlo.transpose %0, dims = [2, 0, 1] : (tensor<7x6x5xf32>) -> tensor<5x7x6xf32>
    %2 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [1, 2] : (tensor<7x6x5xf32>, tensor<f32>) -> tensor<7xf32>
    %3 = sdy.sharding_constraint %2 <@mesh, [{"x", "y"}]> : tensor<7xf32>
    return %1, %3 : tensor<5x7x6xf32>, tensor<7xf32>
  }
}

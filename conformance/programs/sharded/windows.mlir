module @m attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func @main(%a: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<18x4xf32>) {
    %z = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%a, %z) <{padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 1>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.maximum %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<16x4xf32>, tensor<f32>) -> tensor<16x4xf32>
    %1 = stablehlo.slice %0 [2:14:1, 0:4:1] : (tensor<16x4xf32>) -> tensor<12x4xf32>
    %2 = stablehlo.reverse %1, dims = [0] : tensor<12x4xf32>
    %3 = stablehlo.pad %2, %z, low = [1, 0], high = [3, 0], interior = [0, 0] : (tensor<12x4xf32>, tensor<f32>) -> tensor<16x4xf32>
    %4 = stablehlo.slice %a [0:2:1, 0:4:1] : (tensor<16x4xf32>) -> tensor<2x4xf32>
    %5 = stablehlo.concatenate %3, %4, dim = 0 : (tensor<16x4xf32>, tensor<2x4xf32>) -> tensor<18x4xf32>
    return %3, %5 : tensor<16x4xf32>, tensor<18x4xf32>
  }
}

module @m attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=8]>
  func.func @main(%a: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %c: tensor<i1>) -> (tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %n = stablehlo.constant dense<3> : tensor<i32>
    %i = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %0:2 = stablehlo.while(%j = %i, %w = %a) : tensor<i32>, tensor<16x4xf32>
    cond {
      %1 = stablehlo.compare LT, %j, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %j, %one : tensor<i32>
      %2 = stablehlo.transpose %w, dims = [1, 0] : (tensor<16x4xf32>) -> tensor<4x16xf32>
      %3 = stablehlo.dot_general %w, %2, contracting_dims = [1] x [0] : (tensor<16x4xf32>, tensor<4x16xf32>) -> tensor<16x16xf32>
      %4 = stablehlo.dot_general %3, %w, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
      stablehlo.return %1, %4 : tensor<i32>, tensor<16x4xf32>
    }
    %5 = "stablehlo.if"(%c) ({
      %6 = stablehlo.sine %0#1 : tensor<16x4xf32>
      stablehlo.return %6 : tensor<16x4xf32>
    }, {
      %6 = sdy.sharding_constraint %0#1 <@mesh, [{}, {}]> : tensor<16x4xf32>
      stablehlo.return %6 : tensor<16x4xf32>
    }) : (tensor<i1>) -> tensor<16x4xf32>
    return %5 : tensor<16x4xf32>
  }
}

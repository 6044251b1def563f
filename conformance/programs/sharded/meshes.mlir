module @m attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  sdy.mesh @turned = <["a"=2, "b"=4], device_ids=[0, 2, 4, 6, 1, 3, 5, 7]>
  sdy.mesh @flat = <["all"=8, "one"=1]>
  sdy.mesh @third = <[], device_ids=[3]>
  func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@turned, [{"a"}, {"b"}]>}, %c: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@third, []>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@flat, [{"one"}, {"all":(2)2}]>}) {
    %0 = stablehlo.add %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x":(1)2, "y", ?}, {}]>]>} : tensor<8x8xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x":(2)2}, {"x":(1)2}], replicated={"y"}> : tensor<8x8xf32>
    %2 = stablehlo.multiply %1, %c : tensor<8x8xf32>
    return %2 : tensor<8x8xf32>
  }
}

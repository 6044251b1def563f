module @sharded attributes {mhlo.num_replicas = 1 : i32, mhlo.num_partitions = 2 : i32} {
  func.func public @main(%x: tensor<128xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> (tensor<128xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) {
    %0 = stablehlo.add %x, %x : tensor<128xf32>
    return %0 : tensor<128xf32>
  }
}

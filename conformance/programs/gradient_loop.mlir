// A loop of 3 iterations in which 4 devices add 8 floats each, and 2 groups of 2 of them gather the sums.
module @gradient_loop attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%x: tensor<8xf32>) -> tensor<16xf32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %last:2 = stablehlo.while(%i = %zero, %sum = %x) : tensor<i32>, tensor<8xf32>
    cond {
      %three = stablehlo.constant dense<3> : tensor<i32>
      %more = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %next = stablehlo.add %i, %one : tensor<i32>
      %all = "stablehlo.all_reduce"(%sum) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %c : tensor<f32>
      }) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
          replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>,
          use_global_device_ids} : (tensor<8xf32>) -> tensor<8xf32> loc("psum"("train.py":7:3))
      stablehlo.return %next, %all : tensor<i32>, tensor<8xf32>
    }
    %out = "stablehlo.all_gather"(%last#1) {all_gather_dim = 0 : i64,
        channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>,
        replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>,
        use_global_device_ids} : (tensor<8xf32>) -> tensor<16xf32> loc("all_gather"("train.py":9:3))
    return %out : tensor<16xf32>
  }
}

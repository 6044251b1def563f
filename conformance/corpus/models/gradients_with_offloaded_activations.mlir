module @jit_gradients_with_offloaded_activations attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12x8x8xf32>, %arg1: tensor<4x8xf32>) -> (tensor<12x8x8xf32> {jax.result_info = "result[0]", mhlo.memory_kind = "device"}, tensor<4x8xf32> {jax.result_info = "result[1]", mhlo.memory_kind = "device"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<12x4x8xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<12x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2:5 = stablehlo.while(%iterArg = %arg0, %iterArg_5 = %c, %iterArg_6 = %arg1, %iterArg_7 = %0, %iterArg_8 = %1) : tensor<12x8x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<12x4x8xf32>, tensor<12x4x8xf32>
    cond {
      %c_9 = stablehlo.constant dense<12> : tensor<i32>
      %9 = stablehlo.compare LT, %iterArg_5, %c_9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    } do {
      %9 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_5) : (tensor<12x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %10:3 = func.call @closed_call(%iterArg_6, %9) : (tensor<4x8xf32>, tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
      %11 = func.call @dynamic_update_index_in_dim(%iterArg_7, %10#1, %iterArg_5) : (tensor<12x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<12x4x8xf32>
      %12 = func.call @dynamic_update_index_in_dim_0(%iterArg_8, %10#2, %iterArg_5) : (tensor<12x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<12x4x8xf32>
      %c_9 = stablehlo.constant dense<1> : tensor<i32>
      %13 = stablehlo.add %iterArg_5, %c_9 : tensor<i32>
      stablehlo.return %iterArg, %13, %10#0, %11, %12 : tensor<12x8x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<12x4x8xf32>, tensor<12x4x8xf32>
    }
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %4 = stablehlo.multiply %3, %2#2 : tensor<4x8xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %6 = stablehlo.multiply %5, %4 : tensor<4x8xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<12x8x8xf32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %8:6 = stablehlo.while(%iterArg = %2#3, %iterArg_5 = %2#4, %iterArg_6 = %arg0, %iterArg_7 = %c_4, %iterArg_8 = %6, %iterArg_9 = %7) : tensor<12x4x8xf32>, tensor<12x4x8xf32>, tensor<12x8x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<12x8x8xf32>
    cond {
      %c_10 = stablehlo.constant dense<12> : tensor<i32>
      %9 = stablehlo.compare LT, %iterArg_7, %c_10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %9 : tensor<i1>
    } do {
      %c_10 = stablehlo.constant dense<12> : tensor<i32>
      %9 = stablehlo.subtract %c_10, %iterArg_7 : tensor<i32>
      %c_11 = stablehlo.constant dense<1> : tensor<i32>
      %10 = stablehlo.subtract %9, %c_11 : tensor<i32>
      %11 = func.call @dynamic_index_in_dim_1(%iterArg, %10) : (tensor<12x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %12 = func.call @dynamic_index_in_dim_2(%iterArg_5, %10) : (tensor<12x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %13 = func.call @dynamic_index_in_dim(%iterArg_6, %10) : (tensor<12x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %14:2 = func.call @closed_call_3(%iterArg_8, %11, %12, %13) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<8x8xf32>)
      %15 = func.call @dynamic_update_index_in_dim_4(%iterArg_9, %14#1, %10) : (tensor<12x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<12x8x8xf32>
      %c_12 = stablehlo.constant dense<1> : tensor<i32>
      %16 = stablehlo.add %iterArg_7, %c_12 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_5, %iterArg_6, %16, %14#0, %15 : tensor<12x4x8xf32>, tensor<12x4x8xf32>, tensor<12x8x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<12x8x8xf32>
    }
    return %8#5, %8#4 : tensor<12x8x8xf32>, tensor<4x8xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<12x8x8xf32>, %arg1: tensor<i32>) -> tensor<8x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 8] : (tensor<12x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    return %1 : tensor<8x8xf32>
  }
  func.func private @closed_call(%arg0: tensor<4x8xf32>, %arg1: tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %1 = stablehlo.tanh %0 : tensor<4x8xf32>
    %2 = stablehlo.custom_call @annotate_device_placement(%1) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %3 = stablehlo.sine %1 : tensor<4x8xf32>
    return %3, %2, %arg0 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<12x4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<i32>) -> tensor<12x4x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<12x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<12x4x8xf32>
    return %1 : tensor<12x4x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_0(%arg0: tensor<12x4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<i32>) -> tensor<12x4x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<12x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<12x4x8xf32>
    return %1 : tensor<12x4x8xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<12x4x8xf32>, %arg1: tensor<i32>) -> tensor<4x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 8] : (tensor<12x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    return %1 : tensor<4x8xf32>
  }
  func.func private @dynamic_index_in_dim_2(%arg0: tensor<12x4x8xf32>, %arg1: tensor<i32>) -> tensor<4x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 4, 8] : (tensor<12x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    return %1 : tensor<4x8xf32>
  }
  func.func private @closed_call_3(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xf32>, %arg2: tensor<4x8xf32>, %arg3: tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<8x8xf32>) {
    %0:4 = stablehlo.optimization_barrier %arg1, %arg2, %arg3, %arg0 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>
    %1 = stablehlo.dot_general %0#1, %0#2, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %2 = stablehlo.tanh %1 : tensor<4x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %4 = stablehlo.subtract %3, %2 : tensor<4x8xf32>
    %5 = stablehlo.custom_call @annotate_device_placement(%0#0) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %6 = stablehlo.cosine %5 : tensor<4x8xf32>
    %7 = stablehlo.multiply %0#3, %6 : tensor<4x8xf32>
    %8 = stablehlo.multiply %7, %4 : tensor<4x8xf32>
    %9 = stablehlo.multiply %8, %2 : tensor<4x8xf32>
    %10 = stablehlo.add %8, %9 : tensor<4x8xf32>
    %11 = stablehlo.dot_general %10, %0#1, contracting_dims = [0] x [0] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %12 = stablehlo.transpose %11, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %13 = stablehlo.dot_general %10, %0#2, contracting_dims = [1] x [1] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    return %13, %12 : tensor<4x8xf32>, tensor<8x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_4(%arg0: tensor<12x8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<i32>) -> tensor<12x8x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<12x8x8xf32>, tensor<1x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<12x8x8xf32>
    return %1 : tensor<12x8x8xf32>
  }
}

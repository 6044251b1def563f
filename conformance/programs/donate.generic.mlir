"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{tf.aliasing_output = 0 : i32}, {}], function_type = (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<256xf32>, %arg1: tensor<256xf32>):
    %0 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<256xf32>
    %2 = "stablehlo.multiply"(%arg0, %1) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    %3 = "stablehlo.add"(%2, %arg1) : (tensor<256xf32>, tensor<256xf32>) -> tensor<256xf32>
    "func.return"(%3) : (tensor<256xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

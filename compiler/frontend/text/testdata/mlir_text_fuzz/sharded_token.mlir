module @sharded_token attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func public @main(%arg0: !stablehlo.token {jax.token = true}, %arg1: tensor<8xf32>) -> (!stablehlo.token {jax.token = true}, tensor<8xf32>) {
    %0:2 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, []>, <@mesh, [{"x"}]>] out_shardings=[<@mesh, []>, <@mesh, [{"x"}]>] manual_axes={"x"} (%arg2: !stablehlo.token, %arg3: tensor<4xf32>) {
      %1 = stablehlo.custom_call @report(%arg2, %arg3) {has_side_effect = true} : (!stablehlo.token, tensor<4xf32>) -> !stablehlo.token
      sdy.return %1, %arg3 : !stablehlo.token, tensor<4xf32>
    } : (!stablehlo.token, tensor<8xf32>) -> (!stablehlo.token, tensor<8xf32>)
    return %0#0, %0#1 : !stablehlo.token, tensor<8xf32>
  }
}

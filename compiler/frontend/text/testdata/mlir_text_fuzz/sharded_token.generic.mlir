"builtin.module"() <{sym_name = "sharded_token"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2]>, sym_name = "mesh"}> : () -> ()
  "func.func"() <{arg_attrs = [{jax.token = true}, {}], function_type = (!stablehlo.token, tensor<8xf32>) -> (!stablehlo.token, tensor<8xf32>), res_attrs = [{jax.token = true}, {}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: !stablehlo.token, %arg1: tensor<8xf32>):
    %0:2 = "sdy.manual_computation"(%arg0, %arg1) <{in_shardings = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{"x"}]>]>, manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{"x"}]>]>}> ({
    ^bb0(%arg2: !stablehlo.token, %arg3: tensor<4xf32>):
      %1 = "stablehlo.custom_call"(%arg2, %arg3) <{call_target_name = "report", has_side_effect = true}> : (!stablehlo.token, tensor<4xf32>) -> !stablehlo.token
      "sdy.return"(%1, %arg3) : (!stablehlo.token, tensor<4xf32>) -> ()
    }) : (!stablehlo.token, tensor<8xf32>) -> (!stablehlo.token, tensor<8xf32>)
    "func.return"(%0#0, %0#1) : (!stablehlo.token, tensor<8xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

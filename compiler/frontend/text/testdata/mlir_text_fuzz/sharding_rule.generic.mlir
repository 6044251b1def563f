"builtin.module"() <{sym_name = "rules"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2, "y"=2]>, sym_name = "mesh"}> : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}], function_type = (tensor<8x4xf32>) -> (tensor<4x8xf32>, tensor<2x2x8xf32>, tensor<8xf32>), sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<8x4xf32>):
    %0 = "stablehlo.custom_call"(%arg0) <{call_target_name = "turn"}> {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([j, i]) {i=8, j=4}, custom>} : (tensor<8x4xf32>) -> tensor<4x8xf32>
    %1 = "stablehlo.custom_call"(%0) <{call_target_name = "split"}> {sdy.sharding_rule = #sdy.op_sharding_rule<([ij, k])->([i, j, k]) {i=2, j=2, k=8} permutation={k}, custom>} : (tensor<4x8xf32>) -> tensor<2x2x8xf32>
    %2 = "stablehlo.custom_call"(%arg0, %0) <{call_target_name = "contract"}> {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [j, i])->([i]) {i=8, j=4} reduction={j}, custom>} : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8xf32>
    "func.return"(%0, %1, %2) : (tensor<4x8xf32>, tensor<2x2x8xf32>, tensor<8xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

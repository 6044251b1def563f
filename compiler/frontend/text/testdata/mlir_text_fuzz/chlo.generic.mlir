"builtin.module"() <{sym_name = "jit_chlo"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x4xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>), res_attrs = [{jax.result_info = "result[0][0]"}, {jax.result_info = "result[0][1]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}, {jax.result_info = "result[5]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4x4xf32>):
    %0:2 = "chlo.top_k"(%arg0) <{k = 2 : i64}> : (tensor<4x4xf32>) -> (tensor<4x2xf32>, tensor<4x2xi32>)
    %1 = "chlo.erf_inv"(%arg0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = "chlo.lgamma"(%arg0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %3 = "chlo.erf"(%arg0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %4 = "chlo.asin"(%arg0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %5 = "stablehlo.dot_general"(%arg0, %arg0) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    "func.return"(%0#0, %0#1, %1, %2, %3, %4, %5) : (tensor<4x2xf32>, tensor<4x2xi32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

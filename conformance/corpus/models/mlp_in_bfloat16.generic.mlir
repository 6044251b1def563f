"builtin.module"() <{sym_name = "jit_mlp_in_bfloat16"}> ({
  "func.func"() <{function_type = (tensor<4x6xbf16>, tensor<6x8xbf16>, tensor<8x5xbf16>) -> tensor<4x5xbf16>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg1: tensor<4x6xbf16>, %arg2: tensor<6x8xbf16>, %arg3: tensor<8x5xbf16>):
    %9 = "stablehlo.dot_general"(%arg1, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x6xbf16>, tensor<6x8xbf16>) -> tensor<4x8xbf16>
    %10 = "func.call"(%9) <{callee = @silu}> : (tensor<4x8xbf16>) -> tensor<4x8xbf16>
    %11 = "stablehlo.dot_general"(%10, %arg3) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x8xbf16>, tensor<8x5xbf16>) -> tensor<4x5xbf16>
    "func.return"(%11) : (tensor<4x5xbf16>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x8xbf16>) -> tensor<4x8xbf16>, sym_name = "silu", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4x8xbf16>):
    %0 = "stablehlo.negate"(%arg0) : (tensor<4x8xbf16>) -> tensor<4x8xbf16>
    %1 = "stablehlo.exponential"(%0) : (tensor<4x8xbf16>) -> tensor<4x8xbf16>
    %2 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<4x8xbf16>
    %4 = "stablehlo.add"(%3, %1) : (tensor<4x8xbf16>, tensor<4x8xbf16>) -> tensor<4x8xbf16>
    %5 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<bf16>}> : () -> tensor<bf16>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<4x8xbf16>
    %7 = "stablehlo.divide"(%6, %4) : (tensor<4x8xbf16>, tensor<4x8xbf16>) -> tensor<4x8xbf16>
    %8 = "stablehlo.multiply"(%arg0, %7) : (tensor<4x8xbf16>, tensor<4x8xbf16>) -> tensor<4x8xbf16>
    "func.return"(%8) : (tensor<4x8xbf16>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

"builtin.module"() <{sym_name = "jit_scan_of_training_steps"}> ({
  "func.func"() <{function_type = (tensor<8x2xf32>, tensor<f32>) -> (tensor<2x1xf32>, tensor<6xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg9: tensor<8x2xf32>, %arg10: tensor<f32>):
    %23 = "stablehlo.slice"(%arg9) <{limit_indices = array<i64: 8, 1>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<8x2xf32>) -> tensor<8x1xf32>
    %24 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x1xf32>
    %26 = "stablehlo.multiply"(%23, %25) : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
    %27 = "stablehlo.slice"(%arg9) <{limit_indices = array<i64: 8, 2>, start_indices = array<i64: 0, 1>, strides = array<i64: 1, 1>}> : (tensor<8x2xf32>) -> tensor<8x1xf32>
    %28 = "stablehlo.subtract"(%26, %27) : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
    %29 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %30 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x1xf32>
    %31 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<6xf32>
    %33 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %34:6 = "stablehlo.while"(%arg9, %28, %arg10, %33, %30, %32) ({
    ^bb0(%arg17: tensor<8x2xf32>, %arg18: tensor<8x1xf32>, %arg19: tensor<f32>, %arg20: tensor<i32>, %arg21: tensor<2x1xf32>, %arg22: tensor<6xf32>):
      %39 = "stablehlo.constant"() <{value = dense<6> : tensor<i32>}> : () -> tensor<i32>
      %40 = "stablehlo.compare"(%arg20, %39) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%40) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg11: tensor<8x2xf32>, %arg12: tensor<8x1xf32>, %arg13: tensor<f32>, %arg14: tensor<i32>, %arg15: tensor<2x1xf32>, %arg16: tensor<6xf32>):
      %35:2 = "func.call"(%arg11, %arg12, %arg13, %arg15) <{callee = @closed_call}> : (tensor<8x2xf32>, tensor<8x1xf32>, tensor<f32>, tensor<2x1xf32>) -> (tensor<2x1xf32>, tensor<f32>)
      %36 = "func.call"(%arg16, %35#1, %arg14) <{callee = @dynamic_update_index_in_dim}> : (tensor<6xf32>, tensor<f32>, tensor<i32>) -> tensor<6xf32>
      %37 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %38 = "stablehlo.add"(%arg14, %37) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg11, %arg12, %arg13, %38, %35#0, %36) : (tensor<8x2xf32>, tensor<8x1xf32>, tensor<f32>, tensor<i32>, tensor<2x1xf32>, tensor<6xf32>) -> ()
    }) : (tensor<8x2xf32>, tensor<8x1xf32>, tensor<f32>, tensor<i32>, tensor<2x1xf32>, tensor<6xf32>) -> (tensor<8x2xf32>, tensor<8x1xf32>, tensor<f32>, tensor<i32>, tensor<2x1xf32>, tensor<6xf32>)
    "func.return"(%34#4, %34#5) : (tensor<2x1xf32>, tensor<6xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<8x2xf32>, tensor<8x1xf32>, tensor<f32>, tensor<2x1xf32>) -> (tensor<2x1xf32>, tensor<f32>), sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<8x2xf32>, %arg4: tensor<8x1xf32>, %arg5: tensor<f32>, %arg6: tensor<2x1xf32>):
    %2 = "stablehlo.dot_general"(%arg3, %arg6) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<8x2xf32>, tensor<2x1xf32>) -> tensor<8x1xf32>
    %3 = "stablehlo.subtract"(%2, %arg4) : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
    %4 = "stablehlo.multiply"(%3, %3) : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
    %5 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x1xf32>
    %7 = "stablehlo.multiply"(%6, %3) : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
    %8 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %9 = "stablehlo.reduce"(%4, %8) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg7: tensor<f32>, %arg8: tensor<f32>):
      %22 = "stablehlo.add"(%arg7, %arg8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%22) : (tensor<f32>) -> ()
    }) : (tensor<8x1xf32>, tensor<f32>) -> tensor<f32>
    %10 = "stablehlo.constant"() <{value = dense<8.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %11 = "stablehlo.divide"(%9, %10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %12 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %13 = "stablehlo.constant"() <{value = dense<8.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %14 = "stablehlo.divide"(%12, %13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %15 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8x1xf32>
    %16 = "stablehlo.multiply"(%15, %7) : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
    %17 = "stablehlo.dot_general"(%16, %arg3) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>}> : (tensor<8x1xf32>, tensor<8x2xf32>) -> tensor<1x2xf32>
    %18 = "stablehlo.transpose"(%17) <{permutation = array<i64: 1, 0>}> : (tensor<1x2xf32>) -> tensor<2x1xf32>
    %19 = "stablehlo.broadcast_in_dim"(%arg5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x1xf32>
    %20 = "stablehlo.multiply"(%19, %18) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    %21 = "stablehlo.subtract"(%arg6, %20) : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
    "func.return"(%21, %11) : (tensor<2x1xf32>, tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<6xf32>, tensor<f32>, tensor<i32>) -> tensor<6xf32>, sym_name = "dynamic_update_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<6xf32>, %arg1: tensor<f32>, %arg2: tensor<i32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
    %1 = "stablehlo.dynamic_update_slice"(%arg0, %0, %arg2) : (tensor<6xf32>, tensor<1xf32>, tensor<i32>) -> tensor<6xf32>
    "func.return"(%1) : (tensor<6xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

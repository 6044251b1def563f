"builtin.module"() <{sym_name = "jit_cnn_gradients"}> ({
  "func.func"() <{function_type = (tensor<2x6x6x2xf32>, tensor<3x3x2x3xf32>, tensor<27x2xf32>) -> (tensor<f32>, tensor<3x3x2x3xf32>, tensor<27x2xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1][0]"}, {jax.result_info = "result[1][1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x6x6x2xf32>, %arg1: tensor<3x3x2x3xf32>, %arg2: tensor<27x2xf32>):
    %0 = "stablehlo.convolution"(%arg0, %arg1) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, padding = dense<[[0, 1], [0, 1]]> : tensor<2x2xi64>, window_strides = array<i64: 2, 2>}> : (tensor<2x6x6x2xf32>, tensor<3x3x2x3xf32>) -> tensor<2x3x3x3xf32>
    %1 = "stablehlo.multiply"(%0, %0) : (tensor<2x3x3x3xf32>, tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
    %2 = "stablehlo.multiply"(%1, %0) : (tensor<2x3x3x3xf32>, tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
    %3 = "stablehlo.multiply"(%0, %0) : (tensor<2x3x3x3xf32>, tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
    %4 = "stablehlo.constant"() <{value = dense<3.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x3x3xf32>
    %6 = "stablehlo.multiply"(%5, %3) : (tensor<2x3x3x3xf32>, tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
    %7 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x3x3xf32>
    %9 = "stablehlo.multiply"(%8, %2) : (tensor<2x3x3x3xf32>, tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
    %10 = "stablehlo.add"(%0, %9) : (tensor<2x3x3x3xf32>, tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
    %11 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x3x3xf32>
    %13 = "stablehlo.multiply"(%12, %10) : (tensor<2x3x3x3xf32>, tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
    %14 = "stablehlo.tanh"(%13) : (tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
    %15 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x3x3xf32>
    %17 = "stablehlo.subtract"(%16, %14) : (tensor<2x3x3x3xf32>, tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
    %18 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x3x3xf32>
    %20 = "stablehlo.add"(%19, %14) : (tensor<2x3x3x3xf32>, tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
    %21 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x3x3xf32>
    %23 = "stablehlo.multiply"(%22, %20) : (tensor<2x3x3x3xf32>, tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
    %24 = "stablehlo.multiply"(%0, %23) : (tensor<2x3x3x3xf32>, tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
    %25 = "stablehlo.reshape"(%24) : (tensor<2x3x3x3xf32>) -> tensor<2x27xf32>
    %26 = "stablehlo.dot_general"(%25, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x27xf32>, tensor<27x2xf32>) -> tensor<2x2xf32>
    %27 = "stablehlo.multiply"(%26, %26) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %28 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2xf32>
    %30 = "stablehlo.multiply"(%29, %26) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %31 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %32 = "stablehlo.reduce"(%27, %31) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %62 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%62) : (tensor<f32>) -> ()
    }) : (tensor<2x2xf32>, tensor<f32>) -> tensor<f32>
    %33 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %34 = "stablehlo.divide"(%32, %33) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %35 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %36 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.divide"(%35, %36) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %38 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2xf32>
    %39 = "stablehlo.multiply"(%38, %30) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %40 = "stablehlo.dot_general"(%39, %25) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>}> : (tensor<2x2xf32>, tensor<2x27xf32>) -> tensor<2x27xf32>
    %41 = "stablehlo.transpose"(%40) <{permutation = array<i64: 1, 0>}> : (tensor<2x27xf32>) -> tensor<27x2xf32>
    %42 = "stablehlo.dot_general"(%39, %arg2) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<2x2xf32>, tensor<27x2xf32>) -> tensor<2x27xf32>
    %43 = "stablehlo.reshape"(%42) : (tensor<2x27xf32>) -> tensor<2x3x3x3xf32>
    %44 = "stablehlo.multiply"(%0, %43) : (tensor<2x3x3x3xf32>, tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
    %45 = "stablehlo.multiply"(%43, %23) : (tensor<2x3x3x3xf32>, tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
    %46 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %47 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x3x3xf32>
    %48 = "stablehlo.multiply"(%47, %44) : (tensor<2x3x3x3xf32>, tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
    %49 = "stablehlo.multiply"(%48, %17) : (tensor<2x3x3x3xf32>, tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
    %50 = "stablehlo.multiply"(%49, %14) : (tensor<2x3x3x3xf32>, tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
    %51 = "stablehlo.add"(%49, %50) : (tensor<2x3x3x3xf32>, tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
    %52 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x3x3xf32>
    %54 = "stablehlo.multiply"(%53, %51) : (tensor<2x3x3x3xf32>, tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
    %55 = "stablehlo.add"(%45, %54) : (tensor<2x3x3x3xf32>, tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
    %56 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %57 = "stablehlo.broadcast_in_dim"(%56) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x3x3x3xf32>
    %58 = "stablehlo.multiply"(%57, %54) : (tensor<2x3x3x3xf32>, tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
    %59 = "stablehlo.multiply"(%58, %6) : (tensor<2x3x3x3xf32>, tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
    %60 = "stablehlo.add"(%55, %59) : (tensor<2x3x3x3xf32>, tensor<2x3x3x3xf32>) -> tensor<2x3x3x3xf32>
    %61 = "stablehlo.convolution"(%arg0, %60) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]>, feature_group_count = 1 : i64, padding = dense<[[0, 1], [0, 1]]> : tensor<2x2xi64>, rhs_dilation = array<i64: 2, 2>}> : (tensor<2x6x6x2xf32>, tensor<2x3x3x3xf32>) -> tensor<3x3x2x3xf32>
    "func.return"(%34, %61, %41) : (tensor<f32>, tensor<3x3x2x3xf32>, tensor<27x2xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

"builtin.module"() <{sym_name = "jit_runge_kutta_while"}> ({
  "func.func"() <{function_type = (tensor<2xf32>) -> (tensor<f32>, tensor<2xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1:2 = "stablehlo.while"(%0, %arg0) ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<2xf32>):
      %61 = "stablehlo.constant"() <{value = dense<0.949999988> : tensor<f32>}> : () -> tensor<f32>
      %62 = "stablehlo.compare"(%arg3, %61) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%62) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<2xf32>):
      %2 = "stablehlo.slice"(%arg2) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xf32>) -> tensor<1xf32>
      %3 = "stablehlo.reshape"(%2) : (tensor<1xf32>) -> tensor<f32>
      %4 = "stablehlo.slice"(%arg2) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xf32>) -> tensor<1xf32>
      %5 = "stablehlo.reshape"(%4) : (tensor<1xf32>) -> tensor<f32>
      %6 = "stablehlo.negate"(%5) : (tensor<f32>) -> tensor<f32>
      %7 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
      %8 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
      %9 = "stablehlo.concatenate"(%7, %8) <{dimension = 0 : i64}> : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
      %10 = "stablehlo.constant"() <{value = dense<5.000000e-02> : tensor<f32>}> : () -> tensor<f32>
      %11 = "stablehlo.broadcast_in_dim"(%10) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2xf32>
      %12 = "stablehlo.multiply"(%11, %9) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %13 = "stablehlo.add"(%arg2, %12) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %14 = "stablehlo.slice"(%13) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xf32>) -> tensor<1xf32>
      %15 = "stablehlo.reshape"(%14) : (tensor<1xf32>) -> tensor<f32>
      %16 = "stablehlo.slice"(%13) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xf32>) -> tensor<1xf32>
      %17 = "stablehlo.reshape"(%16) : (tensor<1xf32>) -> tensor<f32>
      %18 = "stablehlo.negate"(%17) : (tensor<f32>) -> tensor<f32>
      %19 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
      %20 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
      %21 = "stablehlo.concatenate"(%19, %20) <{dimension = 0 : i64}> : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
      %22 = "stablehlo.constant"() <{value = dense<5.000000e-02> : tensor<f32>}> : () -> tensor<f32>
      %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2xf32>
      %24 = "stablehlo.multiply"(%23, %21) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %25 = "stablehlo.add"(%arg2, %24) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %26 = "stablehlo.slice"(%25) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xf32>) -> tensor<1xf32>
      %27 = "stablehlo.reshape"(%26) : (tensor<1xf32>) -> tensor<f32>
      %28 = "stablehlo.slice"(%25) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xf32>) -> tensor<1xf32>
      %29 = "stablehlo.reshape"(%28) : (tensor<1xf32>) -> tensor<f32>
      %30 = "stablehlo.negate"(%29) : (tensor<f32>) -> tensor<f32>
      %31 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
      %32 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
      %33 = "stablehlo.concatenate"(%31, %32) <{dimension = 0 : i64}> : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
      %34 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
      %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2xf32>
      %36 = "stablehlo.multiply"(%35, %33) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %37 = "stablehlo.add"(%arg2, %36) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %38 = "stablehlo.slice"(%37) <{limit_indices = array<i64: 2>, start_indices = array<i64: 1>, strides = array<i64: 1>}> : (tensor<2xf32>) -> tensor<1xf32>
      %39 = "stablehlo.reshape"(%38) : (tensor<1xf32>) -> tensor<f32>
      %40 = "stablehlo.slice"(%37) <{limit_indices = array<i64: 1>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<2xf32>) -> tensor<1xf32>
      %41 = "stablehlo.reshape"(%40) : (tensor<1xf32>) -> tensor<f32>
      %42 = "stablehlo.negate"(%41) : (tensor<f32>) -> tensor<f32>
      %43 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
      %44 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<1xf32>
      %45 = "stablehlo.concatenate"(%43, %44) <{dimension = 0 : i64}> : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
      %46 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<f32>}> : () -> tensor<f32>
      %47 = "stablehlo.add"(%arg1, %46) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %48 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2xf32>
      %50 = "stablehlo.multiply"(%49, %21) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %51 = "stablehlo.add"(%9, %50) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %52 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
      %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2xf32>
      %54 = "stablehlo.multiply"(%53, %33) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %55 = "stablehlo.add"(%51, %54) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %56 = "stablehlo.add"(%55, %45) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %57 = "stablehlo.constant"() <{value = dense<0.0166666675> : tensor<f32>}> : () -> tensor<f32>
      %58 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2xf32>
      %59 = "stablehlo.multiply"(%58, %56) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %60 = "stablehlo.add"(%arg2, %59) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      "stablehlo.return"(%47, %60) : (tensor<f32>, tensor<2xf32>) -> ()
    }) : (tensor<f32>, tensor<2xf32>) -> (tensor<f32>, tensor<2xf32>)
    "func.return"(%1#0, %1#1) : (tensor<f32>, tensor<2xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

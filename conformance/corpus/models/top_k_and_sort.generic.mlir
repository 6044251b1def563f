"builtin.module"() <{sym_name = "jit_top_k_and_sort"}> ({
  "func.func"() <{function_type = (tensor<5x16xf32>) -> (tensor<5x3xf32>, tensor<5x3xi32>, tensor<5x16xf32>, tensor<5x16xi32>, tensor<5x16xf32>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}, {jax.result_info = "result[2]"}, {jax.result_info = "result[3]"}, {jax.result_info = "result[4]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg17: tensor<5x16xf32>):
    %35:2 = "stablehlo.composite"(%arg17) <{composite_attributes = {k = 3 : i64}, decomposition = @chlo.top_k.impl, name = "chlo.top_k", version = 1 : i32}> : (tensor<5x16xf32>) -> (tensor<5x3xf32>, tensor<5x3xi32>)
    %36 = "func.call"(%arg17) <{callee = @sort}> : (tensor<5x16xf32>) -> tensor<5x16xf32>
    %37 = "func.call"(%arg17) <{callee = @argsort}> : (tensor<5x16xf32>) -> tensor<5x16xi32>
    %38 = "func.call"(%arg17) <{callee = @cumsum}> : (tensor<5x16xf32>) -> tensor<5x16xf32>
    "func.return"(%35#0, %35#1, %36, %37, %38) : (tensor<5x3xf32>, tensor<5x3xi32>, tensor<5x16xf32>, tensor<5x16xi32>, tensor<5x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<5x16xf32>) -> (tensor<5x3xf32>, tensor<5x3xi32>), sym_name = "chlo.top_k.impl", sym_visibility = "private"}> ({
  ^bb0(%arg12: tensor<5x16xf32>):
    %30 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<5x16xi32>
    %31:2 = "stablehlo.sort"(%arg12, %30) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg13: tensor<f32>, %arg14: tensor<f32>, %arg15: tensor<i32>, %arg16: tensor<i32>):
      %34 = "stablehlo.compare"(%arg13, %arg14) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%34) : (tensor<i1>) -> ()
    }) : (tensor<5x16xf32>, tensor<5x16xi32>) -> (tensor<5x16xf32>, tensor<5x16xi32>)
    %32 = "stablehlo.slice"(%31#0) <{limit_indices = array<i64: 5, 3>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<5x16xf32>) -> tensor<5x3xf32>
    %33 = "stablehlo.slice"(%31#1) <{limit_indices = array<i64: 5, 3>, start_indices = array<i64: 0, 0>, strides = array<i64: 1, 1>}> : (tensor<5x16xi32>) -> tensor<5x3xi32>
    "func.return"(%32, %33) : (tensor<5x3xf32>, tensor<5x3xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<5x16xf32>) -> tensor<5x16xf32>, sym_name = "sort", sym_visibility = "private"}> ({
  ^bb0(%arg9: tensor<5x16xf32>):
    %18 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %19 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %20 = "stablehlo.sort"(%arg9) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %21 = "stablehlo.compare"(%arg10, %19) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %22 = "stablehlo.select"(%21, %19, %arg10) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %23 = "stablehlo.compare"(%arg10, %arg10) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %24 = "stablehlo.select"(%23, %18, %22) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %25 = "stablehlo.compare"(%arg11, %19) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %26 = "stablehlo.select"(%25, %19, %arg11) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %27 = "stablehlo.compare"(%arg11, %arg11) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %28 = "stablehlo.select"(%27, %18, %26) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %29 = "stablehlo.compare"(%24, %28) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%29) : (tensor<i1>) -> ()
    }) : (tensor<5x16xf32>) -> tensor<5x16xf32>
    "func.return"(%20) : (tensor<5x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<5x16xf32>) -> tensor<5x16xi32>, sym_name = "argsort", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<5x16xf32>):
    %5 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %6 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<5x16xi32>
    %8:2 = "stablehlo.sort"(%arg4, %7) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>, %arg7: tensor<i32>, %arg8: tensor<i32>):
      %9 = "stablehlo.compare"(%arg5, %6) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %10 = "stablehlo.select"(%9, %6, %arg5) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %11 = "stablehlo.compare"(%arg5, %arg5) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %12 = "stablehlo.select"(%11, %5, %10) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %13 = "stablehlo.compare"(%arg6, %6) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %14 = "stablehlo.select"(%13, %6, %arg6) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %15 = "stablehlo.compare"(%arg6, %arg6) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %16 = "stablehlo.select"(%15, %5, %14) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %17 = "stablehlo.compare"(%12, %16) <{compare_type = #stablehlo<comparison_type TOTALORDER>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%17) : (tensor<i1>) -> ()
    }) : (tensor<5x16xf32>, tensor<5x16xi32>) -> (tensor<5x16xf32>, tensor<5x16xi32>)
    "func.return"(%8#1) : (tensor<5x16xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<5x16xf32>) -> tensor<5x16xf32>, sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<5x16xf32>):
    %4 = "func.call"(%arg3) <{callee = @cumsum_0}> : (tensor<5x16xf32>) -> tensor<5x16xf32>
    "func.return"(%4) : (tensor<5x16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<5x16xf32>) -> tensor<5x16xf32>, sym_name = "cumsum_0", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<5x16xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %2 = "stablehlo.reduce_window"(%arg0, %1) <{padding = dense<[[0, 0], [15, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 16>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %3 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%3) : (tensor<f32>) -> ()
    }) : (tensor<5x16xf32>, tensor<f32>) -> tensor<5x16xf32>
    "func.return"(%2) : (tensor<5x16xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

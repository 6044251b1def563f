"builtin.module"() <{sym_name = "jit_transformer_block"}> ({
  "func.func"() <{function_type = (tensor<2x5x8xf32>, tensor<8x24xf32>, tensor<8x8xf32>, tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<2x5x8xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg13: tensor<2x5x8xf32>, %arg14: tensor<8x24xf32>, %arg15: tensor<8x8xf32>, %arg16: tensor<8x16xf32>, %arg17: tensor<16x8xf32>):
    %36 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %38 = "stablehlo.constant"() <{value = dense<0.797884583> : tensor<f32>}> : () -> tensor<f32>
    %39 = "stablehlo.constant"() <{value = dense<4.471500e-02> : tensor<f32>}> : () -> tensor<f32>
    %40 = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %41 = "stablehlo.constant"() <{value = dense<-1.000000e+09> : tensor<f32>}> : () -> tensor<f32>
    %42 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    %43 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %44 = "stablehlo.constant"() <{value = dense<9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %45 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %46 = "stablehlo.constant"() <{value = dense<8.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %47 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %48 = "stablehlo.reduce"(%arg13, %47) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg24: tensor<f32>, %arg25: tensor<f32>):
      %120 = "stablehlo.add"(%arg24, %arg25) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%120) : (tensor<f32>) -> ()
    }) : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %49 = "stablehlo.broadcast_in_dim"(%48) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %50 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x5x1xf32>
    %51 = "stablehlo.divide"(%49, %50) : (tensor<2x5x1xf32>, tensor<2x5x1xf32>) -> tensor<2x5x1xf32>
    %52 = "stablehlo.broadcast_in_dim"(%51) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %53 = "stablehlo.subtract"(%arg13, %52) : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    %54 = "func.call"(%arg13, %45) <{callee = @_var}> : (tensor<2x5x8xf32>, tensor<i32>) -> tensor<2x5x1xf32>
    %55 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x5x1xf32>
    %56 = "stablehlo.add"(%54, %55) : (tensor<2x5x1xf32>, tensor<2x5x1xf32>) -> tensor<2x5x1xf32>
    %57 = "stablehlo.rsqrt"(%56) : (tensor<2x5x1xf32>) -> tensor<2x5x1xf32>
    %58 = "stablehlo.broadcast_in_dim"(%57) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %59 = "stablehlo.multiply"(%53, %58) : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    %60 = "stablehlo.dot_general"(%59, %arg14) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>}> : (tensor<2x5x8xf32>, tensor<8x24xf32>) -> tensor<2x5x24xf32>
    %61 = "stablehlo.slice"(%60) <{limit_indices = array<i64: 2, 5, 8>, start_indices = array<i64: 0, 0, 0>, strides = array<i64: 1, 1, 1>}> : (tensor<2x5x24xf32>) -> tensor<2x5x8xf32>
    %62 = "stablehlo.slice"(%60) <{limit_indices = array<i64: 2, 5, 16>, start_indices = array<i64: 0, 0, 8>, strides = array<i64: 1, 1, 1>}> : (tensor<2x5x24xf32>) -> tensor<2x5x8xf32>
    %63 = "stablehlo.slice"(%60) <{limit_indices = array<i64: 2, 5, 24>, start_indices = array<i64: 0, 0, 16>, strides = array<i64: 1, 1, 1>}> : (tensor<2x5x24xf32>) -> tensor<2x5x8xf32>
    %64 = "stablehlo.reshape"(%61) : (tensor<2x5x8xf32>) -> tensor<2x5x2x4xf32>
    %65 = "stablehlo.reshape"(%62) : (tensor<2x5x8xf32>) -> tensor<2x5x2x4xf32>
    %66 = "stablehlo.reshape"(%63) : (tensor<2x5x8xf32>) -> tensor<2x5x2x4xf32>
    %67 = "stablehlo.dot_general"(%64, %65) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>}> : (tensor<2x5x2x4xf32>, tensor<2x5x2x4xf32>) -> tensor<2x2x5x5xf32>
    %68 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x5x5xf32>
    %69 = "stablehlo.divide"(%67, %68) : (tensor<2x2x5x5xf32>, tensor<2x2x5x5xf32>) -> tensor<2x2x5x5xf32>
    %70 = "stablehlo.broadcast_in_dim"(%42) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<5x5xi1>
    %71 = "func.call"(%70) <{callee = @tril}> : (tensor<5x5xi1>) -> tensor<5x5xi1>
    %72 = "func.call"(%71, %69, %41) <{callee = @_where_0}> : (tensor<5x5xi1>, tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5x5xf32>
    %73 = "stablehlo.reduce"(%72, %40) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg22: tensor<f32>, %arg23: tensor<f32>):
      %119 = "stablehlo.maximum"(%arg22, %arg23) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%119) : (tensor<f32>) -> ()
    }) : (tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5xf32>
    %74 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x5xf32>
    %75 = "stablehlo.maximum"(%74, %73) : (tensor<2x2x5xf32>, tensor<2x2x5xf32>) -> tensor<2x2x5xf32>
    %76 = "stablehlo.broadcast_in_dim"(%75) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x2x5xf32>) -> tensor<2x2x5x1xf32>
    %77 = "stablehlo.broadcast_in_dim"(%76) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x5x1xf32>) -> tensor<2x2x5x5xf32>
    %78 = "stablehlo.subtract"(%72, %77) : (tensor<2x2x5x5xf32>, tensor<2x2x5x5xf32>) -> tensor<2x2x5x5xf32>
    %79 = "stablehlo.exponential"(%78) : (tensor<2x2x5x5xf32>) -> tensor<2x2x5x5xf32>
    %80 = "stablehlo.reduce"(%79, %47) <{dimensions = array<i64: 3>}> ({
    ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
      %118 = "stablehlo.add"(%arg20, %arg21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%118) : (tensor<f32>) -> ()
    }) : (tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5xf32>
    %81 = "stablehlo.broadcast_in_dim"(%80) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x2x5xf32>) -> tensor<2x2x5x1xf32>
    %82 = "stablehlo.broadcast_in_dim"(%81) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<2x2x5x1xf32>) -> tensor<2x2x5x5xf32>
    %83 = "stablehlo.divide"(%79, %82) : (tensor<2x2x5x5xf32>, tensor<2x2x5x5xf32>) -> tensor<2x2x5x5xf32>
    %84 = "stablehlo.dot_general"(%66, %83) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>}> : (tensor<2x5x2x4xf32>, tensor<2x2x5x5xf32>) -> tensor<2x2x4x5xf32>
    %85 = "stablehlo.transpose"(%84) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x2x4x5xf32>) -> tensor<2x5x2x4xf32>
    %86 = "stablehlo.reshape"(%85) : (tensor<2x5x2x4xf32>) -> tensor<2x5x8xf32>
    %87 = "stablehlo.dot_general"(%86, %arg15) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>}> : (tensor<2x5x8xf32>, tensor<8x8xf32>) -> tensor<2x5x8xf32>
    %88 = "stablehlo.add"(%arg13, %87) : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    %89 = "stablehlo.reduce"(%88, %47) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg18: tensor<f32>, %arg19: tensor<f32>):
      %117 = "stablehlo.add"(%arg18, %arg19) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%117) : (tensor<f32>) -> ()
    }) : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %90 = "stablehlo.broadcast_in_dim"(%89) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %91 = "stablehlo.broadcast_in_dim"(%46) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x5x1xf32>
    %92 = "stablehlo.divide"(%90, %91) : (tensor<2x5x1xf32>, tensor<2x5x1xf32>) -> tensor<2x5x1xf32>
    %93 = "stablehlo.broadcast_in_dim"(%92) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %94 = "stablehlo.subtract"(%88, %93) : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    %95 = "func.call"(%88, %45) <{callee = @_var}> : (tensor<2x5x8xf32>, tensor<i32>) -> tensor<2x5x1xf32>
    %96 = "stablehlo.broadcast_in_dim"(%44) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x5x1xf32>
    %97 = "stablehlo.add"(%95, %96) : (tensor<2x5x1xf32>, tensor<2x5x1xf32>) -> tensor<2x5x1xf32>
    %98 = "stablehlo.rsqrt"(%97) : (tensor<2x5x1xf32>) -> tensor<2x5x1xf32>
    %99 = "stablehlo.broadcast_in_dim"(%98) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %100 = "stablehlo.multiply"(%94, %99) : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    %101 = "stablehlo.dot_general"(%100, %arg16) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>}> : (tensor<2x5x8xf32>, tensor<8x16xf32>) -> tensor<2x5x16xf32>
    %102 = "stablehlo.multiply"(%101, %101) : (tensor<2x5x16xf32>, tensor<2x5x16xf32>) -> tensor<2x5x16xf32>
    %103 = "stablehlo.multiply"(%102, %101) : (tensor<2x5x16xf32>, tensor<2x5x16xf32>) -> tensor<2x5x16xf32>
    %104 = "stablehlo.broadcast_in_dim"(%39) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x5x16xf32>
    %105 = "stablehlo.multiply"(%104, %103) : (tensor<2x5x16xf32>, tensor<2x5x16xf32>) -> tensor<2x5x16xf32>
    %106 = "stablehlo.add"(%101, %105) : (tensor<2x5x16xf32>, tensor<2x5x16xf32>) -> tensor<2x5x16xf32>
    %107 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x5x16xf32>
    %108 = "stablehlo.multiply"(%107, %106) : (tensor<2x5x16xf32>, tensor<2x5x16xf32>) -> tensor<2x5x16xf32>
    %109 = "stablehlo.tanh"(%108) : (tensor<2x5x16xf32>) -> tensor<2x5x16xf32>
    %110 = "stablehlo.broadcast_in_dim"(%37) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x5x16xf32>
    %111 = "stablehlo.add"(%110, %109) : (tensor<2x5x16xf32>, tensor<2x5x16xf32>) -> tensor<2x5x16xf32>
    %112 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x5x16xf32>
    %113 = "stablehlo.multiply"(%112, %111) : (tensor<2x5x16xf32>, tensor<2x5x16xf32>) -> tensor<2x5x16xf32>
    %114 = "stablehlo.multiply"(%101, %113) : (tensor<2x5x16xf32>, tensor<2x5x16xf32>) -> tensor<2x5x16xf32>
    %115 = "stablehlo.dot_general"(%114, %arg17) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [0]>}> : (tensor<2x5x16xf32>, tensor<16x8xf32>) -> tensor<2x5x8xf32>
    %116 = "stablehlo.add"(%88, %115) : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    "func.return"(%116) : (tensor<2x5x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x5x8xf32>, tensor<i32>) -> tensor<2x5x1xf32>, sym_name = "_var", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<2x5x8xf32>, %arg8: tensor<i32>):
    %16 = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.constant"() <{value = dense<8.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %18 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %19 = "stablehlo.reduce"(%arg7, %18) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %35 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%35) : (tensor<f32>) -> ()
    }) : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %21 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x5x1xf32>
    %22 = "stablehlo.divide"(%20, %21) : (tensor<2x5x1xf32>, tensor<2x5x1xf32>) -> tensor<2x5x1xf32>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x5x1xf32>) -> tensor<2x5x8xf32>
    %24 = "stablehlo.subtract"(%arg7, %23) : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    %25 = "stablehlo.multiply"(%24, %24) : (tensor<2x5x8xf32>, tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
    %26 = "stablehlo.convert"(%arg8) : (tensor<i32>) -> tensor<f32>
    %27 = "stablehlo.subtract"(%17, %26) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %28 = "stablehlo.reduce"(%25, %18) <{dimensions = array<i64: 2>}> ({
    ^bb0(%arg9: tensor<f32>, %arg10: tensor<f32>):
      %34 = "stablehlo.add"(%arg9, %arg10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%34) : (tensor<f32>) -> ()
    }) : (tensor<2x5x8xf32>, tensor<f32>) -> tensor<2x5xf32>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<2x5xf32>) -> tensor<2x5x1xf32>
    %30 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x5x1xf32>
    %31 = "stablehlo.divide"(%29, %30) : (tensor<2x5x1xf32>, tensor<2x5x1xf32>) -> tensor<2x5x1xf32>
    %32 = "stablehlo.compare"(%27, %18) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %33 = "func.call"(%32, %31, %16) <{callee = @_where}> : (tensor<i1>, tensor<2x5x1xf32>, tensor<f32>) -> tensor<2x5x1xf32>
    "func.return"(%33) : (tensor<2x5x1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<i1>, tensor<2x5x1xf32>, tensor<f32>) -> tensor<2x5x1xf32>, sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<i1>, %arg5: tensor<2x5x1xf32>, %arg6: tensor<f32>):
    %13 = "stablehlo.convert"(%arg6) : (tensor<f32>) -> tensor<f32>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x5x1xf32>
    %15 = "stablehlo.select"(%arg4, %arg5, %14) : (tensor<i1>, tensor<2x5x1xf32>, tensor<2x5x1xf32>) -> tensor<2x5x1xf32>
    "func.return"(%15) : (tensor<2x5x1xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<5x5xi1>) -> tensor<5x5xi1>, sym_name = "tril", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<5x5xi1>):
    %4 = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %6 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<5x5xi32>
    %7 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<5x5xi32>
    %8 = "stablehlo.add"(%6, %7) : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi32>
    %9 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<5x5xi32>
    %10 = "stablehlo.compare"(%8, %9) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi1>
    %11 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<5x5xi1>
    %12 = "stablehlo.select"(%10, %arg3, %11) : (tensor<5x5xi1>, tensor<5x5xi1>, tensor<5x5xi1>) -> tensor<5x5xi1>
    "func.return"(%12) : (tensor<5x5xi1>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<5x5xi1>, tensor<2x2x5x5xf32>, tensor<f32>) -> tensor<2x2x5x5xf32>, sym_name = "_where_0", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<5x5xi1>, %arg1: tensor<2x2x5x5xf32>, %arg2: tensor<f32>):
    %0 = "stablehlo.convert"(%arg2) : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%arg0) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<5x5xi1>) -> tensor<2x2x5x5xi1>
    %2 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x2x5x5xf32>
    %3 = "stablehlo.select"(%1, %arg1, %2) : (tensor<2x2x5x5xi1>, tensor<2x2x5x5xf32>, tensor<2x2x5x5xf32>) -> tensor<2x2x5x5xf32>
    "func.return"(%3) : (tensor<2x2x5x5xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

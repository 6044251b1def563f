"builtin.module"() <{sym_name = "jit_gradients_with_offloaded_activations"}> ({
  "func.func"() <{function_type = (tensor<12x8x8xf32>, tensor<4x8xf32>) -> (tensor<12x8x8xf32>, tensor<4x8xf32>), res_attrs = [{jax.result_info = "result[0]", mhlo.memory_kind = "device"}, {jax.result_info = "result[1]", mhlo.memory_kind = "device"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg21: tensor<12x8x8xf32>, %arg22: tensor<4x8xf32>):
    %43 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %44 = "stablehlo.broadcast_in_dim"(%43) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x4x8xf32>
    %45 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x4x8xf32>
    %47 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %48:5 = "stablehlo.while"(%arg21, %47, %arg22, %44, %46) ({
    ^bb0(%arg40: tensor<12x8x8xf32>, %arg41: tensor<i32>, %arg42: tensor<4x8xf32>, %arg43: tensor<12x4x8xf32>, %arg44: tensor<12x4x8xf32>):
      %78 = "stablehlo.constant"() <{value = dense<12> : tensor<i32>}> : () -> tensor<i32>
      %79 = "stablehlo.compare"(%arg41, %78) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%79) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg35: tensor<12x8x8xf32>, %arg36: tensor<i32>, %arg37: tensor<4x8xf32>, %arg38: tensor<12x4x8xf32>, %arg39: tensor<12x4x8xf32>):
      %72 = "func.call"(%arg35, %arg36) <{callee = @dynamic_index_in_dim}> : (tensor<12x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %73:3 = "func.call"(%arg37, %72) <{callee = @closed_call}> : (tensor<4x8xf32>, tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
      %74 = "func.call"(%arg38, %73#1, %arg36) <{callee = @dynamic_update_index_in_dim}> : (tensor<12x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<12x4x8xf32>
      %75 = "func.call"(%arg39, %73#2, %arg36) <{callee = @dynamic_update_index_in_dim_0}> : (tensor<12x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<12x4x8xf32>
      %76 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %77 = "stablehlo.add"(%arg36, %76) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg35, %77, %73#0, %74, %75) : (tensor<12x8x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<12x4x8xf32>, tensor<12x4x8xf32>) -> ()
    }) : (tensor<12x8x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<12x4x8xf32>, tensor<12x4x8xf32>) -> (tensor<12x8x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<12x4x8xf32>, tensor<12x4x8xf32>)
    %49 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %50 = "stablehlo.broadcast_in_dim"(%49) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8xf32>
    %51 = "stablehlo.multiply"(%50, %48#2) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %52 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %53 = "stablehlo.broadcast_in_dim"(%52) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8xf32>
    %54 = "stablehlo.multiply"(%53, %51) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %55 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %56 = "stablehlo.broadcast_in_dim"(%55) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<12x8x8xf32>
    %57 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %58:6 = "stablehlo.while"(%48#3, %48#4, %arg21, %57, %54, %56) ({
    ^bb0(%arg29: tensor<12x4x8xf32>, %arg30: tensor<12x4x8xf32>, %arg31: tensor<12x8x8xf32>, %arg32: tensor<i32>, %arg33: tensor<4x8xf32>, %arg34: tensor<12x8x8xf32>):
      %70 = "stablehlo.constant"() <{value = dense<12> : tensor<i32>}> : () -> tensor<i32>
      %71 = "stablehlo.compare"(%arg32, %70) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%71) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg23: tensor<12x4x8xf32>, %arg24: tensor<12x4x8xf32>, %arg25: tensor<12x8x8xf32>, %arg26: tensor<i32>, %arg27: tensor<4x8xf32>, %arg28: tensor<12x8x8xf32>):
      %59 = "stablehlo.constant"() <{value = dense<12> : tensor<i32>}> : () -> tensor<i32>
      %60 = "stablehlo.subtract"(%59, %arg26) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %61 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %62 = "stablehlo.subtract"(%60, %61) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %63 = "func.call"(%arg23, %62) <{callee = @dynamic_index_in_dim_1}> : (tensor<12x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %64 = "func.call"(%arg24, %62) <{callee = @dynamic_index_in_dim_2}> : (tensor<12x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>
      %65 = "func.call"(%arg25, %62) <{callee = @dynamic_index_in_dim}> : (tensor<12x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>
      %66:2 = "func.call"(%arg27, %63, %64, %65) <{callee = @closed_call_3}> : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<8x8xf32>)
      %67 = "func.call"(%arg28, %66#1, %62) <{callee = @dynamic_update_index_in_dim_4}> : (tensor<12x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<12x8x8xf32>
      %68 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %69 = "stablehlo.add"(%arg26, %68) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg23, %arg24, %arg25, %69, %66#0, %67) : (tensor<12x4x8xf32>, tensor<12x4x8xf32>, tensor<12x8x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<12x8x8xf32>) -> ()
    }) : (tensor<12x4x8xf32>, tensor<12x4x8xf32>, tensor<12x8x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<12x8x8xf32>) -> (tensor<12x4x8xf32>, tensor<12x4x8xf32>, tensor<12x8x8xf32>, tensor<i32>, tensor<4x8xf32>, tensor<12x8x8xf32>)
    "func.return"(%58#5, %58#4) : (tensor<12x8x8xf32>, tensor<4x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<12x8x8xf32>, tensor<i32>) -> tensor<8x8xf32>, sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg19: tensor<12x8x8xf32>, %arg20: tensor<i32>):
    %39 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %40 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %41 = "stablehlo.dynamic_slice"(%arg19, %arg20, %39, %40) <{slice_sizes = array<i64: 1, 8, 8>}> : (tensor<12x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
    %42 = "stablehlo.reshape"(%41) : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    "func.return"(%42) : (tensor<8x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x8xf32>, tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>), sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg17: tensor<4x8xf32>, %arg18: tensor<8x8xf32>):
    %35 = "stablehlo.dot_general"(%arg17, %arg18) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %36 = "stablehlo.tanh"(%35) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %37 = "stablehlo.custom_call"(%36) <{call_target_name = "annotate_device_placement", has_side_effect = true}> {mhlo.frontend_attributes = {_xla_buffer_placement = "pinned_host"}} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %38 = "stablehlo.sine"(%36) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    "func.return"(%38, %37, %arg17) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<12x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<12x4x8xf32>, sym_name = "dynamic_update_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg14: tensor<12x4x8xf32>, %arg15: tensor<4x8xf32>, %arg16: tensor<i32>):
    %31 = "stablehlo.broadcast_in_dim"(%arg15) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %32 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %33 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %34 = "stablehlo.dynamic_update_slice"(%arg14, %31, %arg16, %32, %33) : (tensor<12x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<12x4x8xf32>
    "func.return"(%34) : (tensor<12x4x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<12x4x8xf32>, tensor<4x8xf32>, tensor<i32>) -> tensor<12x4x8xf32>, sym_name = "dynamic_update_index_in_dim_0", sym_visibility = "private"}> ({
  ^bb0(%arg11: tensor<12x4x8xf32>, %arg12: tensor<4x8xf32>, %arg13: tensor<i32>):
    %27 = "stablehlo.broadcast_in_dim"(%arg12) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<4x8xf32>) -> tensor<1x4x8xf32>
    %28 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %29 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %30 = "stablehlo.dynamic_update_slice"(%arg11, %27, %arg13, %28, %29) : (tensor<12x4x8xf32>, tensor<1x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<12x4x8xf32>
    "func.return"(%30) : (tensor<12x4x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<12x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>, sym_name = "dynamic_index_in_dim_1", sym_visibility = "private"}> ({
  ^bb0(%arg9: tensor<12x4x8xf32>, %arg10: tensor<i32>):
    %23 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %24 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %25 = "stablehlo.dynamic_slice"(%arg9, %arg10, %23, %24) <{slice_sizes = array<i64: 1, 4, 8>}> : (tensor<12x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %26 = "stablehlo.reshape"(%25) : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    "func.return"(%26) : (tensor<4x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<12x4x8xf32>, tensor<i32>) -> tensor<4x8xf32>, sym_name = "dynamic_index_in_dim_2", sym_visibility = "private"}> ({
  ^bb0(%arg7: tensor<12x4x8xf32>, %arg8: tensor<i32>):
    %19 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %20 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %21 = "stablehlo.dynamic_slice"(%arg7, %arg8, %19, %20) <{slice_sizes = array<i64: 1, 4, 8>}> : (tensor<12x4x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8xf32>
    %22 = "stablehlo.reshape"(%21) : (tensor<1x4x8xf32>) -> tensor<4x8xf32>
    "func.return"(%22) : (tensor<4x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x8xf32>) -> (tensor<4x8xf32>, tensor<8x8xf32>), sym_name = "closed_call_3", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<4x8xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4x8xf32>, %arg6: tensor<8x8xf32>):
    %4:4 = "stablehlo.optimization_barrier"(%arg4, %arg5, %arg6, %arg3) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<8x8xf32>, tensor<4x8xf32>)
    %5 = "stablehlo.dot_general"(%4#1, %4#2) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    %6 = "stablehlo.tanh"(%5) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %7 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8xf32>
    %9 = "stablehlo.subtract"(%8, %6) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %10 = "stablehlo.custom_call"(%4#0) <{call_target_name = "annotate_device_placement", has_side_effect = true}> {mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %11 = "stablehlo.cosine"(%10) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %12 = "stablehlo.multiply"(%4#3, %11) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %13 = "stablehlo.multiply"(%12, %9) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %14 = "stablehlo.multiply"(%13, %6) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %15 = "stablehlo.add"(%13, %14) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %16 = "stablehlo.dot_general"(%15, %4#1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>}> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %17 = "stablehlo.transpose"(%16) <{permutation = array<i64: 1, 0>}> : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %18 = "stablehlo.dot_general"(%15, %4#2) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    "func.return"(%18, %17) : (tensor<4x8xf32>, tensor<8x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<12x8x8xf32>, tensor<8x8xf32>, tensor<i32>) -> tensor<12x8x8xf32>, sym_name = "dynamic_update_index_in_dim_4", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<12x8x8xf32>, %arg1: tensor<8x8xf32>, %arg2: tensor<i32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<8x8xf32>) -> tensor<1x8x8xf32>
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %3 = "stablehlo.dynamic_update_slice"(%arg0, %0, %arg2, %1, %2) : (tensor<12x8x8xf32>, tensor<1x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<12x8x8xf32>
    "func.return"(%3) : (tensor<12x8x8xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

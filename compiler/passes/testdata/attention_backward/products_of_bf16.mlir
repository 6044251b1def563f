// run: layout attention_backward
module @jit_both attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x256x2x16xbf16>, %arg1: tensor<1x256x2x16xbf16>, %arg2: tensor<1x256x2x16xbf16>, %arg3: tensor<1x256x2x16xbf16>) -> (tensor<1x256x2x16xbf16>, tensor<1x256x2x16xbf16>, tensor<1x256x2x16xbf16>, tensor<1x256x2x16xbf16>) {
    %0 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %1 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %2 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x256x2x16xbf16>, tensor<1x256x2x16xbf16>) -> tensor<1x2x256x256xbf16>
    %3 = "stablehlo.convert"(%2) : (tensor<1x2x256x256xbf16>) -> tensor<1x2x256x256xf32>
    %4 = "stablehlo.constant"() {value = dense<2.500000e-01> : tensor<1x2x256x256xf32>} : () -> tensor<1x2x256x256xf32>
    %5 = "stablehlo.multiply"(%3, %4) : (tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
    %6 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<256x256xi32>
    %7 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<256x256xi32>
    %8 = "stablehlo.compare"(%6, %7) {comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<256x256xi32>, tensor<256x256xi32>) -> tensor<256x256xi1>
    %9 = "stablehlo.broadcast_in_dim"(%8) {broadcast_dimensions = array<i64: 2, 3>} : (tensor<256x256xi1>) -> tensor<1x2x256x256xi1>
    %10 = "stablehlo.constant"() {value = dense<-1.000000e+09> : tensor<1x2x256x256xf32>} : () -> tensor<1x2x256x256xf32>
    %11 = "stablehlo.select"(%9, %5, %10) : (tensor<1x2x256x256xi1>, tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
    %12 = "stablehlo.reduce"(%11, %1) ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %13 = "stablehlo.maximum"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%13) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 3>} : (tensor<1x2x256x256xf32>, tensor<f32>) -> tensor<1x2x256xf32>
    %14 = "stablehlo.broadcast_in_dim"(%12) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<1x2x256xf32>) -> tensor<1x2x256x256xf32>
    %15 = "stablehlo.subtract"(%11, %14) : (tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
    %16 = "stablehlo.exponential"(%15) : (tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
    %17 = "stablehlo.reduce"(%16, %0) ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %18 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%18) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 3>} : (tensor<1x2x256x256xf32>, tensor<f32>) -> tensor<1x2x256xf32>
    %19 = "stablehlo.reshape"(%17) : (tensor<1x2x256xf32>) -> tensor<1x2x256x1xf32>
    %20 = "stablehlo.broadcast_in_dim"(%17) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<1x2x256xf32>) -> tensor<1x2x256x256xf32>
    %21 = "stablehlo.divide"(%16, %20) : (tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
    %22 = "stablehlo.multiply"(%19, %19) : (tensor<1x2x256x1xf32>, tensor<1x2x256x1xf32>) -> tensor<1x2x256x1xf32>
    %23 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<1x2x256x1xf32>} : () -> tensor<1x2x256x1xf32>
    %24 = "stablehlo.divide"(%23, %22) : (tensor<1x2x256x1xf32>, tensor<1x2x256x1xf32>) -> tensor<1x2x256x1xf32>
    %25 = "stablehlo.convert"(%21) : (tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xbf16>
    %26 = "stablehlo.dot_general"(%arg2, %25) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x256x2x16xbf16>, tensor<1x2x256x256xbf16>) -> tensor<1x2x16x256xbf16>
    %27 = "stablehlo.transpose"(%26) {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x2x16x256xbf16>) -> tensor<1x256x2x16xbf16>
    %28 = "stablehlo.transpose"(%arg3) {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x256x2x16xbf16>) -> tensor<1x2x16x256xbf16>
    %29 = "stablehlo.dot_general"(%28, %arg2) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x2x16x256xbf16>, tensor<1x256x2x16xbf16>) -> tensor<1x2x256x256xbf16>
    %30 = "stablehlo.dot_general"(%28, %25) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x2x16x256xbf16>, tensor<1x2x256x256xbf16>) -> tensor<1x2x16x256xbf16>
    %31 = "stablehlo.transpose"(%30) {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x2x16x256xbf16>) -> tensor<1x256x2x16xbf16>
    %32 = "stablehlo.convert"(%29) : (tensor<1x2x256x256xbf16>) -> tensor<1x2x256x256xf32>
    %33 = "stablehlo.broadcast_in_dim"(%24) {broadcast_dimensions = array<i64: 0, 1, 2, 3>} : (tensor<1x2x256x1xf32>) -> tensor<1x2x256x256xf32>
    %34 = "stablehlo.multiply"(%32, %33) : (tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
    %35 = "stablehlo.multiply"(%34, %16) : (tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
    %36 = "stablehlo.reduce"(%35, %0) ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %37 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%37) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 3>} : (tensor<1x2x256x256xf32>, tensor<f32>) -> tensor<1x2x256xf32>
    %38 = "stablehlo.reshape"(%36) : (tensor<1x2x256xf32>) -> tensor<1x2x256x1xf32>
    %39 = "stablehlo.negate"(%38) : (tensor<1x2x256x1xf32>) -> tensor<1x2x256x1xf32>
    %40 = "stablehlo.divide"(%32, %20) : (tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
    %41 = "stablehlo.reshape"(%39) : (tensor<1x2x256x1xf32>) -> tensor<2x256xf32>
    %42 = "stablehlo.broadcast_in_dim"(%41) {broadcast_dimensions = array<i64: 1, 2>} : (tensor<2x256xf32>) -> tensor<1x2x256x256xf32>
    %43 = "stablehlo.add"(%40, %42) : (tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
    %44 = "stablehlo.multiply"(%43, %16) : (tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
    %45 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x2x256x256xf32>} : () -> tensor<1x2x256x256xf32>
    %46 = "stablehlo.select"(%9, %44, %45) : (tensor<1x2x256x256xi1>, tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
    %47 = "stablehlo.multiply"(%46, %4) : (tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
    %48 = "stablehlo.convert"(%47) : (tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xbf16>
    %49 = "stablehlo.dot_general"(%48, %arg0) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x2x256x256xbf16>, tensor<1x256x2x16xbf16>) -> tensor<1x2x256x16xbf16>
    %50 = "stablehlo.transpose"(%49) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x256x16xbf16>) -> tensor<1x256x2x16xbf16>
    %51 = "stablehlo.dot_general"(%48, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x2x256x256xbf16>, tensor<1x256x2x16xbf16>) -> tensor<1x2x256x16xbf16>
    %52 = "stablehlo.transpose"(%51) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x256x16xbf16>) -> tensor<1x256x2x16xbf16>
    "func.return"(%27, %52, %50, %31) : (tensor<1x256x2x16xbf16>, tensor<1x256x2x16xbf16>, tensor<1x256x2x16xbf16>, tensor<1x256x2x16xbf16>) -> ()
  }
}
// ----
module @jit_both attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x256x2x16xbf16>, %arg1: tensor<1x256x2x16xbf16>, %arg2: tensor<1x256x2x16xbf16>, %arg3: tensor<1x256x2x16xbf16>) -> (tensor<1x256x2x16xbf16>, tensor<1x256x2x16xbf16>, tensor<1x256x2x16xbf16>, tensor<1x256x2x16xbf16>) {
    %0 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %1 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %2 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x256x2x16xbf16>, tensor<1x256x2x16xbf16>) -> tensor<1x2x256x256xbf16>
    %3 = "stablehlo.convert"(%2) : (tensor<1x2x256x256xbf16>) -> tensor<1x2x256x256xf32>
    %4 = "stablehlo.constant"() {value = dense<2.500000e-01> : tensor<1x2x256x256xf32>} : () -> tensor<1x2x256x256xf32>
    %5 = "stablehlo.multiply"(%3, %4) : (tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
    %6 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<256x256xi32>
    %7 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<256x256xi32>
    %8 = "stablehlo.compare"(%6, %7) {comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<256x256xi32>, tensor<256x256xi32>) -> tensor<256x256xi1>
    %9 = "stablehlo.broadcast_in_dim"(%8) {broadcast_dimensions = array<i64: 2, 3>} : (tensor<256x256xi1>) -> tensor<1x2x256x256xi1>
    %10 = "stablehlo.constant"() {value = dense<-1.000000e+09> : tensor<1x2x256x256xf32>} : () -> tensor<1x2x256x256xf32>
    %11 = "stablehlo.select"(%9, %5, %10) : (tensor<1x2x256x256xi1>, tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
    %12 = "stablehlo.reduce"(%11, %1) ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %13 = "stablehlo.maximum"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%13) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 3>} : (tensor<1x2x256x256xf32>, tensor<f32>) -> tensor<1x2x256xf32>
    %14 = "stablehlo.broadcast_in_dim"(%12) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<1x2x256xf32>) -> tensor<1x2x256x256xf32>
    %15 = "stablehlo.subtract"(%11, %14) : (tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
    %16 = "stablehlo.exponential"(%15) : (tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
    %17 = "stablehlo.reduce"(%16, %0) ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %18 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%18) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 3>} : (tensor<1x2x256x256xf32>, tensor<f32>) -> tensor<1x2x256xf32>
    %19 = "stablehlo.broadcast_in_dim"(%17) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<1x2x256xf32>) -> tensor<1x2x256x256xf32>
    %20 = "stablehlo.divide"(%16, %19) : (tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
    %21 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<1x2x256x1xf32>} : () -> tensor<1x2x256x1xf32>
    %22 = "stablehlo.convert"(%20) : (tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xbf16>
    %23 = "gantry.fusion"(%arg2, %22) ({
    ^bb0(%arg8: tensor<1x256x2x16xbf16>, %arg9: tensor<1x2x256x256xbf16>):
      %24 = "stablehlo.dot_general"(%arg8, %arg9) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x256x2x16xbf16>, tensor<1x2x256x256xbf16>) -> tensor<1x2x16x256xbf16>
      %25 = "stablehlo.transpose"(%24) {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x2x16x256xbf16>) -> tensor<1x256x2x16xbf16>
      "stablehlo.return"(%25) : (tensor<1x256x2x16xbf16>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind DOT>} : (tensor<1x256x2x16xbf16>, tensor<1x2x256x256xbf16>) -> tensor<1x256x2x16xbf16>
    %26 = "stablehlo.transpose"(%arg3) {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x256x2x16xbf16>) -> tensor<1x2x16x256xbf16>
    %27 = "gantry.fusion"() ({
      %28 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<256x256xi32>
      %29 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<256x256xi32>
      %30 = "stablehlo.compare"(%28, %29) {comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<256x256xi32>, tensor<256x256xi32>) -> tensor<256x256xi1>
      %31 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<256x256xi32>
      %32 = "stablehlo.constant"() {value = dense<0> : tensor<256x256xi32>} : () -> tensor<256x256xi32>
      %33 = "stablehlo.constant"() {value = dense<1> : tensor<256x256xi32>} : () -> tensor<256x256xi32>
      %34 = "stablehlo.add"(%31, %33) : (tensor<256x256xi32>, tensor<256x256xi32>) -> tensor<256x256xi32>
      %35 = "stablehlo.select"(%30, %34, %32) : (tensor<256x256xi1>, tensor<256x256xi32>, tensor<256x256xi32>) -> tensor<256x256xi32>
      %36 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %37 = "stablehlo.reduce"(%35, %36) ({
      ^bb0(%arg10: tensor<i32>, %arg11: tensor<i32>):
        %38 = "stablehlo.maximum"(%arg10, %arg11) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%38) : (tensor<i32>) -> ()
      }) {dimensions = array<i64: 1>} : (tensor<256x256xi32>, tensor<i32>) -> tensor<256xi32>
      "stablehlo.return"(%37) : (tensor<256xi32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : () -> tensor<256xi32>
    %39:3 = "gantry.fusion"(%arg0, %arg1, %27, %arg3, %arg2) ({
    ^bb0(%arg12: tensor<1x256x2x16xbf16>, %arg13: tensor<1x256x2x16xbf16>, %arg14: tensor<256xi32>, %arg15: tensor<1x256x2x16xbf16>, %arg16: tensor<1x256x2x16xbf16>):
      %40 = "stablehlo.dot_general"(%arg12, %arg13) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x256x2x16xbf16>, tensor<1x256x2x16xbf16>) -> tensor<1x2x256x256xf32>
      %41 = "gantry.fusion"(%40, %arg14) ({
      ^bb0(%arg17: tensor<1x2x256x256xf32>, %arg18: tensor<256xi32>):
        %42 = "stablehlo.convert"(%arg17) : (tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xbf16>
        %43 = "stablehlo.constant"() {value = dense<2.500000e-01> : tensor<1x2x256x256xf32>} : () -> tensor<1x2x256x256xf32>
        %44 = "stablehlo.constant"() {value = dense<-1.000000e+09> : tensor<1x2x256x256xf32>} : () -> tensor<1x2x256x256xf32>
        %45 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
        %46 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
        %47 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<256x256xi32>
        %48 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<256x256xi32>
        %49 = "stablehlo.compare"(%47, %48) {comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<256x256xi32>, tensor<256x256xi32>) -> tensor<256x256xi1>
        %50 = "stablehlo.broadcast_in_dim"(%49) {broadcast_dimensions = array<i64: 2, 3>} : (tensor<256x256xi1>) -> tensor<1x2x256x256xi1>
        %51 = "stablehlo.convert"(%42) : (tensor<1x2x256x256xbf16>) -> tensor<1x2x256x256xf32>
        %52 = "stablehlo.multiply"(%51, %43) : (tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
        %53 = "stablehlo.select"(%50, %52, %44) : (tensor<1x2x256x256xi1>, tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
        %54 = "stablehlo.reduce"(%53, %45) ({
        ^bb0(%arg19: tensor<f32>, %arg20: tensor<f32>):
          %55 = "stablehlo.maximum"(%arg19, %arg20) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%55) : (tensor<f32>) -> ()
        }) {dimensions = array<i64: 3>} : (tensor<1x2x256x256xf32>, tensor<f32>) -> tensor<1x2x256xf32>
        %56 = "stablehlo.broadcast_in_dim"(%54) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<1x2x256xf32>) -> tensor<1x2x256x256xf32>
        %57 = "stablehlo.subtract"(%53, %56) : (tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
        %58 = "stablehlo.exponential"(%57) : (tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
        %59 = "stablehlo.reduce"(%58, %46) ({
        ^bb0(%arg21: tensor<f32>, %arg22: tensor<f32>):
          %60 = "stablehlo.add"(%arg21, %arg22) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%60) : (tensor<f32>) -> ()
        }) {dimensions = array<i64: 3>} : (tensor<1x2x256x256xf32>, tensor<f32>) -> tensor<1x2x256xf32>
        %61 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<1x2x256xf32>} : () -> tensor<1x2x256xf32>
        %62 = "stablehlo.divide"(%61, %59) : (tensor<1x2x256xf32>, tensor<1x2x256xf32>) -> tensor<1x2x256xf32>
        %63 = "stablehlo.broadcast_in_dim"(%62) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<1x2x256xf32>) -> tensor<1x2x256x256xf32>
        %64 = "stablehlo.multiply"(%58, %63) : (tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
        "stablehlo.return"(%64) : (tensor<1x2x256x256xf32>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind ROWS>} : (tensor<1x2x256x256xf32>, tensor<256xi32>) -> tensor<1x2x256x256xf32>
      %65 = "stablehlo.dot_general"(%arg15, %arg16) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x256x2x16xbf16>, tensor<1x256x2x16xbf16>) -> tensor<1x2x256x256xf32>
      %66 = "gantry.fusion"(%65, %41) ({
      ^bb0(%arg23: tensor<1x2x256x256xf32>, %arg24: tensor<1x2x256x256xf32>):
        %67 = "stablehlo.convert"(%arg23) : (tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xbf16>
        %68 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
        %69 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x2x256x256xf32>} : () -> tensor<1x2x256x256xf32>
        %70 = "stablehlo.constant"() {value = dense<2.500000e-01> : tensor<1x2x256x256xf32>} : () -> tensor<1x2x256x256xf32>
        %71 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<256x256xi32>
        %72 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<256x256xi32>
        %73 = "stablehlo.compare"(%71, %72) {comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<256x256xi32>, tensor<256x256xi32>) -> tensor<256x256xi1>
        %74 = "stablehlo.broadcast_in_dim"(%73) {broadcast_dimensions = array<i64: 2, 3>} : (tensor<256x256xi1>) -> tensor<1x2x256x256xi1>
        %75 = "stablehlo.convert"(%67) : (tensor<1x2x256x256xbf16>) -> tensor<1x2x256x256xf32>
        %76 = "stablehlo.multiply"(%75, %arg24) : (tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
        %77 = "stablehlo.reduce"(%76, %68) ({
        ^bb0(%arg25: tensor<f32>, %arg26: tensor<f32>):
          %78 = "stablehlo.add"(%arg25, %arg26) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%78) : (tensor<f32>) -> ()
        }) {dimensions = array<i64: 3>} : (tensor<1x2x256x256xf32>, tensor<f32>) -> tensor<1x2x256xf32>
        %79 = "stablehlo.reshape"(%77) : (tensor<1x2x256xf32>) -> tensor<1x2x256x1xf32>
        %80 = "stablehlo.negate"(%79) : (tensor<1x2x256x1xf32>) -> tensor<1x2x256x1xf32>
        %81 = "stablehlo.reshape"(%80) : (tensor<1x2x256x1xf32>) -> tensor<2x256xf32>
        %82 = "stablehlo.broadcast_in_dim"(%81) {broadcast_dimensions = array<i64: 1, 2>} : (tensor<2x256xf32>) -> tensor<1x2x256x256xf32>
        %83 = "stablehlo.add"(%75, %82) : (tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
        %84 = "stablehlo.multiply"(%83, %arg24) : (tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
        %85 = "stablehlo.select"(%74, %84, %69) : (tensor<1x2x256x256xi1>, tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
        %86 = "stablehlo.multiply"(%85, %70) : (tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
        "stablehlo.return"(%86) : (tensor<1x2x256x256xf32>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind ROWS>} : (tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
      %87 = "stablehlo.convert"(%41) : (tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xbf16>
      %88 = "stablehlo.convert"(%66) : (tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xbf16>
      %89 = "gantry.fusion"(%arg15, %87) ({
      ^bb0(%arg27: tensor<1x256x2x16xbf16>, %arg28: tensor<1x2x256x256xbf16>):
        %90 = "stablehlo.dot_general"(%arg27, %arg28) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x256x2x16xbf16>, tensor<1x2x256x256xbf16>) -> tensor<1x2x16x256xbf16>
        %91 = "stablehlo.transpose"(%90) {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x2x16x256xbf16>) -> tensor<1x256x2x16xbf16>
        "stablehlo.return"(%91) : (tensor<1x256x2x16xbf16>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind DOT>} : (tensor<1x256x2x16xbf16>, tensor<1x2x256x256xbf16>) -> tensor<1x256x2x16xbf16>
      %92 = "gantry.fusion"(%88, %arg13) ({
      ^bb0(%arg29: tensor<1x2x256x256xbf16>, %arg30: tensor<1x256x2x16xbf16>):
        %93 = "stablehlo.dot_general"(%arg29, %arg30) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x2x256x256xbf16>, tensor<1x256x2x16xbf16>) -> tensor<1x2x256x16xbf16>
        %94 = "stablehlo.transpose"(%93) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x256x16xbf16>) -> tensor<1x256x2x16xbf16>
        "stablehlo.return"(%94) : (tensor<1x256x2x16xbf16>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind DOT>} : (tensor<1x2x256x256xbf16>, tensor<1x256x2x16xbf16>) -> tensor<1x256x2x16xbf16>
      %95 = "gantry.fusion"(%88, %arg12) ({
      ^bb0(%arg31: tensor<1x2x256x256xbf16>, %arg32: tensor<1x256x2x16xbf16>):
        %96 = "stablehlo.dot_general"(%arg31, %arg32) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x2x256x256xbf16>, tensor<1x256x2x16xbf16>) -> tensor<1x2x256x16xbf16>
        %97 = "stablehlo.transpose"(%96) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x256x16xbf16>) -> tensor<1x256x2x16xbf16>
        "stablehlo.return"(%97) : (tensor<1x256x2x16xbf16>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind DOT>} : (tensor<1x2x256x256xbf16>, tensor<1x256x2x16xbf16>) -> tensor<1x256x2x16xbf16>
      "stablehlo.return"(%89, %92, %95) : (tensor<1x256x2x16xbf16>, tensor<1x256x2x16xbf16>, tensor<1x256x2x16xbf16>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind ATTENTION_BACKWARD>} : (tensor<1x256x2x16xbf16>, tensor<1x256x2x16xbf16>, tensor<256xi32>, tensor<1x256x2x16xbf16>, tensor<1x256x2x16xbf16>) -> (tensor<1x256x2x16xbf16>, tensor<1x256x2x16xbf16>, tensor<1x256x2x16xbf16>)
    %98 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x2x256x256xf32>} : () -> tensor<1x2x256x256xf32>
    "func.return"(%23, %39#1, %39#2, %39#0) : (tensor<1x256x2x16xbf16>, tensor<1x256x2x16xbf16>, tensor<1x256x2x16xbf16>, tensor<1x256x2x16xbf16>) -> ()
  }
}

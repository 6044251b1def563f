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
        %42 = "stablehlo.constant"() {value = dense<2.500000e-01> : tensor<1x2x256x256xf32>} : () -> tensor<1x2x256x256xf32>
        %43 = "stablehlo.constant"() {value = dense<-1.000000e+09> : tensor<1x2x256x256xf32>} : () -> tensor<1x2x256x256xf32>
        %44 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
        %45 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
        %46 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<256x256xi32>
        %47 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<256x256xi32>
        %48 = "stablehlo.compare"(%46, %47) {comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<256x256xi32>, tensor<256x256xi32>) -> tensor<256x256xi1>
        %49 = "stablehlo.broadcast_in_dim"(%48) {broadcast_dimensions = array<i64: 2, 3>} : (tensor<256x256xi1>) -> tensor<1x2x256x256xi1>
        %50 = "stablehlo.multiply"(%arg17, %42) : (tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
        %51 = "stablehlo.select"(%49, %50, %43) : (tensor<1x2x256x256xi1>, tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
        %52 = "stablehlo.reduce"(%51, %44) ({
        ^bb0(%arg19: tensor<f32>, %arg20: tensor<f32>):
          %53 = "stablehlo.maximum"(%arg19, %arg20) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%53) : (tensor<f32>) -> ()
        }) {dimensions = array<i64: 3>} : (tensor<1x2x256x256xf32>, tensor<f32>) -> tensor<1x2x256xf32>
        %54 = "stablehlo.broadcast_in_dim"(%52) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<1x2x256xf32>) -> tensor<1x2x256x256xf32>
        %55 = "stablehlo.subtract"(%51, %54) : (tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
        %56 = "stablehlo.exponential"(%55) : (tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
        %57 = "stablehlo.reduce"(%56, %45) ({
        ^bb0(%arg21: tensor<f32>, %arg22: tensor<f32>):
          %58 = "stablehlo.add"(%arg21, %arg22) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%58) : (tensor<f32>) -> ()
        }) {dimensions = array<i64: 3>} : (tensor<1x2x256x256xf32>, tensor<f32>) -> tensor<1x2x256xf32>
        %59 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<1x2x256xf32>} : () -> tensor<1x2x256xf32>
        %60 = "stablehlo.divide"(%59, %57) : (tensor<1x2x256xf32>, tensor<1x2x256xf32>) -> tensor<1x2x256xf32>
        %61 = "stablehlo.broadcast_in_dim"(%60) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<1x2x256xf32>) -> tensor<1x2x256x256xf32>
        %62 = "stablehlo.multiply"(%56, %61) : (tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
        "stablehlo.return"(%62) : (tensor<1x2x256x256xf32>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind ROWS>} : (tensor<1x2x256x256xf32>, tensor<256xi32>) -> tensor<1x2x256x256xf32>
      %63 = "stablehlo.dot_general"(%arg15, %arg16) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x256x2x16xbf16>, tensor<1x256x2x16xbf16>) -> tensor<1x2x256x256xf32>
      %64 = "gantry.fusion"(%63, %41) ({
      ^bb0(%arg23: tensor<1x2x256x256xf32>, %arg24: tensor<1x2x256x256xf32>):
        %65 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
        %66 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x2x256x256xf32>} : () -> tensor<1x2x256x256xf32>
        %67 = "stablehlo.constant"() {value = dense<2.500000e-01> : tensor<1x2x256x256xf32>} : () -> tensor<1x2x256x256xf32>
        %68 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<256x256xi32>
        %69 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<256x256xi32>
        %70 = "stablehlo.compare"(%68, %69) {comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<256x256xi32>, tensor<256x256xi32>) -> tensor<256x256xi1>
        %71 = "stablehlo.broadcast_in_dim"(%70) {broadcast_dimensions = array<i64: 2, 3>} : (tensor<256x256xi1>) -> tensor<1x2x256x256xi1>
        %72 = "stablehlo.multiply"(%arg23, %arg24) : (tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
        %73 = "stablehlo.reduce"(%72, %65) ({
        ^bb0(%arg25: tensor<f32>, %arg26: tensor<f32>):
          %74 = "stablehlo.add"(%arg25, %arg26) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%74) : (tensor<f32>) -> ()
        }) {dimensions = array<i64: 3>} : (tensor<1x2x256x256xf32>, tensor<f32>) -> tensor<1x2x256xf32>
        %75 = "stablehlo.reshape"(%73) : (tensor<1x2x256xf32>) -> tensor<1x2x256x1xf32>
        %76 = "stablehlo.negate"(%75) : (tensor<1x2x256x1xf32>) -> tensor<1x2x256x1xf32>
        %77 = "stablehlo.reshape"(%76) : (tensor<1x2x256x1xf32>) -> tensor<2x256xf32>
        %78 = "stablehlo.broadcast_in_dim"(%77) {broadcast_dimensions = array<i64: 1, 2>} : (tensor<2x256xf32>) -> tensor<1x2x256x256xf32>
        %79 = "stablehlo.add"(%arg23, %78) : (tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
        %80 = "stablehlo.multiply"(%79, %arg24) : (tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
        %81 = "stablehlo.select"(%71, %80, %66) : (tensor<1x2x256x256xi1>, tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
        %82 = "stablehlo.multiply"(%81, %67) : (tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
        "stablehlo.return"(%82) : (tensor<1x2x256x256xf32>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind ROWS>} : (tensor<1x2x256x256xf32>, tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xf32>
      %83 = "stablehlo.convert"(%41) : (tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xbf16>
      %84 = "stablehlo.convert"(%64) : (tensor<1x2x256x256xf32>) -> tensor<1x2x256x256xbf16>
      %85 = "gantry.fusion"(%arg15, %83) ({
      ^bb0(%arg27: tensor<1x256x2x16xbf16>, %arg28: tensor<1x2x256x256xbf16>):
        %86 = "stablehlo.dot_general"(%arg27, %arg28) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x256x2x16xbf16>, tensor<1x2x256x256xbf16>) -> tensor<1x2x16x256xbf16>
        %87 = "stablehlo.transpose"(%86) {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x2x16x256xbf16>) -> tensor<1x256x2x16xbf16>
        "stablehlo.return"(%87) : (tensor<1x256x2x16xbf16>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind DOT>} : (tensor<1x256x2x16xbf16>, tensor<1x2x256x256xbf16>) -> tensor<1x256x2x16xbf16>
      %88 = "gantry.fusion"(%84, %arg13) ({
      ^bb0(%arg29: tensor<1x2x256x256xbf16>, %arg30: tensor<1x256x2x16xbf16>):
        %89 = "stablehlo.dot_general"(%arg29, %arg30) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x2x256x256xbf16>, tensor<1x256x2x16xbf16>) -> tensor<1x2x256x16xbf16>
        %90 = "stablehlo.transpose"(%89) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x256x16xbf16>) -> tensor<1x256x2x16xbf16>
        "stablehlo.return"(%90) : (tensor<1x256x2x16xbf16>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind DOT>} : (tensor<1x2x256x256xbf16>, tensor<1x256x2x16xbf16>) -> tensor<1x256x2x16xbf16>
      %91 = "gantry.fusion"(%84, %arg12) ({
      ^bb0(%arg31: tensor<1x2x256x256xbf16>, %arg32: tensor<1x256x2x16xbf16>):
        %92 = "stablehlo.dot_general"(%arg31, %arg32) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x2x256x256xbf16>, tensor<1x256x2x16xbf16>) -> tensor<1x2x256x16xbf16>
        %93 = "stablehlo.transpose"(%92) {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x2x256x16xbf16>) -> tensor<1x256x2x16xbf16>
        "stablehlo.return"(%93) : (tensor<1x256x2x16xbf16>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind DOT>} : (tensor<1x2x256x256xbf16>, tensor<1x256x2x16xbf16>) -> tensor<1x256x2x16xbf16>
      "stablehlo.return"(%85, %88, %91) : (tensor<1x256x2x16xbf16>, tensor<1x256x2x16xbf16>, tensor<1x256x2x16xbf16>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind ATTENTION_BACKWARD>} : (tensor<1x256x2x16xbf16>, tensor<1x256x2x16xbf16>, tensor<256xi32>, tensor<1x256x2x16xbf16>, tensor<1x256x2x16xbf16>) -> (tensor<1x256x2x16xbf16>, tensor<1x256x2x16xbf16>, tensor<1x256x2x16xbf16>)
    %94 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<1x2x256x256xf32>} : () -> tensor<1x2x256x256xf32>
    "func.return"(%23, %39#1, %39#2, %39#0) : (tensor<1x256x2x16xbf16>, tensor<1x256x2x16xbf16>, tensor<1x256x2x16xbf16>, tensor<1x256x2x16xbf16>) -> ()
  }
}

// run: layout attention_backward
module @jit_both attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x256x16xf32>, %arg1: tensor<2x256x16xf32>, %arg2: tensor<2x256x16xf32>, %arg3: tensor<2x256x16xf32>) -> (tensor<2x256x16xf32>, tensor<2x256x16xf32>, tensor<2x256x16xf32>, tensor<2x256x16xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %1 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %2 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x256x16xf32>, tensor<2x256x16xf32>) -> tensor<2x256x256xf32>
    %3 = "stablehlo.constant"() {value = dense<2.500000e-01> : tensor<2x256x256xf32>} : () -> tensor<2x256x256xf32>
    %4 = "stablehlo.multiply"(%2, %3) : (tensor<2x256x256xf32>, tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
    %5 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<256x256xi32>
    %6 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<256x256xi32>
    %7 = "stablehlo.compare"(%5, %6) {comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<256x256xi32>, tensor<256x256xi32>) -> tensor<256x256xi1>
    %8 = "stablehlo.broadcast_in_dim"(%7) {broadcast_dimensions = array<i64: 1, 2>} : (tensor<256x256xi1>) -> tensor<2x256x256xi1>
    %9 = "stablehlo.constant"() {value = dense<-1.000000e+09> : tensor<2x256x256xf32>} : () -> tensor<2x256x256xf32>
    %10 = "stablehlo.select"(%8, %4, %9) : (tensor<2x256x256xi1>, tensor<2x256x256xf32>, tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
    %11 = "stablehlo.reduce"(%10, %1) ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %12 = "stablehlo.maximum"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%12) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<2x256x256xf32>, tensor<f32>) -> tensor<2x256xf32>
    %13 = "stablehlo.broadcast_in_dim"(%11) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x256xf32>) -> tensor<2x256x256xf32>
    %14 = "stablehlo.subtract"(%10, %13) : (tensor<2x256x256xf32>, tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
    %15 = "stablehlo.exponential"(%14) : (tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
    %16 = "stablehlo.reduce"(%15, %0) ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %17 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%17) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<2x256x256xf32>, tensor<f32>) -> tensor<2x256xf32>
    %18 = "stablehlo.reshape"(%16) : (tensor<2x256xf32>) -> tensor<2x256x1xf32>
    %19 = "stablehlo.broadcast_in_dim"(%16) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x256xf32>) -> tensor<2x256x256xf32>
    %20 = "stablehlo.divide"(%15, %19) : (tensor<2x256x256xf32>, tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
    %21 = "stablehlo.multiply"(%18, %18) : (tensor<2x256x1xf32>, tensor<2x256x1xf32>) -> tensor<2x256x1xf32>
    %22 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<2x256x1xf32>} : () -> tensor<2x256x1xf32>
    %23 = "stablehlo.divide"(%22, %21) : (tensor<2x256x1xf32>, tensor<2x256x1xf32>) -> tensor<2x256x1xf32>
    %24 = "stablehlo.dot_general"(%20, %arg2) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x256x256xf32>, tensor<2x256x16xf32>) -> tensor<2x256x16xf32>
    %25 = "stablehlo.dot_general"(%arg3, %20) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x256x16xf32>, tensor<2x256x256xf32>) -> tensor<2x16x256xf32>
    %26 = "stablehlo.transpose"(%25) {permutation = array<i64: 0, 2, 1>} : (tensor<2x16x256xf32>) -> tensor<2x256x16xf32>
    %27 = "stablehlo.dot_general"(%arg3, %arg2) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x256x16xf32>, tensor<2x256x16xf32>) -> tensor<2x256x256xf32>
    %28 = "stablehlo.broadcast_in_dim"(%23) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<2x256x1xf32>) -> tensor<2x256x256xf32>
    %29 = "stablehlo.multiply"(%27, %28) : (tensor<2x256x256xf32>, tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
    %30 = "stablehlo.multiply"(%29, %15) : (tensor<2x256x256xf32>, tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
    %31 = "stablehlo.reduce"(%30, %0) ({
    ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
      %32 = "stablehlo.add"(%arg8, %arg9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%32) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<2x256x256xf32>, tensor<f32>) -> tensor<2x256xf32>
    %33 = "stablehlo.reshape"(%31) : (tensor<2x256xf32>) -> tensor<2x256x1xf32>
    %34 = "stablehlo.negate"(%33) : (tensor<2x256x1xf32>) -> tensor<2x256x1xf32>
    %35 = "stablehlo.divide"(%27, %19) : (tensor<2x256x256xf32>, tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
    %36 = "stablehlo.reshape"(%34) : (tensor<2x256x1xf32>) -> tensor<2x256xf32>
    %37 = "stablehlo.broadcast_in_dim"(%36) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x256xf32>) -> tensor<2x256x256xf32>
    %38 = "stablehlo.add"(%35, %37) : (tensor<2x256x256xf32>, tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
    %39 = "stablehlo.multiply"(%38, %15) : (tensor<2x256x256xf32>, tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
    %40 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<2x256x256xf32>} : () -> tensor<2x256x256xf32>
    %41 = "stablehlo.select"(%8, %39, %40) : (tensor<2x256x256xi1>, tensor<2x256x256xf32>, tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
    %42 = "stablehlo.multiply"(%41, %3) : (tensor<2x256x256xf32>, tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
    %43 = "stablehlo.dot_general"(%42, %arg0) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x256x256xf32>, tensor<2x256x16xf32>) -> tensor<2x256x16xf32>
    %44 = "stablehlo.dot_general"(%42, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x256x256xf32>, tensor<2x256x16xf32>) -> tensor<2x256x16xf32>
    "func.return"(%24, %44, %43, %26) : (tensor<2x256x16xf32>, tensor<2x256x16xf32>, tensor<2x256x16xf32>, tensor<2x256x16xf32>) -> ()
  }
}
// ----
module @jit_both attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x256x16xf32>, %arg1: tensor<2x256x16xf32>, %arg2: tensor<2x256x16xf32>, %arg3: tensor<2x256x16xf32>) -> (tensor<2x256x16xf32>, tensor<2x256x16xf32>, tensor<2x256x16xf32>, tensor<2x256x16xf32>) {
    %0 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %1 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %2 = "stablehlo.dot_general"(%arg0, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x256x16xf32>, tensor<2x256x16xf32>) -> tensor<2x256x256xf32>
    %3 = "stablehlo.constant"() {value = dense<2.500000e-01> : tensor<2x256x256xf32>} : () -> tensor<2x256x256xf32>
    %4 = "stablehlo.multiply"(%2, %3) : (tensor<2x256x256xf32>, tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
    %5 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<256x256xi32>
    %6 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<256x256xi32>
    %7 = "stablehlo.compare"(%5, %6) {comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<256x256xi32>, tensor<256x256xi32>) -> tensor<256x256xi1>
    %8 = "stablehlo.broadcast_in_dim"(%7) {broadcast_dimensions = array<i64: 1, 2>} : (tensor<256x256xi1>) -> tensor<2x256x256xi1>
    %9 = "stablehlo.constant"() {value = dense<-1.000000e+09> : tensor<2x256x256xf32>} : () -> tensor<2x256x256xf32>
    %10 = "stablehlo.select"(%8, %4, %9) : (tensor<2x256x256xi1>, tensor<2x256x256xf32>, tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
    %11 = "stablehlo.reduce"(%10, %1) ({
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %12 = "stablehlo.maximum"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%12) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<2x256x256xf32>, tensor<f32>) -> tensor<2x256xf32>
    %13 = "stablehlo.broadcast_in_dim"(%11) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x256xf32>) -> tensor<2x256x256xf32>
    %14 = "stablehlo.subtract"(%10, %13) : (tensor<2x256x256xf32>, tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
    %15 = "stablehlo.exponential"(%14) : (tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
    %16 = "stablehlo.reduce"(%15, %0) ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %17 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%17) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<2x256x256xf32>, tensor<f32>) -> tensor<2x256xf32>
    %18 = "stablehlo.broadcast_in_dim"(%16) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x256xf32>) -> tensor<2x256x256xf32>
    %19 = "stablehlo.divide"(%15, %18) : (tensor<2x256x256xf32>, tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
    %20 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<2x256x1xf32>} : () -> tensor<2x256x1xf32>
    %21 = "stablehlo.dot_general"(%19, %arg2) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x256x256xf32>, tensor<2x256x16xf32>) -> tensor<2x256x16xf32>
    %22 = "gantry.fusion"() ({
      %23 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<256x256xi32>
      %24 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<256x256xi32>
      %25 = "stablehlo.compare"(%23, %24) {comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<256x256xi32>, tensor<256x256xi32>) -> tensor<256x256xi1>
      %26 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<256x256xi32>
      %27 = "stablehlo.constant"() {value = dense<0> : tensor<256x256xi32>} : () -> tensor<256x256xi32>
      %28 = "stablehlo.constant"() {value = dense<1> : tensor<256x256xi32>} : () -> tensor<256x256xi32>
      %29 = "stablehlo.add"(%26, %28) : (tensor<256x256xi32>, tensor<256x256xi32>) -> tensor<256x256xi32>
      %30 = "stablehlo.select"(%25, %29, %27) : (tensor<256x256xi1>, tensor<256x256xi32>, tensor<256x256xi32>) -> tensor<256x256xi32>
      %31 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %32 = "stablehlo.reduce"(%30, %31) ({
      ^bb0(%arg8: tensor<i32>, %arg9: tensor<i32>):
        %33 = "stablehlo.maximum"(%arg8, %arg9) : (tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%33) : (tensor<i32>) -> ()
      }) {dimensions = array<i64: 1>} : (tensor<256x256xi32>, tensor<i32>) -> tensor<256xi32>
      "stablehlo.return"(%32) : (tensor<256xi32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : () -> tensor<256xi32>
    %34:3 = "gantry.fusion"(%arg0, %arg1, %22, %arg3, %arg2) ({
    ^bb0(%arg10: tensor<2x256x16xf32>, %arg11: tensor<2x256x16xf32>, %arg12: tensor<256xi32>, %arg13: tensor<2x256x16xf32>, %arg14: tensor<2x256x16xf32>):
      %35 = "stablehlo.dot_general"(%arg10, %arg11) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x256x16xf32>, tensor<2x256x16xf32>) -> tensor<2x256x256xf32>
      %36 = "gantry.fusion"(%35, %arg12) ({
      ^bb0(%arg15: tensor<2x256x256xf32>, %arg16: tensor<256xi32>):
        %37 = "stablehlo.constant"() {value = dense<2.500000e-01> : tensor<2x256x256xf32>} : () -> tensor<2x256x256xf32>
        %38 = "stablehlo.constant"() {value = dense<-1.000000e+09> : tensor<2x256x256xf32>} : () -> tensor<2x256x256xf32>
        %39 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
        %40 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
        %41 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<256x256xi32>
        %42 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<256x256xi32>
        %43 = "stablehlo.compare"(%41, %42) {comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<256x256xi32>, tensor<256x256xi32>) -> tensor<256x256xi1>
        %44 = "stablehlo.broadcast_in_dim"(%43) {broadcast_dimensions = array<i64: 1, 2>} : (tensor<256x256xi1>) -> tensor<2x256x256xi1>
        %45 = "stablehlo.multiply"(%arg15, %37) : (tensor<2x256x256xf32>, tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
        %46 = "stablehlo.select"(%44, %45, %38) : (tensor<2x256x256xi1>, tensor<2x256x256xf32>, tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
        %47 = "stablehlo.reduce"(%46, %39) ({
        ^bb0(%arg17: tensor<f32>, %arg18: tensor<f32>):
          %48 = "stablehlo.maximum"(%arg17, %arg18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%48) : (tensor<f32>) -> ()
        }) {dimensions = array<i64: 2>} : (tensor<2x256x256xf32>, tensor<f32>) -> tensor<2x256xf32>
        %49 = "stablehlo.broadcast_in_dim"(%47) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x256xf32>) -> tensor<2x256x256xf32>
        %50 = "stablehlo.subtract"(%46, %49) : (tensor<2x256x256xf32>, tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
        %51 = "stablehlo.exponential"(%50) : (tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
        %52 = "stablehlo.reduce"(%51, %40) ({
        ^bb0(%arg19: tensor<f32>, %arg20: tensor<f32>):
          %53 = "stablehlo.add"(%arg19, %arg20) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%53) : (tensor<f32>) -> ()
        }) {dimensions = array<i64: 2>} : (tensor<2x256x256xf32>, tensor<f32>) -> tensor<2x256xf32>
        %54 = "stablehlo.constant"() {value = dense<1.000000e+00> : tensor<2x256xf32>} : () -> tensor<2x256xf32>
        %55 = "stablehlo.divide"(%54, %52) : (tensor<2x256xf32>, tensor<2x256xf32>) -> tensor<2x256xf32>
        %56 = "stablehlo.broadcast_in_dim"(%55) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x256xf32>) -> tensor<2x256x256xf32>
        %57 = "stablehlo.multiply"(%51, %56) : (tensor<2x256x256xf32>, tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
        "stablehlo.return"(%57) : (tensor<2x256x256xf32>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind ROWS>} : (tensor<2x256x256xf32>, tensor<256xi32>) -> tensor<2x256x256xf32>
      %58 = "stablehlo.dot_general"(%arg13, %arg14) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x256x16xf32>, tensor<2x256x16xf32>) -> tensor<2x256x256xf32>
      %59 = "gantry.fusion"(%58, %36) ({
      ^bb0(%arg21: tensor<2x256x256xf32>, %arg22: tensor<2x256x256xf32>):
        %60 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
        %61 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<2x256x256xf32>} : () -> tensor<2x256x256xf32>
        %62 = "stablehlo.constant"() {value = dense<2.500000e-01> : tensor<2x256x256xf32>} : () -> tensor<2x256x256xf32>
        %63 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<256x256xi32>
        %64 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<256x256xi32>
        %65 = "stablehlo.compare"(%63, %64) {comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<256x256xi32>, tensor<256x256xi32>) -> tensor<256x256xi1>
        %66 = "stablehlo.broadcast_in_dim"(%65) {broadcast_dimensions = array<i64: 1, 2>} : (tensor<256x256xi1>) -> tensor<2x256x256xi1>
        %67 = "stablehlo.multiply"(%arg21, %arg22) : (tensor<2x256x256xf32>, tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
        %68 = "stablehlo.reduce"(%67, %60) ({
        ^bb0(%arg23: tensor<f32>, %arg24: tensor<f32>):
          %69 = "stablehlo.add"(%arg23, %arg24) : (tensor<f32>, tensor<f32>) -> tensor<f32>
          "stablehlo.return"(%69) : (tensor<f32>) -> ()
        }) {dimensions = array<i64: 2>} : (tensor<2x256x256xf32>, tensor<f32>) -> tensor<2x256xf32>
        %70 = "stablehlo.reshape"(%68) : (tensor<2x256xf32>) -> tensor<2x256x1xf32>
        %71 = "stablehlo.negate"(%70) : (tensor<2x256x1xf32>) -> tensor<2x256x1xf32>
        %72 = "stablehlo.reshape"(%71) : (tensor<2x256x1xf32>) -> tensor<2x256xf32>
        %73 = "stablehlo.broadcast_in_dim"(%72) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x256xf32>) -> tensor<2x256x256xf32>
        %74 = "stablehlo.add"(%arg21, %73) : (tensor<2x256x256xf32>, tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
        %75 = "stablehlo.multiply"(%74, %arg22) : (tensor<2x256x256xf32>, tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
        %76 = "stablehlo.select"(%66, %75, %61) : (tensor<2x256x256xi1>, tensor<2x256x256xf32>, tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
        %77 = "stablehlo.multiply"(%76, %62) : (tensor<2x256x256xf32>, tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
        "stablehlo.return"(%77) : (tensor<2x256x256xf32>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind ROWS>} : (tensor<2x256x256xf32>, tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
      %78 = "gantry.fusion"(%arg13, %36) ({
      ^bb0(%arg25: tensor<2x256x16xf32>, %arg26: tensor<2x256x256xf32>):
        %79 = "stablehlo.dot_general"(%arg25, %arg26) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x256x16xf32>, tensor<2x256x256xf32>) -> tensor<2x16x256xf32>
        %80 = "stablehlo.transpose"(%79) {permutation = array<i64: 0, 2, 1>} : (tensor<2x16x256xf32>) -> tensor<2x256x16xf32>
        "stablehlo.return"(%80) : (tensor<2x256x16xf32>) -> ()
      }) {fusion_kind = #stablehlo<fusion_kind DOT>} : (tensor<2x256x16xf32>, tensor<2x256x256xf32>) -> tensor<2x256x16xf32>
      %81 = "stablehlo.dot_general"(%59, %arg11) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x256x256xf32>, tensor<2x256x16xf32>) -> tensor<2x256x16xf32>
      %82 = "stablehlo.dot_general"(%59, %arg10) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x256x256xf32>, tensor<2x256x16xf32>) -> tensor<2x256x16xf32>
      "stablehlo.return"(%78, %81, %82) : (tensor<2x256x16xf32>, tensor<2x256x16xf32>, tensor<2x256x16xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind ATTENTION_BACKWARD>} : (tensor<2x256x16xf32>, tensor<2x256x16xf32>, tensor<256xi32>, tensor<2x256x16xf32>, tensor<2x256x16xf32>) -> (tensor<2x256x16xf32>, tensor<2x256x16xf32>, tensor<2x256x16xf32>)
    %83 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<2x256x256xf32>} : () -> tensor<2x256x256xf32>
    "func.return"(%21, %34#1, %34#2, %34#0) : (tensor<2x256x16xf32>, tensor<2x256x16xf32>, tensor<2x256x16xf32>, tensor<2x256x16xf32>) -> ()
  }
}

// run: layout attention_backward
module @jit_both attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x256x16xf32>, %arg1: tensor<2x256x16xf32>, %arg2: tensor<2x256x16xf32>, %arg3: tensor<2x256x16xf32>) -> (tensor<2x256x256xf32>, tensor<2x256x16xf32>, tensor<2x256x16xf32>, tensor<2x256x16xf32>) {
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
    "func.return"(%20, %44, %43, %26) : (tensor<2x256x256xf32>, tensor<2x256x16xf32>, tensor<2x256x16xf32>, tensor<2x256x16xf32>) -> ()
  }
}
// ----
module @jit_both attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x256x16xf32>, %arg1: tensor<2x256x16xf32>, %arg2: tensor<2x256x16xf32>, %arg3: tensor<2x256x16xf32>) -> (tensor<2x256x256xf32>, tensor<2x256x16xf32>, tensor<2x256x16xf32>, tensor<2x256x16xf32>) {
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
    %25 = "gantry.fusion"(%arg3, %20) ({
    ^bb0(%arg8: tensor<2x256x16xf32>, %arg9: tensor<2x256x256xf32>):
      %26 = "stablehlo.dot_general"(%arg8, %arg9) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x256x16xf32>, tensor<2x256x256xf32>) -> tensor<2x16x256xf32>
      %27 = "stablehlo.transpose"(%26) {permutation = array<i64: 0, 2, 1>} : (tensor<2x16x256xf32>) -> tensor<2x256x16xf32>
      "stablehlo.return"(%27) : (tensor<2x256x16xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind DOT>} : (tensor<2x256x16xf32>, tensor<2x256x256xf32>) -> tensor<2x256x16xf32>
    %28 = "stablehlo.dot_general"(%arg3, %arg2) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x256x16xf32>, tensor<2x256x16xf32>) -> tensor<2x256x256xf32>
    %29 = "stablehlo.broadcast_in_dim"(%23) {broadcast_dimensions = array<i64: 0, 1, 2>} : (tensor<2x256x1xf32>) -> tensor<2x256x256xf32>
    %30 = "stablehlo.multiply"(%28, %29) : (tensor<2x256x256xf32>, tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
    %31 = "stablehlo.multiply"(%30, %15) : (tensor<2x256x256xf32>, tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
    %32 = "stablehlo.reduce"(%31, %0) ({
    ^bb0(%arg10: tensor<f32>, %arg11: tensor<f32>):
      %33 = "stablehlo.add"(%arg10, %arg11) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%33) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 2>} : (tensor<2x256x256xf32>, tensor<f32>) -> tensor<2x256xf32>
    %34 = "stablehlo.reshape"(%32) : (tensor<2x256xf32>) -> tensor<2x256x1xf32>
    %35 = "stablehlo.negate"(%34) : (tensor<2x256x1xf32>) -> tensor<2x256x1xf32>
    %36 = "stablehlo.divide"(%28, %19) : (tensor<2x256x256xf32>, tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
    %37 = "stablehlo.reshape"(%35) : (tensor<2x256x1xf32>) -> tensor<2x256xf32>
    %38 = "stablehlo.broadcast_in_dim"(%37) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<2x256xf32>) -> tensor<2x256x256xf32>
    %39 = "stablehlo.add"(%36, %38) : (tensor<2x256x256xf32>, tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
    %40 = "stablehlo.multiply"(%39, %15) : (tensor<2x256x256xf32>, tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
    %41 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<2x256x256xf32>} : () -> tensor<2x256x256xf32>
    %42 = "stablehlo.select"(%8, %40, %41) : (tensor<2x256x256xi1>, tensor<2x256x256xf32>, tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
    %43 = "stablehlo.multiply"(%42, %3) : (tensor<2x256x256xf32>, tensor<2x256x256xf32>) -> tensor<2x256x256xf32>
    %44 = "stablehlo.dot_general"(%43, %arg0) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x256x256xf32>, tensor<2x256x16xf32>) -> tensor<2x256x16xf32>
    %45 = "stablehlo.dot_general"(%43, %arg1) {dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x256x256xf32>, tensor<2x256x16xf32>) -> tensor<2x256x16xf32>
    "func.return"(%20, %45, %44, %25) : (tensor<2x256x256xf32>, tensor<2x256x16xf32>, tensor<2x256x16xf32>, tensor<2x256x16xf32>) -> ()
  }
}

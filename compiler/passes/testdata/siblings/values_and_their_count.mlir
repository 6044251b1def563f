// run: fusion siblings
func.func @main(%x: tensor<700xf32>, %a: tensor<12xf32>, %q0: tensor<700xf32>, %c0: tensor<700xi32>, %p: tensor<700xf32>) -> (tensor<700xf32>, tensor<700xi32>) {
  %one = stablehlo.constant dense<1> : tensor<700xi32>
  %s0 = stablehlo.slice %a [0:1] : (tensor<12xf32>) -> tensor<1xf32>
  %r0 = stablehlo.reshape %s0 : (tensor<1xf32>) -> tensor<f32>
  %b0 = stablehlo.broadcast_in_dim %r0, dims = [] : (tensor<f32>) -> tensor<700xf32>
  %d0 = stablehlo.divide %b0, %q0 : tensor<700xf32>
  %e0 = stablehlo.subtract %d0, %x : tensor<700xf32>
  %l0 = stablehlo.compare LE, %e0, %p : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
  %m0 = stablehlo.minimum %e0, %p : tensor<700xf32>
  %q1 = stablehlo.select %l0, %m0, %e0 : tensor<700xi1>, tensor<700xf32>
  %n0 = stablehlo.add %c0, %one : tensor<700xi32>
  %c1 = stablehlo.select %l0, %n0, %c0 : tensor<700xi1>, tensor<700xi32>
  %s1 = stablehlo.slice %a [1:2] : (tensor<12xf32>) -> tensor<1xf32>
  %r1 = stablehlo.reshape %s1 : (tensor<1xf32>) -> tensor<f32>
  %b1 = stablehlo.broadcast_in_dim %r1, dims = [] : (tensor<f32>) -> tensor<700xf32>
  %d1 = stablehlo.divide %b1, %q1 : tensor<700xf32>
  %e1 = stablehlo.subtract %d1, %x : tensor<700xf32>
  %l1 = stablehlo.compare LE, %e1, %p : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
  %m1 = stablehlo.minimum %e1, %p : tensor<700xf32>
  %q2 = stablehlo.select %l1, %m1, %e1 : tensor<700xi1>, tensor<700xf32>
  %n1 = stablehlo.add %c1, %one : tensor<700xi32>
  %c2 = stablehlo.select %l1, %n1, %c1 : tensor<700xi1>, tensor<700xi32>
  %s2 = stablehlo.slice %a [2:3] : (tensor<12xf32>) -> tensor<1xf32>
  %r2 = stablehlo.reshape %s2 : (tensor<1xf32>) -> tensor<f32>
  %b2 = stablehlo.broadcast_in_dim %r2, dims = [] : (tensor<f32>) -> tensor<700xf32>
  %d2 = stablehlo.divide %b2, %q2 : tensor<700xf32>
  %e2 = stablehlo.subtract %d2, %x : tensor<700xf32>
  %l2 = stablehlo.compare LE, %e2, %p : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
  %m2 = stablehlo.minimum %e2, %p : tensor<700xf32>
  %q3 = stablehlo.select %l2, %m2, %e2 : tensor<700xi1>, tensor<700xf32>
  %n2 = stablehlo.add %c2, %one : tensor<700xi32>
  %c3 = stablehlo.select %l2, %n2, %c2 : tensor<700xi1>, tensor<700xi32>
  %s3 = stablehlo.slice %a [3:4] : (tensor<12xf32>) -> tensor<1xf32>
  %r3 = stablehlo.reshape %s3 : (tensor<1xf32>) -> tensor<f32>
  %b3 = stablehlo.broadcast_in_dim %r3, dims = [] : (tensor<f32>) -> tensor<700xf32>
  %d3 = stablehlo.divide %b3, %q3 : tensor<700xf32>
  %e3 = stablehlo.subtract %d3, %x : tensor<700xf32>
  %l3 = stablehlo.compare LE, %e3, %p : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
  %m3 = stablehlo.minimum %e3, %p : tensor<700xf32>
  %q4 = stablehlo.select %l3, %m3, %e3 : tensor<700xi1>, tensor<700xf32>
  %n3 = stablehlo.add %c3, %one : tensor<700xi32>
  %c4 = stablehlo.select %l3, %n3, %c3 : tensor<700xi1>, tensor<700xi32>
  %s4 = stablehlo.slice %a [4:5] : (tensor<12xf32>) -> tensor<1xf32>
  %r4 = stablehlo.reshape %s4 : (tensor<1xf32>) -> tensor<f32>
  %b4 = stablehlo.broadcast_in_dim %r4, dims = [] : (tensor<f32>) -> tensor<700xf32>
  %d4 = stablehlo.divide %b4, %q4 : tensor<700xf32>
  %e4 = stablehlo.subtract %d4, %x : tensor<700xf32>
  %l4 = stablehlo.compare LE, %e4, %p : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
  %m4 = stablehlo.minimum %e4, %p : tensor<700xf32>
  %q5 = stablehlo.select %l4, %m4, %e4 : tensor<700xi1>, tensor<700xf32>
  %n4 = stablehlo.add %c4, %one : tensor<700xi32>
  %c5 = stablehlo.select %l4, %n4, %c4 : tensor<700xi1>, tensor<700xi32>
  %s5 = stablehlo.slice %a [5:6] : (tensor<12xf32>) -> tensor<1xf32>
  %r5 = stablehlo.reshape %s5 : (tensor<1xf32>) -> tensor<f32>
  %b5 = stablehlo.broadcast_in_dim %r5, dims = [] : (tensor<f32>) -> tensor<700xf32>
  %d5 = stablehlo.divide %b5, %q5 : tensor<700xf32>
  %e5 = stablehlo.subtract %d5, %x : tensor<700xf32>
  %l5 = stablehlo.compare LE, %e5, %p : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
  %m5 = stablehlo.minimum %e5, %p : tensor<700xf32>
  %q6 = stablehlo.select %l5, %m5, %e5 : tensor<700xi1>, tensor<700xf32>
  %n5 = stablehlo.add %c5, %one : tensor<700xi32>
  %c6 = stablehlo.select %l5, %n5, %c5 : tensor<700xi1>, tensor<700xi32>
  %s6 = stablehlo.slice %a [6:7] : (tensor<12xf32>) -> tensor<1xf32>
  %r6 = stablehlo.reshape %s6 : (tensor<1xf32>) -> tensor<f32>
  %b6 = stablehlo.broadcast_in_dim %r6, dims = [] : (tensor<f32>) -> tensor<700xf32>
  %d6 = stablehlo.divide %b6, %q6 : tensor<700xf32>
  %e6 = stablehlo.subtract %d6, %x : tensor<700xf32>
  %l6 = stablehlo.compare LE, %e6, %p : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
  %m6 = stablehlo.minimum %e6, %p : tensor<700xf32>
  %q7 = stablehlo.select %l6, %m6, %e6 : tensor<700xi1>, tensor<700xf32>
  %n6 = stablehlo.add %c6, %one : tensor<700xi32>
  %c7 = stablehlo.select %l6, %n6, %c6 : tensor<700xi1>, tensor<700xi32>
  %s7 = stablehlo.slice %a [7:8] : (tensor<12xf32>) -> tensor<1xf32>
  %r7 = stablehlo.reshape %s7 : (tensor<1xf32>) -> tensor<f32>
  %b7 = stablehlo.broadcast_in_dim %r7, dims = [] : (tensor<f32>) -> tensor<700xf32>
  %d7 = stablehlo.divide %b7, %q7 : tensor<700xf32>
  %e7 = stablehlo.subtract %d7, %x : tensor<700xf32>
  %l7 = stablehlo.compare LE, %e7, %p : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
  %m7 = stablehlo.minimum %e7, %p : tensor<700xf32>
  %q8 = stablehlo.select %l7, %m7, %e7 : tensor<700xi1>, tensor<700xf32>
  %n7 = stablehlo.add %c7, %one : tensor<700xi32>
  %c8 = stablehlo.select %l7, %n7, %c7 : tensor<700xi1>, tensor<700xi32>
  %s8 = stablehlo.slice %a [8:9] : (tensor<12xf32>) -> tensor<1xf32>
  %r8 = stablehlo.reshape %s8 : (tensor<1xf32>) -> tensor<f32>
  %b8 = stablehlo.broadcast_in_dim %r8, dims = [] : (tensor<f32>) -> tensor<700xf32>
  %d8 = stablehlo.divide %b8, %q8 : tensor<700xf32>
  %e8 = stablehlo.subtract %d8, %x : tensor<700xf32>
  %l8 = stablehlo.compare LE, %e8, %p : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
  %m8 = stablehlo.minimum %e8, %p : tensor<700xf32>
  %q9 = stablehlo.select %l8, %m8, %e8 : tensor<700xi1>, tensor<700xf32>
  %n8 = stablehlo.add %c8, %one : tensor<700xi32>
  %c9 = stablehlo.select %l8, %n8, %c8 : tensor<700xi1>, tensor<700xi32>
  %s9 = stablehlo.slice %a [9:10] : (tensor<12xf32>) -> tensor<1xf32>
  %r9 = stablehlo.reshape %s9 : (tensor<1xf32>) -> tensor<f32>
  %b9 = stablehlo.broadcast_in_dim %r9, dims = [] : (tensor<f32>) -> tensor<700xf32>
  %d9 = stablehlo.divide %b9, %q9 : tensor<700xf32>
  %e9 = stablehlo.subtract %d9, %x : tensor<700xf32>
  %l9 = stablehlo.compare LE, %e9, %p : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
  %m9 = stablehlo.minimum %e9, %p : tensor<700xf32>
  %q10 = stablehlo.select %l9, %m9, %e9 : tensor<700xi1>, tensor<700xf32>
  %n9 = stablehlo.add %c9, %one : tensor<700xi32>
  %c10 = stablehlo.select %l9, %n9, %c9 : tensor<700xi1>, tensor<700xi32>
  %s10 = stablehlo.slice %a [10:11] : (tensor<12xf32>) -> tensor<1xf32>
  %r10 = stablehlo.reshape %s10 : (tensor<1xf32>) -> tensor<f32>
  %b10 = stablehlo.broadcast_in_dim %r10, dims = [] : (tensor<f32>) -> tensor<700xf32>
  %d10 = stablehlo.divide %b10, %q10 : tensor<700xf32>
  %e10 = stablehlo.subtract %d10, %x : tensor<700xf32>
  %l10 = stablehlo.compare LE, %e10, %p : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
  %m10 = stablehlo.minimum %e10, %p : tensor<700xf32>
  %q11 = stablehlo.select %l10, %m10, %e10 : tensor<700xi1>, tensor<700xf32>
  %n10 = stablehlo.add %c10, %one : tensor<700xi32>
  %c11 = stablehlo.select %l10, %n10, %c10 : tensor<700xi1>, tensor<700xi32>
  %s11 = stablehlo.slice %a [11:12] : (tensor<12xf32>) -> tensor<1xf32>
  %r11 = stablehlo.reshape %s11 : (tensor<1xf32>) -> tensor<f32>
  %b11 = stablehlo.broadcast_in_dim %r11, dims = [] : (tensor<f32>) -> tensor<700xf32>
  %d11 = stablehlo.divide %b11, %q11 : tensor<700xf32>
  %e11 = stablehlo.subtract %d11, %x : tensor<700xf32>
  %l11 = stablehlo.compare LE, %e11, %p : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
  %m11 = stablehlo.minimum %e11, %p : tensor<700xf32>
  %q12 = stablehlo.select %l11, %m11, %e11 : tensor<700xi1>, tensor<700xf32>
  %n11 = stablehlo.add %c11, %one : tensor<700xi32>
  %c12 = stablehlo.select %l11, %n11, %c11 : tensor<700xi1>, tensor<700xi32>
  return %q12, %c12 : tensor<700xf32>, tensor<700xi32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<700xf32>, %arg1: tensor<12xf32>, %arg2: tensor<700xf32>, %arg3: tensor<700xi32>, %arg4: tensor<700xf32>) -> (tensor<700xf32>, tensor<700xi32>) {
    %0:5 = "gantry.fusion"(%arg1, %arg2, %arg0, %arg4) ({
    ^bb0(%arg5: tensor<12xf32>, %arg6: tensor<700xf32>, %arg7: tensor<700xf32>, %arg8: tensor<700xf32>):
      %1 = "stablehlo.slice"(%arg5) {start_indices = array<i64: 0>, limit_indices = array<i64: 1>, strides = array<i64: 1>} : (tensor<12xf32>) -> tensor<1xf32>
      %2 = "stablehlo.reshape"(%1) : (tensor<1xf32>) -> tensor<f32>
      %3 = "stablehlo.broadcast_in_dim"(%2) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<700xf32>
      %4 = "stablehlo.divide"(%3, %arg6) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %5 = "stablehlo.subtract"(%4, %arg7) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %6 = "stablehlo.compare"(%5, %arg8) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
      %7 = "stablehlo.minimum"(%5, %arg8) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %8 = "stablehlo.select"(%6, %7, %5) : (tensor<700xi1>, tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %9 = "stablehlo.slice"(%arg5) {start_indices = array<i64: 1>, limit_indices = array<i64: 2>, strides = array<i64: 1>} : (tensor<12xf32>) -> tensor<1xf32>
      %10 = "stablehlo.reshape"(%9) : (tensor<1xf32>) -> tensor<f32>
      %11 = "stablehlo.broadcast_in_dim"(%10) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<700xf32>
      %12 = "stablehlo.divide"(%11, %8) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %13 = "stablehlo.subtract"(%12, %arg7) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %14 = "stablehlo.compare"(%13, %arg8) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
      %15 = "stablehlo.minimum"(%13, %arg8) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %16 = "stablehlo.select"(%14, %15, %13) : (tensor<700xi1>, tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %17 = "stablehlo.slice"(%arg5) {start_indices = array<i64: 2>, limit_indices = array<i64: 3>, strides = array<i64: 1>} : (tensor<12xf32>) -> tensor<1xf32>
      %18 = "stablehlo.reshape"(%17) : (tensor<1xf32>) -> tensor<f32>
      %19 = "stablehlo.broadcast_in_dim"(%18) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<700xf32>
      %20 = "stablehlo.divide"(%19, %16) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %21 = "stablehlo.subtract"(%20, %arg7) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %22 = "stablehlo.compare"(%21, %arg8) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
      %23 = "stablehlo.minimum"(%21, %arg8) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %24 = "stablehlo.select"(%22, %23, %21) : (tensor<700xi1>, tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %25 = "stablehlo.slice"(%arg5) {start_indices = array<i64: 3>, limit_indices = array<i64: 4>, strides = array<i64: 1>} : (tensor<12xf32>) -> tensor<1xf32>
      %26 = "stablehlo.reshape"(%25) : (tensor<1xf32>) -> tensor<f32>
      %27 = "stablehlo.broadcast_in_dim"(%26) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<700xf32>
      %28 = "stablehlo.divide"(%27, %24) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %29 = "stablehlo.subtract"(%28, %arg7) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %30 = "stablehlo.compare"(%29, %arg8) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
      %31 = "stablehlo.minimum"(%29, %arg8) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %32 = "stablehlo.select"(%30, %31, %29) : (tensor<700xi1>, tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %33 = "stablehlo.slice"(%arg5) {start_indices = array<i64: 4>, limit_indices = array<i64: 5>, strides = array<i64: 1>} : (tensor<12xf32>) -> tensor<1xf32>
      %34 = "stablehlo.reshape"(%33) : (tensor<1xf32>) -> tensor<f32>
      %35 = "stablehlo.broadcast_in_dim"(%34) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<700xf32>
      %36 = "stablehlo.divide"(%35, %32) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %37 = "stablehlo.subtract"(%36, %arg7) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      "stablehlo.return"(%37, %29, %21, %13, %5) : (tensor<700xf32>, tensor<700xf32>, tensor<700xf32>, tensor<700xf32>, tensor<700xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<12xf32>, tensor<700xf32>, tensor<700xf32>, tensor<700xf32>) -> (tensor<700xf32>, tensor<700xf32>, tensor<700xf32>, tensor<700xf32>, tensor<700xf32>)
    %38:8 = "gantry.fusion"(%0#0, %arg4, %arg1, %arg0) ({
    ^bb0(%arg9: tensor<700xf32>, %arg10: tensor<700xf32>, %arg11: tensor<12xf32>, %arg12: tensor<700xf32>):
      %39 = "stablehlo.compare"(%arg9, %arg10) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
      %40 = "stablehlo.minimum"(%arg9, %arg10) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %41 = "stablehlo.select"(%39, %40, %arg9) : (tensor<700xi1>, tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %42 = "stablehlo.slice"(%arg11) {start_indices = array<i64: 5>, limit_indices = array<i64: 6>, strides = array<i64: 1>} : (tensor<12xf32>) -> tensor<1xf32>
      %43 = "stablehlo.reshape"(%42) : (tensor<1xf32>) -> tensor<f32>
      %44 = "stablehlo.broadcast_in_dim"(%43) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<700xf32>
      %45 = "stablehlo.divide"(%44, %41) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %46 = "stablehlo.subtract"(%45, %arg12) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %47 = "stablehlo.compare"(%46, %arg10) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
      %48 = "stablehlo.minimum"(%46, %arg10) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %49 = "stablehlo.select"(%47, %48, %46) : (tensor<700xi1>, tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %50 = "stablehlo.slice"(%arg11) {start_indices = array<i64: 6>, limit_indices = array<i64: 7>, strides = array<i64: 1>} : (tensor<12xf32>) -> tensor<1xf32>
      %51 = "stablehlo.reshape"(%50) : (tensor<1xf32>) -> tensor<f32>
      %52 = "stablehlo.broadcast_in_dim"(%51) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<700xf32>
      %53 = "stablehlo.divide"(%52, %49) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %54 = "stablehlo.subtract"(%53, %arg12) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %55 = "stablehlo.compare"(%54, %arg10) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
      %56 = "stablehlo.minimum"(%54, %arg10) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %57 = "stablehlo.select"(%55, %56, %54) : (tensor<700xi1>, tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %58 = "stablehlo.slice"(%arg11) {start_indices = array<i64: 7>, limit_indices = array<i64: 8>, strides = array<i64: 1>} : (tensor<12xf32>) -> tensor<1xf32>
      %59 = "stablehlo.reshape"(%58) : (tensor<1xf32>) -> tensor<f32>
      %60 = "stablehlo.broadcast_in_dim"(%59) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<700xf32>
      %61 = "stablehlo.divide"(%60, %57) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %62 = "stablehlo.subtract"(%61, %arg12) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %63 = "stablehlo.compare"(%62, %arg10) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
      %64 = "stablehlo.minimum"(%62, %arg10) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %65 = "stablehlo.select"(%63, %64, %62) : (tensor<700xi1>, tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %66 = "stablehlo.slice"(%arg11) {start_indices = array<i64: 8>, limit_indices = array<i64: 9>, strides = array<i64: 1>} : (tensor<12xf32>) -> tensor<1xf32>
      %67 = "stablehlo.reshape"(%66) : (tensor<1xf32>) -> tensor<f32>
      %68 = "stablehlo.broadcast_in_dim"(%67) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<700xf32>
      %69 = "stablehlo.divide"(%68, %65) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %70 = "stablehlo.subtract"(%69, %arg12) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %71 = "stablehlo.compare"(%70, %arg10) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
      %72 = "stablehlo.minimum"(%70, %arg10) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %73 = "stablehlo.select"(%71, %72, %70) : (tensor<700xi1>, tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %74 = "stablehlo.slice"(%arg11) {start_indices = array<i64: 9>, limit_indices = array<i64: 10>, strides = array<i64: 1>} : (tensor<12xf32>) -> tensor<1xf32>
      %75 = "stablehlo.reshape"(%74) : (tensor<1xf32>) -> tensor<f32>
      %76 = "stablehlo.broadcast_in_dim"(%75) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<700xf32>
      %77 = "stablehlo.divide"(%76, %73) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %78 = "stablehlo.subtract"(%77, %arg12) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %79 = "stablehlo.compare"(%78, %arg10) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
      %80 = "stablehlo.minimum"(%78, %arg10) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %81 = "stablehlo.select"(%79, %80, %78) : (tensor<700xi1>, tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %82 = "stablehlo.slice"(%arg11) {start_indices = array<i64: 10>, limit_indices = array<i64: 11>, strides = array<i64: 1>} : (tensor<12xf32>) -> tensor<1xf32>
      %83 = "stablehlo.reshape"(%82) : (tensor<1xf32>) -> tensor<f32>
      %84 = "stablehlo.broadcast_in_dim"(%83) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<700xf32>
      %85 = "stablehlo.divide"(%84, %81) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %86 = "stablehlo.subtract"(%85, %arg12) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %87 = "stablehlo.compare"(%86, %arg10) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
      %88 = "stablehlo.minimum"(%86, %arg10) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %89 = "stablehlo.select"(%87, %88, %86) : (tensor<700xi1>, tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %90 = "stablehlo.slice"(%arg11) {start_indices = array<i64: 11>, limit_indices = array<i64: 12>, strides = array<i64: 1>} : (tensor<12xf32>) -> tensor<1xf32>
      %91 = "stablehlo.reshape"(%90) : (tensor<1xf32>) -> tensor<f32>
      %92 = "stablehlo.broadcast_in_dim"(%91) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<700xf32>
      %93 = "stablehlo.divide"(%92, %89) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %94 = "stablehlo.subtract"(%93, %arg12) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %95 = "stablehlo.compare"(%94, %arg10) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
      %96 = "stablehlo.minimum"(%94, %arg10) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %97 = "stablehlo.select"(%95, %96, %94) : (tensor<700xi1>, tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      "stablehlo.return"(%97, %94, %86, %78, %70, %62, %54, %46) : (tensor<700xf32>, tensor<700xf32>, tensor<700xf32>, tensor<700xf32>, tensor<700xf32>, tensor<700xf32>, tensor<700xf32>, tensor<700xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<700xf32>, tensor<700xf32>, tensor<12xf32>, tensor<700xf32>) -> (tensor<700xf32>, tensor<700xf32>, tensor<700xf32>, tensor<700xf32>, tensor<700xf32>, tensor<700xf32>, tensor<700xf32>, tensor<700xf32>)
    %98 = "gantry.fusion"(%0#4, %arg4, %arg3, %0#3, %0#2, %0#1, %0#0, %38#7, %38#6, %38#5, %38#4, %38#3, %38#2, %38#1) ({
    ^bb0(%arg13: tensor<700xf32>, %arg14: tensor<700xf32>, %arg15: tensor<700xi32>, %arg16: tensor<700xf32>, %arg17: tensor<700xf32>, %arg18: tensor<700xf32>, %arg19: tensor<700xf32>, %arg20: tensor<700xf32>, %arg21: tensor<700xf32>, %arg22: tensor<700xf32>, %arg23: tensor<700xf32>, %arg24: tensor<700xf32>, %arg25: tensor<700xf32>, %arg26: tensor<700xf32>):
      %99 = "stablehlo.constant"() {value = dense<1> : tensor<700xi32>} : () -> tensor<700xi32>
      %100 = "stablehlo.compare"(%arg13, %arg14) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
      %101 = "stablehlo.add"(%arg15, %99) : (tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %102 = "stablehlo.select"(%100, %101, %arg15) : (tensor<700xi1>, tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %103 = "stablehlo.compare"(%arg16, %arg14) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
      %104 = "stablehlo.add"(%102, %99) : (tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %105 = "stablehlo.select"(%103, %104, %102) : (tensor<700xi1>, tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %106 = "stablehlo.compare"(%arg17, %arg14) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
      %107 = "stablehlo.add"(%105, %99) : (tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %108 = "stablehlo.select"(%106, %107, %105) : (tensor<700xi1>, tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %109 = "stablehlo.compare"(%arg18, %arg14) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
      %110 = "stablehlo.add"(%108, %99) : (tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %111 = "stablehlo.select"(%109, %110, %108) : (tensor<700xi1>, tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %112 = "stablehlo.compare"(%arg19, %arg14) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
      %113 = "stablehlo.add"(%111, %99) : (tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %114 = "stablehlo.select"(%112, %113, %111) : (tensor<700xi1>, tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %115 = "stablehlo.compare"(%arg20, %arg14) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
      %116 = "stablehlo.add"(%114, %99) : (tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %117 = "stablehlo.select"(%115, %116, %114) : (tensor<700xi1>, tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %118 = "stablehlo.compare"(%arg21, %arg14) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
      %119 = "stablehlo.add"(%117, %99) : (tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %120 = "stablehlo.select"(%118, %119, %117) : (tensor<700xi1>, tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %121 = "stablehlo.compare"(%arg22, %arg14) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
      %122 = "stablehlo.add"(%120, %99) : (tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %123 = "stablehlo.select"(%121, %122, %120) : (tensor<700xi1>, tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %124 = "stablehlo.compare"(%arg23, %arg14) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
      %125 = "stablehlo.add"(%123, %99) : (tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %126 = "stablehlo.select"(%124, %125, %123) : (tensor<700xi1>, tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %127 = "stablehlo.compare"(%arg24, %arg14) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
      %128 = "stablehlo.add"(%126, %99) : (tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %129 = "stablehlo.select"(%127, %128, %126) : (tensor<700xi1>, tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %130 = "stablehlo.compare"(%arg25, %arg14) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
      %131 = "stablehlo.add"(%129, %99) : (tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %132 = "stablehlo.select"(%130, %131, %129) : (tensor<700xi1>, tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %133 = "stablehlo.compare"(%arg26, %arg14) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
      %134 = "stablehlo.add"(%132, %99) : (tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %135 = "stablehlo.select"(%133, %134, %132) : (tensor<700xi1>, tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      "stablehlo.return"(%135) : (tensor<700xi32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<700xf32>, tensor<700xf32>, tensor<700xi32>, tensor<700xf32>, tensor<700xf32>, tensor<700xf32>, tensor<700xf32>, tensor<700xf32>, tensor<700xf32>, tensor<700xf32>, tensor<700xf32>, tensor<700xf32>, tensor<700xf32>, tensor<700xf32>) -> tensor<700xi32>
    "func.return"(%38#0, %98) : (tensor<700xf32>, tensor<700xi32>) -> ()
  }
}

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
    %0:2 = "gantry.fusion"(%arg1, %arg2, %arg0, %arg4, %arg3) ({
    ^bb0(%arg5: tensor<12xf32>, %arg6: tensor<700xf32>, %arg7: tensor<700xf32>, %arg8: tensor<700xf32>, %arg9: tensor<700xi32>):
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
      %38 = "stablehlo.compare"(%37, %arg8) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
      %39 = "stablehlo.minimum"(%37, %arg8) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %40 = "stablehlo.select"(%38, %39, %37) : (tensor<700xi1>, tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %41 = "stablehlo.slice"(%arg5) {start_indices = array<i64: 5>, limit_indices = array<i64: 6>, strides = array<i64: 1>} : (tensor<12xf32>) -> tensor<1xf32>
      %42 = "stablehlo.reshape"(%41) : (tensor<1xf32>) -> tensor<f32>
      %43 = "stablehlo.broadcast_in_dim"(%42) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<700xf32>
      %44 = "stablehlo.divide"(%43, %40) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %45 = "stablehlo.subtract"(%44, %arg7) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %46 = "stablehlo.compare"(%45, %arg8) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
      %47 = "stablehlo.minimum"(%45, %arg8) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %48 = "stablehlo.select"(%46, %47, %45) : (tensor<700xi1>, tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %49 = "stablehlo.slice"(%arg5) {start_indices = array<i64: 6>, limit_indices = array<i64: 7>, strides = array<i64: 1>} : (tensor<12xf32>) -> tensor<1xf32>
      %50 = "stablehlo.reshape"(%49) : (tensor<1xf32>) -> tensor<f32>
      %51 = "stablehlo.broadcast_in_dim"(%50) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<700xf32>
      %52 = "stablehlo.divide"(%51, %48) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %53 = "stablehlo.subtract"(%52, %arg7) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %54 = "stablehlo.compare"(%53, %arg8) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
      %55 = "stablehlo.minimum"(%53, %arg8) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %56 = "stablehlo.select"(%54, %55, %53) : (tensor<700xi1>, tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %57 = "stablehlo.slice"(%arg5) {start_indices = array<i64: 7>, limit_indices = array<i64: 8>, strides = array<i64: 1>} : (tensor<12xf32>) -> tensor<1xf32>
      %58 = "stablehlo.reshape"(%57) : (tensor<1xf32>) -> tensor<f32>
      %59 = "stablehlo.broadcast_in_dim"(%58) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<700xf32>
      %60 = "stablehlo.divide"(%59, %56) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %61 = "stablehlo.subtract"(%60, %arg7) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %62 = "stablehlo.compare"(%61, %arg8) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
      %63 = "stablehlo.minimum"(%61, %arg8) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %64 = "stablehlo.select"(%62, %63, %61) : (tensor<700xi1>, tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %65 = "stablehlo.slice"(%arg5) {start_indices = array<i64: 8>, limit_indices = array<i64: 9>, strides = array<i64: 1>} : (tensor<12xf32>) -> tensor<1xf32>
      %66 = "stablehlo.reshape"(%65) : (tensor<1xf32>) -> tensor<f32>
      %67 = "stablehlo.broadcast_in_dim"(%66) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<700xf32>
      %68 = "stablehlo.divide"(%67, %64) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %69 = "stablehlo.subtract"(%68, %arg7) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %70 = "stablehlo.compare"(%69, %arg8) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
      %71 = "stablehlo.minimum"(%69, %arg8) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %72 = "stablehlo.select"(%70, %71, %69) : (tensor<700xi1>, tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %73 = "stablehlo.slice"(%arg5) {start_indices = array<i64: 9>, limit_indices = array<i64: 10>, strides = array<i64: 1>} : (tensor<12xf32>) -> tensor<1xf32>
      %74 = "stablehlo.reshape"(%73) : (tensor<1xf32>) -> tensor<f32>
      %75 = "stablehlo.broadcast_in_dim"(%74) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<700xf32>
      %76 = "stablehlo.divide"(%75, %72) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %77 = "stablehlo.subtract"(%76, %arg7) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %78 = "stablehlo.compare"(%77, %arg8) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
      %79 = "stablehlo.minimum"(%77, %arg8) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %80 = "stablehlo.select"(%78, %79, %77) : (tensor<700xi1>, tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %81 = "stablehlo.slice"(%arg5) {start_indices = array<i64: 10>, limit_indices = array<i64: 11>, strides = array<i64: 1>} : (tensor<12xf32>) -> tensor<1xf32>
      %82 = "stablehlo.reshape"(%81) : (tensor<1xf32>) -> tensor<f32>
      %83 = "stablehlo.broadcast_in_dim"(%82) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<700xf32>
      %84 = "stablehlo.divide"(%83, %80) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %85 = "stablehlo.subtract"(%84, %arg7) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %86 = "stablehlo.compare"(%85, %arg8) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
      %87 = "stablehlo.minimum"(%85, %arg8) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %88 = "stablehlo.select"(%86, %87, %85) : (tensor<700xi1>, tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %89 = "stablehlo.slice"(%arg5) {start_indices = array<i64: 11>, limit_indices = array<i64: 12>, strides = array<i64: 1>} : (tensor<12xf32>) -> tensor<1xf32>
      %90 = "stablehlo.reshape"(%89) : (tensor<1xf32>) -> tensor<f32>
      %91 = "stablehlo.broadcast_in_dim"(%90) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<700xf32>
      %92 = "stablehlo.divide"(%91, %88) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %93 = "stablehlo.subtract"(%92, %arg7) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %94 = "stablehlo.compare"(%93, %arg8) {comparison_direction = #stablehlo<comparison_direction LE>} : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xi1>
      %95 = "stablehlo.minimum"(%93, %arg8) : (tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %96 = "stablehlo.select"(%94, %95, %93) : (tensor<700xi1>, tensor<700xf32>, tensor<700xf32>) -> tensor<700xf32>
      %97 = "stablehlo.constant"() {value = dense<1> : tensor<700xi32>} : () -> tensor<700xi32>
      %98 = "stablehlo.add"(%arg9, %97) : (tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %99 = "stablehlo.select"(%6, %98, %arg9) : (tensor<700xi1>, tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %100 = "stablehlo.add"(%99, %97) : (tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %101 = "stablehlo.select"(%14, %100, %99) : (tensor<700xi1>, tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %102 = "stablehlo.add"(%101, %97) : (tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %103 = "stablehlo.select"(%22, %102, %101) : (tensor<700xi1>, tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %104 = "stablehlo.add"(%103, %97) : (tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %105 = "stablehlo.select"(%30, %104, %103) : (tensor<700xi1>, tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %106 = "stablehlo.add"(%105, %97) : (tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %107 = "stablehlo.select"(%38, %106, %105) : (tensor<700xi1>, tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %108 = "stablehlo.add"(%107, %97) : (tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %109 = "stablehlo.select"(%46, %108, %107) : (tensor<700xi1>, tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %110 = "stablehlo.add"(%109, %97) : (tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %111 = "stablehlo.select"(%54, %110, %109) : (tensor<700xi1>, tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %112 = "stablehlo.add"(%111, %97) : (tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %113 = "stablehlo.select"(%62, %112, %111) : (tensor<700xi1>, tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %114 = "stablehlo.add"(%113, %97) : (tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %115 = "stablehlo.select"(%70, %114, %113) : (tensor<700xi1>, tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %116 = "stablehlo.add"(%115, %97) : (tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %117 = "stablehlo.select"(%78, %116, %115) : (tensor<700xi1>, tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %118 = "stablehlo.add"(%117, %97) : (tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %119 = "stablehlo.select"(%86, %118, %117) : (tensor<700xi1>, tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %120 = "stablehlo.add"(%119, %97) : (tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      %121 = "stablehlo.select"(%94, %120, %119) : (tensor<700xi1>, tensor<700xi32>, tensor<700xi32>) -> tensor<700xi32>
      "stablehlo.return"(%96, %121) : (tensor<700xf32>, tensor<700xi32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind LOOP>} : (tensor<12xf32>, tensor<700xf32>, tensor<700xf32>, tensor<700xf32>, tensor<700xi32>) -> (tensor<700xf32>, tensor<700xi32>)
    "func.return"(%0#0, %0#1) : (tensor<700xf32>, tensor<700xi32>) -> ()
  }
}

// run: offload_annotations canonicalize offload_placement offload_prefetch
func.func @main(%s: tensor<3x4xf32> {mhlo.memory_kind = "pinned_host"}, %x: tensor<4xf32>) -> (tensor<3x4xf32> {mhlo.memory_kind = "pinned_host"}, tensor<4xf32>) {
  %i0 = stablehlo.constant dense<2> : tensor<i32>
  %r:3 = stablehlo.while(%i = %i0, %c = %x, %stack = %s) : tensor<i32>, tensor<4xf32>, tensor<3x4xf32>
   cond {
    %n = stablehlo.constant dense<0> : tensor<i32>
    %p = stablehlo.compare GE, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %z = stablehlo.constant dense<0> : tensor<i32>
    %a = stablehlo.dynamic_slice %stack, %i, %z, sizes = [1, 4] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %u = stablehlo.dynamic_update_slice %stack, %a, %z, %z : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
    %f = stablehlo.slice %c [0:1] : (tensor<4xf32>) -> tensor<1xf32>
    %g = stablehlo.reshape %f : (tensor<1xf32>) -> tensor<f32>
    %k = stablehlo.convert %g : (tensor<f32>) -> tensor<i32>
    %b = stablehlo.dynamic_slice %s, %k, %z, sizes = [1, 4] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
    %q = stablehlo.reshape %b : (tensor<1x4xf32>) -> tensor<4xf32>
    %m = stablehlo.multiply %c, %q : tensor<4xf32>
    %one = stablehlo.constant dense<-1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %m, %u : tensor<i32>, tensor<4xf32>, tensor<3x4xf32>
  }
  return %r#2, %r#1 : tensor<3x4xf32>, tensor<4xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xf32> {mhlo.memory_kind = "pinned_host"}, %arg1: tensor<4xf32>) -> (tensor<3x4xf32> {mhlo.memory_kind = "pinned_host"}, tensor<4xf32>) {
    %0 = "stablehlo.constant"() {value = dense<2> : tensor<i32>} : () -> tensor<i32>
    %1:3 = "stablehlo.while"(%0, %arg1, %arg0) ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<4xf32>, %arg4: tensor<3x4xf32, "pinned_host">):
      %2 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %3 = "stablehlo.compare"(%arg2, %2) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%3) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg5: tensor<i32>, %arg6: tensor<4xf32>, %arg7: tensor<3x4xf32, "pinned_host">):
      %4 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %5 = "stablehlo.dynamic_slice"(%arg7, %arg5, %4) {slice_sizes = array<i64: 1, 4>} : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
      %6 = "stablehlo.dynamic_update_slice"(%arg7, %5, %4, %4) : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32, "pinned_host">
      %7 = "stablehlo.slice"(%arg6) {start_indices = array<i64: 0>, limit_indices = array<i64: 1>, strides = array<i64: 1>} : (tensor<4xf32>) -> tensor<1xf32>
      %8 = "stablehlo.reshape"(%7) : (tensor<1xf32>) -> tensor<f32>
      %9 = "stablehlo.convert"(%8) : (tensor<f32>) -> tensor<i32>
      %10 = "stablehlo.dynamic_slice"(%arg0, %9, %4) {slice_sizes = array<i64: 1, 4>} : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
      %11 = "stablehlo.reshape"(%10) : (tensor<1x4xf32>) -> tensor<4xf32>
      %12 = "stablehlo.multiply"(%arg6, %11) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %13 = "stablehlo.constant"() {value = dense<-1> : tensor<i32>} : () -> tensor<i32>
      %14 = "stablehlo.add"(%arg5, %13) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%14, %12, %6) : (tensor<i32>, tensor<4xf32>, tensor<3x4xf32>) -> ()
    }) : (tensor<i32>, tensor<4xf32>, tensor<3x4xf32>) -> (tensor<i32>, tensor<4xf32>, tensor<3x4xf32, "pinned_host">)
    "func.return"(%1#2, %1#1) : (tensor<3x4xf32>, tensor<4xf32>) -> ()
  }
}

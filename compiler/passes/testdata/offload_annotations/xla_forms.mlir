// run: inline offload_annotations
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32> {mhlo.memory_kind = "pinned_host"}) {
  %h = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %h : tensor<4xf32>
}
func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %h = stablehlo.custom_call @MoveToHost(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %d = stablehlo.custom_call @MoveToDevice(%h) : (tensor<4xf32>) -> tensor<4xf32>
  %u = stablehlo.custom_call @annotate_device_placement(%d) {mhlo.frontend_attributes = {_xla_buffer_placement = "unpinned_host"}} : (tensor<4xf32>) -> tensor<4xf32>
  return %u : tensor<4xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>) -> (tensor<4xf32> {mhlo.memory_kind = "pinned_host"}) {
    %0 = "gantry.copy"(%arg0) : (tensor<4xf32>) -> tensor<4xf32, "pinned_host">
    %1 = "gantry.copy"(%0) : (tensor<4xf32>) -> tensor<4xf32>
    %2 = "gantry.copy"(%1) : (tensor<4xf32>) -> tensor<4xf32, "unpinned_host">
    "func.return"(%2) : (tensor<4xf32>) -> ()
  }
}

// run: offload_annotations offload_placement
func.func @main(%x: tensor<4xf32> {mhlo.memory_kind = "pinned_host"}, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<2x2xf32> {mhlo.memory_kind = "pinned_host"}, tensor<4xf32> {mhlo.memory_kind = "unpinned_host"}) {
  %d = stablehlo.custom_call @annotate_device_placement(%y) {has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}} : (tensor<4xf32>) -> tensor<4xf32>
  %s = stablehlo.add %x, %d : tensor<4xf32>
  %r = stablehlo.reshape %x : (tensor<4xf32>) -> tensor<2x2xf32>
  return %x, %r, %s : tensor<4xf32>, tensor<2x2xf32>, tensor<4xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32> {mhlo.memory_kind = "pinned_host"}, %arg1: tensor<4xf32>) -> (tensor<4xf32>, tensor<2x2xf32> {mhlo.memory_kind = "pinned_host"}, tensor<4xf32> {mhlo.memory_kind = "unpinned_host"}) {
    %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %1 = "stablehlo.reshape"(%arg0) : (tensor<4xf32>) -> tensor<2x2xf32, "pinned_host">
    %2 = "gantry.copy"(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
    %3 = "gantry.copy"(%0) : (tensor<4xf32>) -> tensor<4xf32, "unpinned_host">
    "func.return"(%2, %1, %3) : (tensor<4xf32>, tensor<2x2xf32>, tensor<4xf32>) -> ()
  }
}

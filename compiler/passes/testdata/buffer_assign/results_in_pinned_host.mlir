// run: fusion buffer_assign
func.func @main(%x: tensor<64xf32>, %y: tensor<64xf32> {mhlo.memory_kind = "pinned_host"}) -> (tensor<64xf32> {mhlo.memory_kind = "pinned_host"}, tensor<64xf32>) {
  %a = stablehlo.custom_call @make(%x) : (tensor<64xf32>) -> tensor<64xf32>
  %b = stablehlo.custom_call @use(%a, %y) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %a, %b : tensor<64xf32>, tensor<64xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64xf32>, %arg1: tensor<64xf32> {mhlo.memory_kind = "pinned_host"}) -> (tensor<64xf32> {mhlo.memory_kind = "pinned_host"}, tensor<64xf32>) {
    %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "make", has_side_effect = false, backend_config = "", api_version = 1 : i32, on_one_device = false, device = 0 : i64, laid_out = false, cost = 0.000000000e+00 : f32} : (tensor<64xf32>) -> tensor<64xf32>
    %1 = "stablehlo.custom_call"(%0, %arg1) {call_target_name = "use", has_side_effect = false, backend_config = "", api_version = 1 : i32, on_one_device = false, device = 0 : i64, laid_out = false, cost = 0.000000000e+00 : f32} : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %2 = "gantry.copy"(%0) : (tensor<64xf32>) -> tensor<64xf32>
    %3 = "gantry.copy"(%1) : (tensor<64xf32>) -> tensor<64xf32>
    "func.return"(%2, %3) : (tensor<64xf32>, tensor<64xf32>) -> ()
  }
}
// argument 0: parameter 0 [0, 256)
// argument 1: parameter 1 in pinned_host [0, 256)
// operation 0: temp [0, 256)
// operation 1: result 1 [0, 256)
// operation 2: result 0 in pinned_host [0, 256)
// operation 3: result 1 [0, 256)
// temp: 256 bytes

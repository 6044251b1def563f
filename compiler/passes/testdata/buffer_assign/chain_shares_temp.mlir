// run: fusion buffer_assign
func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
  %a:2 = stablehlo.custom_call @step(%x) : (tensor<64xf32>) -> (tensor<64xf32>, tensor<16xf32>)
  %b = stablehlo.custom_call @step(%a#0) : (tensor<64xf32>) -> tensor<64xf32>
  %c = stablehlo.custom_call @step(%b) : (tensor<64xf32>) -> tensor<64xf32>
  return %c : tensor<64xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64xf32>) -> (tensor<64xf32>) {
    %0:2 = "stablehlo.custom_call"(%arg0) {call_target_name = "step", has_side_effect = false, backend_config = "", api_version = 1 : i32, on_one_device = false, device = 0 : i64, laid_out = false, cost = 0.000000000e+00 : f32} : (tensor<64xf32>) -> (tensor<64xf32>, tensor<16xf32>)
    %1 = "stablehlo.custom_call"(%0#0) {call_target_name = "step", has_side_effect = false, backend_config = "", api_version = 1 : i32, on_one_device = false, device = 0 : i64, laid_out = false, cost = 0.000000000e+00 : f32} : (tensor<64xf32>) -> tensor<64xf32>
    %2 = "stablehlo.custom_call"(%1) {call_target_name = "step", has_side_effect = false, backend_config = "", api_version = 1 : i32, on_one_device = false, device = 0 : i64, laid_out = false, cost = 0.000000000e+00 : f32} : (tensor<64xf32>) -> tensor<64xf32>
    %3 = "gantry.copy"(%2) : (tensor<64xf32>) -> tensor<64xf32>
    "func.return"(%3) : (tensor<64xf32>) -> ()
  }
}
// argument 0: parameter 0 [0, 256)
// operation 0: result 0 [0, 256)
// operation 0: temp [0, 64)
// operation 1: temp [0, 256)
// operation 2: result 0 [0, 256)
// operation 3: result 0 [0, 256)
// temp: 256 bytes

// run: fusion buffer_assign
func.func @main(%x: tensor<64xf32>, %y: tensor<4xf32>, %i: tensor<i32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %a = stablehlo.custom_call @make(%x) : (tensor<64xf32>) -> tensor<64xf32>
  %0 = stablehlo.dynamic_update_slice %a, %y, %i : (tensor<64xf32>, tensor<4xf32>, tensor<i32>) -> tensor<64xf32>
  %1 = stablehlo.custom_call @use(%a) : (tensor<64xf32>) -> tensor<64xf32>
  return %0, %1 : tensor<64xf32>, tensor<64xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64xf32>, %arg1: tensor<4xf32>, %arg2: tensor<i32>) -> (tensor<64xf32>, tensor<64xf32>) {
    %0 = "stablehlo.custom_call"(%arg0) {call_target_name = "make", has_side_effect = false, backend_config = "", api_version = 1 : i32, on_one_device = false, device = 0 : i64, laid_out = false, cost = 0.000000000e+00 : f32} : (tensor<64xf32>) -> tensor<64xf32>
    %1 = "gantry.copy"(%0) : (tensor<64xf32>) -> tensor<64xf32>
    %2 = "gantry.fusion"(%1, %arg1, %arg2) ({
    ^bb0(%arg3: tensor<64xf32>, %arg4: tensor<4xf32>, %arg5: tensor<i32>):
      %3 = "stablehlo.dynamic_update_slice"(%arg3, %arg4, %arg5) : (tensor<64xf32>, tensor<4xf32>, tensor<i32>) -> tensor<64xf32>
      "stablehlo.return"(%3) : (tensor<64xf32>) -> ()
    }) {fusion_kind = #stablehlo<fusion_kind UPDATE>} : (tensor<64xf32>, tensor<4xf32>, tensor<i32>) -> tensor<64xf32>
    %4 = "stablehlo.custom_call"(%0) {call_target_name = "use", has_side_effect = false, backend_config = "", api_version = 1 : i32, on_one_device = false, device = 0 : i64, laid_out = false, cost = 0.000000000e+00 : f32} : (tensor<64xf32>) -> tensor<64xf32>
    %5 = "gantry.copy"(%2) : (tensor<64xf32>) -> tensor<64xf32>
    %6 = "gantry.copy"(%4) : (tensor<64xf32>) -> tensor<64xf32>
    "func.return"(%5, %6) : (tensor<64xf32>, tensor<64xf32>) -> ()
  }
}
// argument 0: parameter 0 [0, 256)
// argument 1: parameter 1 [0, 16)
// argument 2: parameter 2 [0, 4)
// operation 0: temp [0, 256)
// operation 1: result 0 [0, 256)
// operation 2: result 0 [0, 256)
// operation 3: result 1 [0, 256)
// operation 4: result 0 [0, 256)
// operation 5: result 1 [0, 256)
// temp: 256 bytes

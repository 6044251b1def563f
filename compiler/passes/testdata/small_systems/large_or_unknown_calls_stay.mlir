// run: canonicalize small_systems canonicalize
func.func @main(%a: tensor<9x9xf32>, %b: tensor<3x3xf32>, %c: tensor<3x2xf32>, %d: tensor<257x3x3xf32>) -> (tensor<9x9xf32>, tensor<3x3xf32>, tensor<3x2xf32>, tensor<257x3x3xf32>) {
  %lu:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%a) {mhlo.backend_config = {}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<9x9xf32>) -> (tensor<9x9xf32>, tensor<9xi32>, tensor<i32>)
  %wrong_type:3 = stablehlo.custom_call @lapack_dgetrf_ffi(%b) {mhlo.backend_config = {}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xi32>, tensor<i32>)
  %no_options = stablehlo.custom_call @lapack_strsm_ffi(%b, %c) {mhlo.backend_config = {}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %many:2 = stablehlo.custom_call @lapack_spotrf_ffi(%d) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<257x3x3xf32>) -> (tensor<257x3x3xf32>, tensor<257xi32>)
  return %lu#0, %wrong_type#0, %no_options, %many#0 : tensor<9x9xf32>, tensor<3x3xf32>, tensor<3x2xf32>, tensor<257x3x3xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<9x9xf32>, %arg1: tensor<3x3xf32>, %arg2: tensor<3x2xf32>, %arg3: tensor<257x3x3xf32>) -> (tensor<9x9xf32>, tensor<3x3xf32>, tensor<3x2xf32>, tensor<257x3x3xf32>) {
    %0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 1, 0>} : (tensor<9x9xf32>) -> tensor<9x9xf32>
    %1:3 = "stablehlo.custom_call"(%0) {call_target_name = "lapack_sgetrf_ffi", has_side_effect = false, api_version = 1 : i32, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>, dense<> : tensor<0xindex>], on_one_device = false, device = 0 : i64, laid_out = true, cost = 0.000000000e+00 : f32, mhlo.backend_config = {}} : (tensor<9x9xf32>) -> (tensor<9x9xf32>, tensor<9xi32>, tensor<i32>)
    %2 = "stablehlo.transpose"(%1#0) {permutation = array<i64: 1, 0>} : (tensor<9x9xf32>) -> tensor<9x9xf32>
    %3 = "stablehlo.transpose"(%arg1) {permutation = array<i64: 1, 0>} : (tensor<3x3xf32>) -> tensor<3x3xf32>
    %4:3 = "stablehlo.custom_call"(%3) {call_target_name = "lapack_dgetrf_ffi", has_side_effect = false, api_version = 1 : i32, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>, dense<> : tensor<0xindex>], on_one_device = false, device = 0 : i64, laid_out = true, cost = 0.000000000e+00 : f32, mhlo.backend_config = {}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xi32>, tensor<i32>)
    %5 = "stablehlo.transpose"(%4#0) {permutation = array<i64: 1, 0>} : (tensor<3x3xf32>) -> tensor<3x3xf32>
    %6 = "stablehlo.transpose"(%arg1) {permutation = array<i64: 1, 0>} : (tensor<3x3xf32>) -> tensor<3x3xf32>
    %7 = "stablehlo.transpose"(%arg2) {permutation = array<i64: 1, 0>} : (tensor<3x2xf32>) -> tensor<2x3xf32>
    %8 = "stablehlo.custom_call"(%6, %7) {call_target_name = "lapack_strsm_ffi", has_side_effect = false, api_version = 1 : i32, operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>], on_one_device = false, device = 0 : i64, laid_out = true, cost = 0.000000000e+00 : f32, mhlo.backend_config = {}} : (tensor<3x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %9 = "stablehlo.transpose"(%8) {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %10 = "stablehlo.transpose"(%arg3) {permutation = array<i64: 0, 2, 1>} : (tensor<257x3x3xf32>) -> tensor<257x3x3xf32>
    %11:2 = "stablehlo.custom_call"(%10) {call_target_name = "lapack_spotrf_ffi", has_side_effect = false, api_version = 1 : i32, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>], on_one_device = false, device = 0 : i64, laid_out = true, cost = 0.000000000e+00 : f32, mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<257x3x3xf32>) -> (tensor<257x3x3xf32>, tensor<257xi32>)
    %12 = "stablehlo.transpose"(%11#0) {permutation = array<i64: 0, 2, 1>} : (tensor<257x3x3xf32>) -> tensor<257x3x3xf32>
    "func.return"(%2, %5, %9, %12) : (tensor<9x9xf32>, tensor<3x3xf32>, tensor<3x2xf32>, tensor<257x3x3xf32>) -> ()
  }
}

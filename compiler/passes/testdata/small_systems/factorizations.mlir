// run: canonicalize small_systems canonicalize
func.func @main(%a: tensor<3x3xf32>, %b: tensor<2x4x4xf64>) -> (tensor<3x3xf32>, tensor<3xi32>, tensor<i32>, tensor<2x4x4xf64>, tensor<2xi32>) {
  %lu:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%a) {mhlo.backend_config = {}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<[0]> : tensor<1xindex>, dense<> : tensor<0xindex>]} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xi32>, tensor<i32>)
  %c:2 = stablehlo.custom_call @lapack_dpotrf_ffi(%b) {mhlo.backend_config = {uplo = 76 : ui8}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[0]> : tensor<1xindex>]} : (tensor<2x4x4xf64>) -> (tensor<2x4x4xf64>, tensor<2xi32>)
  return %lu#0, %lu#1, %lu#2, %c#0, %c#1 : tensor<3x3xf32>, tensor<3xi32>, tensor<i32>, tensor<2x4x4xf64>, tensor<2xi32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x3xf32>, %arg1: tensor<2x4x4xf64>) -> (tensor<3x3xf32>, tensor<3xi32>, tensor<i32>, tensor<2x4x4xf64>, tensor<2xi32>) {
    %0 = "stablehlo.transpose"(%arg0) {permutation = array<i64: 1, 0>} : (tensor<3x3xf32>) -> tensor<3x3xf32>
    %1:3 = "gantry.lu"(%arg0) : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xi32>, tensor<i32>)
    %2 = "stablehlo.transpose"(%1#0) {permutation = array<i64: 1, 0>} : (tensor<3x3xf32>) -> tensor<3x3xf32>
    %3 = "stablehlo.transpose"(%arg1) {permutation = array<i64: 0, 2, 1>} : (tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %4 = "stablehlo.cholesky"(%arg1) {lower = true} : (tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %5 = "stablehlo.transpose"(%4) {permutation = array<i64: 0, 2, 1>} : (tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
    %6 = "stablehlo.slice"(%4) {start_indices = array<i64: 0, 3, 3>, limit_indices = array<i64: 2, 4, 4>, strides = array<i64: 1, 1, 1>} : (tensor<2x4x4xf64>) -> tensor<2x1x1xf64>
    %7 = "stablehlo.reshape"(%6) : (tensor<2x1x1xf64>) -> tensor<2xf64>
    %8 = "stablehlo.compare"(%7, %7) {comparison_direction = #stablehlo<comparison_direction NE>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xi1>
    %9 = "stablehlo.convert"(%8) : (tensor<2xi1>) -> tensor<2xi32>
    "func.return"(%1#0, %1#1, %1#2, %4, %9) : (tensor<3x3xf32>, tensor<3xi32>, tensor<i32>, tensor<2x4x4xf64>, tensor<2xi32>) -> ()
  }
}

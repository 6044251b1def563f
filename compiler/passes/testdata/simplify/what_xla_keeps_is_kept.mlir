// run: simplify dce
func.func @main(%x: tensor<4xf32>, %h: tensor<4xbf16>, %p: tensor<4xi1>, %q: tensor<i1>, %e: tensor<4xbf16>) -> (tensor<4xbf16>, tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>, tensor<4xf32>) {
  %m = stablehlo.convert %p : (tensor<4xi1>) -> tensor<4xbf16>
  %a = stablehlo.multiply %h, %m : tensor<4xbf16>
  %n = stablehlo.convert %q : (tensor<i1>) -> tensor<f32>
  %wide = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %b = stablehlo.multiply %x, %wide : tensor<4xf32>
  %i = stablehlo.convert %p : (tensor<4xi1>) -> tensor<4xi32>
  %j = stablehlo.convert %i : (tensor<4xi32>) -> tensor<4xf32>
  %c = stablehlo.multiply %x, %j : tensor<4xf32>
  %0 = stablehlo.exponential %h : tensor<4xbf16>
  %1 = stablehlo.exponential %e : tensor<4xbf16>
  %d = stablehlo.multiply %0, %1 : tensor<4xbf16>
  %f = stablehlo.subtract %x, %x : tensor<4xf32>
  return %a, %b, %c, %d, %f : tensor<4xbf16>, tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>, tensor<4xf32>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<4xbf16>, %arg2: tensor<4xi1>, %arg3: tensor<i1>, %arg4: tensor<4xbf16>) -> (tensor<4xbf16>, tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>, tensor<4xf32>) {
    %0 = "stablehlo.convert"(%arg2) : (tensor<4xi1>) -> tensor<4xbf16>
    %1 = "stablehlo.multiply"(%arg1, %0) : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
    %2 = "stablehlo.convert"(%arg3) : (tensor<i1>) -> tensor<f32>
    %3 = "stablehlo.broadcast_in_dim"(%2) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<4xf32>
    %4 = "stablehlo.multiply"(%arg0, %3) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %5 = "stablehlo.convert"(%arg2) : (tensor<4xi1>) -> tensor<4xi32>
    %6 = "stablehlo.convert"(%5) : (tensor<4xi32>) -> tensor<4xf32>
    %7 = "stablehlo.multiply"(%arg0, %6) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %8 = "stablehlo.exponential"(%arg1) : (tensor<4xbf16>) -> tensor<4xbf16>
    %9 = "stablehlo.exponential"(%arg4) : (tensor<4xbf16>) -> tensor<4xbf16>
    %10 = "stablehlo.multiply"(%8, %9) : (tensor<4xbf16>, tensor<4xbf16>) -> tensor<4xbf16>
    %11 = "stablehlo.subtract"(%arg0, %arg0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%1, %4, %7, %10, %11) : (tensor<4xbf16>, tensor<4xf32>, tensor<4xf32>, tensor<4xbf16>, tensor<4xf32>) -> ()
  }
}

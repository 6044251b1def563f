// run: simplify dce
func.func @main(%x: tensor<8xbf16>, %y: tensor<8xf16>) -> (tensor<8xf16>, tensor<8xbf16>) {
  %b = stablehlo.constant dense<0.0> : tensor<8xbf16>
  %h = stablehlo.constant dense<0.0> : tensor<8xf16>
  %0 = stablehlo.add %x, %b : tensor<8xbf16>
  %1 = stablehlo.convert %0 : (tensor<8xbf16>) -> tensor<8xf16>
  %2 = stablehlo.add %1, %h : tensor<8xf16>
  %3 = stablehlo.add %y, %h : tensor<8xf16>
  %4 = stablehlo.convert %3 : (tensor<8xf16>) -> tensor<8xbf16>
  %5 = stablehlo.add %4, %b : tensor<8xbf16>
  return %2, %5 : tensor<8xf16>, tensor<8xbf16>
}
// ----
module @module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xbf16>, %arg1: tensor<8xf16>) -> (tensor<8xf16>, tensor<8xbf16>) {
    %0 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<8xbf16>} : () -> tensor<8xbf16>
    %1 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<8xf16>} : () -> tensor<8xf16>
    %2 = "stablehlo.add"(%arg0, %0) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    %3 = "stablehlo.convert"(%2) : (tensor<8xbf16>) -> tensor<8xf16>
    %4 = "stablehlo.add"(%3, %1) : (tensor<8xf16>, tensor<8xf16>) -> tensor<8xf16>
    %5 = "stablehlo.add"(%arg1, %1) : (tensor<8xf16>, tensor<8xf16>) -> tensor<8xf16>
    %6 = "stablehlo.convert"(%5) : (tensor<8xf16>) -> tensor<8xbf16>
    "func.return"(%4, %6) : (tensor<8xf16>, tensor<8xbf16>) -> ()
  }
}

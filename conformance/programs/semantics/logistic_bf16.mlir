// logistic_bf16: stablehlo.logistic of bf16 is within 2 ULP; 0 at -inf and 1 at inf.
// input bf16 46 0 10c1104151c0a640d540fbbf8fbf13c0e2c0c2be95c08cc0b6c0b0c0b540b1bf8dc0d13ff03f2940ed40c9c014c078c00bc1b7c0f3bff6bf06405cbff73fa0c0d3c045c0e9c01bc037bf7c40d34001c1807fc07f803f003f80ff0000
// expect bf16 46 2 0139803f173d7f3f803ffd3d7c3ebb3d603ad03e1a3c4c3c5d3b853b7f3f4d3e453c563f5e3f6f3f803ff53ab93da73c3139573b053e033e643f983e603fdb3bb33a343d343aa73da83e7b3f803fa539803fc0ff3b3f1f3f0000003f
module {
func.func public @main(%a0: tensor<46xbf16>) -> (tensor<46xbf16>) {
  %r0 = "stablehlo.logistic"(%a0) : (tensor<46xbf16>) -> tensor<46xbf16>
  "func.return"(%r0) : (tensor<46xbf16>) -> ()
}
}

module @m {
  func.func public @f(%a: tensor<i1>, %b: tensor<2x3xui8>, %c: tensor<complex<f32>>) -> tensor<i1> {
    return %a : tensor<i1>
  }
  func.func public @g(%a: tensor<2xbf16>) -> tensor<2xbf16> {
    return %a : tensor<2xbf16>
  }
}

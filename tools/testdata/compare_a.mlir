module @jit_f {
  func.func public @main(%x: tensor<256x256xf32>, %w: tensor<256x256xf32>) -> tensor<256x256xf32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32> loc(#dot)
    return %0 : tensor<256x256xf32>
  }
}
#line = loc("model.py":3:8)
#dot = loc("jit(f)/dot_general"(#line))

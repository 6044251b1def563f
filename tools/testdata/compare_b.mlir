module @jit_f {
  func.func public @main(%x: tensor<256x256xf32>, %w: tensor<256x256xf32>) -> tensor<256x256xf32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32> loc(#dot)
    %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32> loc(#more)
    return %1 : tensor<256x256xf32>
  }
}
#line = loc("model.py":4:8)
#dot = loc("jit(f)/dot_general"(#line))
#line2 = loc("model.py":9:8)
#more = loc("jit(f)/dot_general"(#line2))

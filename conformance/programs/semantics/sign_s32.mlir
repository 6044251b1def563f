// sign_s32: stablehlo.sign of s32 is -1, 0 or 1.
// input i32 24 0 00000080ffffff7f000000000100000062f90a145f56934642276a55ab2da7b94551378e99b2d7cc3427fac8d732a15f70aca16926115981dd06f2ff8f063c525e19a6a1f9bd0c4c21397c9ec795caf748dc03517a8893cd855273d7a2e646c7
// expect i32 24 0 ffffffff010000000000000001000000010000000100000001000000ffffffffffffffffffffffffffffffff0100000001000000ffffffffffffffff01000000ffffffff01000000ffffffffffffffff01000000ffffffffffffffffffffffff
module {
func.func public @main(%a0: tensor<24xi32>) -> (tensor<24xi32>) {
  %r0 = "stablehlo.sign"(%a0) : (tensor<24xi32>) -> tensor<24xi32>
  "func.return"(%r0) : (tensor<24xi32>) -> ()
}
}

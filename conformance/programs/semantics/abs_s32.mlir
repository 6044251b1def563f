// abs_s32: stablehlo.abs of s32 wraps around: the least number is its own.
// input i32 24 0 00000080ffffff7f000000000100000062f90a145f56934642276a55ab2da7b94551378e99b2d7cc3427fac8d732a15f70aca16926115981dd06f2ff8f063c525e19a6a1f9bd0c4c21397c9ec795caf748dc03517a8893cd855273d7a2e646c7
// expect i32 24 0 00000080ffffff7f000000000100000062f90a145f56934642276a5555d25846bbaec871674d2833ccd80537d732a15f70aca169daeea67e23f90d008f063c52a2e6595ef9bd0c4cdfc68361396a350848dc035186776c327bad8c285e19b938
module {
func.func public @main(%a0: tensor<24xi32>) -> (tensor<24xi32>) {
  %r0 = "stablehlo.abs"(%a0) : (tensor<24xi32>) -> tensor<24xi32>
  "func.return"(%r0) : (tensor<24xi32>) -> ()
}
}

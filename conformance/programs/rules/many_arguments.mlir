module @many_arguments {
  func.func public @main(%x0: tensor<64xf32>, %x1: tensor<64xf32>, %x2: tensor<64xf32>, %x3: tensor<64xf32>, %x4: tensor<64xf32>, %x5: tensor<64xf32>, %x6: tensor<64xf32>, %x7: tensor<64xf32>, %x8: tensor<64xf32>, %x9: tensor<64xf32>, %x10: tensor<64xf32>, %x11: tensor<64xf32>, %x12: tensor<64xf32>, %x13: tensor<64xf32>, %x14: tensor<64xf32>, %x15: tensor<64xf32>, %x16: tensor<64xf32>, %x17: tensor<64xf32>, %x18: tensor<64xf32>, %x19: tensor<64xf32>, %x20: tensor<64xf32>, %x21: tensor<64xf32>, %x22: tensor<64xf32>, %x23: tensor<64xf32>, %x24: tensor<64xf32>, %x25: tensor<64xf32>, %x26: tensor<64xf32>, %x27: tensor<64xf32>, %x28: tensor<64xf32>, %x29: tensor<64xf32>, %x30: tensor<64xf32>, %x31: tensor<64xf32>, %x32: tensor<64xf32>, %x33: tensor<64xf32>, %x34: tensor<64xf32>, %x35: tensor<64xf32>, %x36: tensor<64xf32>, %x37: tensor<64xf32>, %x38: tensor<64xf32>, %x39: tensor<64xf32>, %x40: tensor<64xf32>, %x41: tensor<64xf32>, %x42: tensor<64xf32>, %x43: tensor<64xf32>, %x44: tensor<64xf32>, %x45: tensor<64xf32>, %x46: tensor<64xf32>, %x47: tensor<64xf32>) -> tensor<64xf32> {
    %1 = stablehlo.add %x0, %x1 : tensor<64xf32>
    %2 = stablehlo.add %1, %x2 : tensor<64xf32>
    %3 = stablehlo.add %2, %x3 : tensor<64xf32>
    %4 = stablehlo.add %3, %x4 : tensor<64xf32>
    %5 = stablehlo.add %4, %x5 : tensor<64xf32>
    %6 = stablehlo.add %5, %x6 : tensor<64xf32>
    %7 = stablehlo.add %6, %x7 : tensor<64xf32>
    %8 = stablehlo.add %7, %x8 : tensor<64xf32>
    %9 = stablehlo.add %8, %x9 : tensor<64xf32>
    %10 = stablehlo.add %9, %x10 : tensor<64xf32>
    %11 = stablehlo.add %10, %x11 : tensor<64xf32>
    %12 = stablehlo.add %11, %x12 : tensor<64xf32>
    %13 = stablehlo.add %12, %x13 : tensor<64xf32>
    %14 = stablehlo.add %13, %x14 : tensor<64xf32>
    %15 = stablehlo.add %14, %x15 : tensor<64xf32>
    %16 = stablehlo.add %15, %x16 : tensor<64xf32>
    %17 = stablehlo.add %16, %x17 : tensor<64xf32>
    %18 = stablehlo.add %17, %x18 : tensor<64xf32>
    %19 = stablehlo.add %18, %x19 : tensor<64xf32>
    %20 = stablehlo.add %19, %x20 : tensor<64xf32>
    %21 = stablehlo.add %20, %x21 : tensor<64xf32>
    %22 = stablehlo.add %21, %x22 : tensor<64xf32>
    %23 = stablehlo.add %22, %x23 : tensor<64xf32>
    %24 = stablehlo.add %23, %x24 : tensor<64xf32>
    %25 = stablehlo.add %24, %x25 : tensor<64xf32>
    %26 = stablehlo.add %25, %x26 : tensor<64xf32>
    %27 = stablehlo.add %26, %x27 : tensor<64xf32>
    %28 = stablehlo.add %27, %x28 : tensor<64xf32>
    %29 = stablehlo.add %28, %x29 : tensor<64xf32>
    %30 = stablehlo.add %29, %x30 : tensor<64xf32>
    %31 = stablehlo.add %30, %x31 : tensor<64xf32>
    %32 = stablehlo.add %31, %x32 : tensor<64xf32>
    %33 = stablehlo.add %32, %x33 : tensor<64xf32>
    %34 = stablehlo.add %33, %x34 : tensor<64xf32>
    %35 = stablehlo.add %34, %x35 : tensor<64xf32>
    %36 = stablehlo.add %35, %x36 : tensor<64xf32>
    %37 = stablehlo.add %36, %x37 : tensor<64xf32>
    %38 = stablehlo.add %37, %x38 : tensor<64xf32>
    %39 = stablehlo.add %38, %x39 : tensor<64xf32>
    %40 = stablehlo.add %39, %x40 : tensor<64xf32>
    %41 = stablehlo.add %40, %x41 : tensor<64xf32>
    %42 = stablehlo.add %41, %x42 : tensor<64xf32>
    %43 = stablehlo.add %42, %x43 : tensor<64xf32>
    %44 = stablehlo.add %43, %x44 : tensor<64xf32>
    %45 = stablehlo.add %44, %x45 : tensor<64xf32>
    %46 = stablehlo.add %45, %x46 : tensor<64xf32>
    %47 = stablehlo.add %46, %x47 : tensor<64xf32>
    return %47 : tensor<64xf32>
  }
}

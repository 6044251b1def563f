//! What a user of the crate `pjrt` does.
use crate::{programs, Case};
use pjrt::{
    Client, CompileOptions, ElemType, Error, HostBuffer, LoadedExecutable, Program, ProgramFormat::MLIR, Result,
};

pub const CASES: &[Case] = &[
    ("versions and attributes", versions),
    ("devices and memories", devices),
    ("generic text", generic_text),
    ("pretty text, three results", three_results),
    ("a loop", a_loop),
    ("types", types),
    ("futures", futures),
    ("serialized executables", serialized),
    ("compiled without a client", without_client),
    ("what an executable says", executable_says),
    ("errors", errors),
];

fn client(plugin: &str) -> Client {
    let api = pjrt::plugin(plugin).load().unwrap();
    Client::builder(&api).build().unwrap()
}

fn compile(client: &Client, text: &str) -> Result<LoadedExecutable> {
    LoadedExecutable::builder(client, &Program::new(MLIR, text)).build()
}

fn upload<T: ElemType>(client: &Client, data: Vec<T>, dims: &[i64]) -> pjrt::Buffer
where
    HostBuffer: From<pjrt::TypedHostBuffer<T::Type>>,
{
    HostBuffer::builder()
        .data(data)
        .dims(dims)
        .build()
        .copy_to_sync(client)
        .unwrap()
}

fn f32s(buffer: &pjrt::Buffer) -> Vec<f32> {
    match buffer.copy_to_host_sync().unwrap() {
        HostBuffer::F32(host) => host.data().to_vec(),
        other => panic!("not f32: {other:?}"),
    }
}

fn i32s(buffer: &pjrt::Buffer) -> Vec<i32> {
    match buffer.copy_to_host_sync().unwrap() {
        HostBuffer::I32(host) => host.data().to_vec(),
        other => panic!("not i32: {other:?}"),
    }
}

fn versions(plugin: &str) {
    let api = pjrt::plugin(plugin).load().unwrap();
    assert_eq!(api.version().major_version, 0);
    assert!(api.version().minor_version >= 54, "this crate knows 0.54");
    assert!(format!("{:?}", api.plugin_attributes()).contains("stablehlo_current_version"));
}

fn devices(plugin: &str) {
    let client = client(plugin);
    assert!(!client.platform_version().is_empty());
    assert_eq!(client.process_index(), 0);
    let devices = client.addressable_devices();
    assert_eq!(devices.len(), client.devices().len());
    for device in devices {
        assert!(device.is_addressable());
        assert!(!device.description().kind().is_empty());
        assert!(!device.addressable_memories().is_empty());
        device.memory_stats().unwrap();
    }
}

fn generic_text(plugin: &str) {
    let client = client(plugin);
    let program = compile(&client, programs::ADD_AND_SCALE).unwrap();
    let x = upload(&client, vec![1.0f32, 2.0, 3.0, 4.0], &[4]);
    let y = upload(&client, vec![0.5f32, -2.0, 0.0, 1e6], &[4]);
    let results = program.execution([x, y]).run_sync().unwrap();
    assert_eq!(f32s(&results[0][0]), [3.0, 0.0, 6.0, 2000008.0]);
}

fn three_results(plugin: &str) {
    let client = client(plugin);
    let program = compile(&client, programs::THREE_RESULTS).unwrap();
    let x: Vec<f32> = (0..15).map(|i| (i as f32).sin()).collect();
    let y: Vec<f32> = (0..20).map(|i| (i as f32 * 0.7).cos()).collect();
    let mut product = vec![0.0f32; 12];
    for (i, out) in product.iter_mut().enumerate() {
        *out = (0..5).map(|k| x[i / 4 * 5 + k] * y[k * 4 + i % 4]).sum();
    }
    let mut order: Vec<i32> = (0..12).collect();
    order.sort_by(|&a, &b| product[b as usize].total_cmp(&product[a as usize]));

    let inputs = [upload(&client, x, &[3, 5]), upload(&client, y, &[5, 4])];
    let results = program.execution(inputs).run_sync().unwrap();
    for (got, want) in f32s(&results[0][0]).iter().zip(&product) {
        assert!((got - want).abs() < 1e-5, "{got} is not {want}");
    }
    let sum: f32 = product.iter().sum();
    assert!((f32s(&results[0][1])[0] - sum).abs() < 1e-5);
    assert_eq!(i32s(&results[0][2]), order);
    assert_eq!(results[0][0].dims(), [3, 4]);
}

fn a_loop(plugin: &str) {
    let client = client(plugin);
    let program = compile(&client, programs::COLLATZ).unwrap();
    for (n, want) in [(1i64, 0i64), (6, 8), (27, 111), (837799, 524)] {
        let results = program
            .execution(HostBuffer::scalar(n).copy_to_sync(&client).unwrap())
            .run_sync()
            .unwrap();
        match results[0][0].copy_to_host_sync().unwrap() {
            HostBuffer::I64(steps) => assert_eq!(steps.data(), [want], "from {n}"),
            other => panic!("{other:?}"),
        }
    }
}

macro_rules! doubled {
    ($client:expr, $type:ty, $variant:ident, $name:expr) => {{
        let program = compile($client, &programs::double($name)).unwrap();
        let x = upload($client, vec![0 as $type, 1 as $type, 50 as $type], &[3]);
        let results = program.execution(x).run_sync().unwrap();
        match results[0][0].copy_to_host_sync().unwrap() {
            HostBuffer::$variant(host) => assert_eq!(host.data(), [0 as $type, 2 as $type, 100 as $type]),
            other => panic!("{} came back as {other:?}", $name),
        }
    }};
}

fn types(plugin: &str) {
    let client = client(plugin);
    doubled!(&client, f32, F32, "f32");
    doubled!(&client, f64, F64, "f64");
    doubled!(&client, i8, I8, "i8");
    doubled!(&client, i16, I16, "i16");
    doubled!(&client, i32, I32, "i32");
    doubled!(&client, i64, I64, "i64");
    doubled!(&client, u8, U8, "ui8");
    doubled!(&client, u16, U16, "ui16");
    doubled!(&client, u32, U32, "ui32");
    doubled!(&client, u64, U64, "ui64");
}

fn futures(plugin: &str) {
    let client = client(plugin);
    let program = compile(&client, &programs::times(3)).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let host = HostBuffer::builder().data(vec![2.0f32; 256]).dims([256]).build();
        let x = host.copy_to(&client).await.unwrap();
        let results = program.execution(x).run().await.unwrap();
        match results[0][0].copy_to_host().await.unwrap() {
            HostBuffer::F32(host) => assert_eq!(host.data(), [6.0; 256]),
            other => panic!("{other:?}"),
        }
    });
}

fn serialized(plugin: &str) {
    let client = client(plugin);
    let bytes = compile(&client, &programs::times(5))
        .unwrap()
        .executable()
        .serialize()
        .bytes()
        .to_vec();
    let program = client.load_executable(&bytes).unwrap();
    let results = program
        .execution(upload(&client, vec![1.5f32; 256], &[256]))
        .run_sync()
        .unwrap();
    assert_eq!(f32s(&results[0][0]), [7.5; 256]);
    let mut broken = bytes.clone();
    let middle = broken.len() / 2;
    broken[middle] ^= 0x55;
    broken.truncate(bytes.len() - 9);
    assert!(client.load_executable(&broken).is_err());
}

fn without_client(plugin: &str) {
    let client = client(plugin);
    let program = Program::new(MLIR, programs::times(7));
    let topology = client.api().create_topology("", vec![]).unwrap(); // the crate would free the client's own
    let executable = client
        .api()
        .compile(&program, &topology, CompileOptions::new(), None)
        .unwrap();
    assert_eq!(executable.num_outputs(), 1);
    let program = client.load_executable(executable.serialize().bytes()).unwrap();
    let results = program
        .execution(upload(&client, vec![1.0f32; 256], &[256]))
        .run_sync()
        .unwrap();
    assert_eq!(f32s(&results[0][0]), [7.0; 256]);
}

fn executable_says(plugin: &str) {
    let client = client(plugin);
    let executable = compile(&client, programs::IN_PLACE).unwrap().executable();
    assert_eq!(
        (
            executable.num_replicas(),
            executable.num_partitions(),
            executable.num_outputs()
        ),
        (1, 1, 1)
    );
    assert_eq!(executable.output_dims(), [[1024]]);
    assert!(!executable.fingerprint().is_empty());
    let stats = executable.compiled_memory_stats();
    assert_eq!((stats.argument_size_in_bytes, stats.alias_size_in_bytes), (8192, 4096));
}

fn refused<T>(result: Result<T>, code: &str, words: &str) {
    match result {
        Ok(_) => panic!("no error"),
        Err(Error::PjrtError { msg, code: got, .. }) => {
            assert_eq!(format!("{got:?}"), code, "{msg}");
            assert!(msg.contains(words), "{msg}");
        }
        Err(other) => panic!("{other}"),
    }
}

fn errors(plugin: &str) {
    let client = client(plugin);
    refused(
        compile(&client, "func.func @main() {\n  %0 = ,\n}"),
        "InvalidArgument",
        "2:",
    );
    refused(compile(&client, ""), "InvalidArgument", "");
    let wrong = programs::ADD_AND_SCALE.replace("-> tensor<4xf32> {", "-> tensor<5xf32> {");
    refused(compile(&client, &wrong), "InvalidArgument", "5xf32");
    let program = compile(&client, programs::ADD_AND_SCALE).unwrap();
    refused(
        program.execution(()).run_sync(),
        "InvalidArgument",
        "supplied 0 buffers",
    );
    let integers = || upload(&client, vec![1i32; 4], &[4]);
    refused(
        program.execution([integers(), integers()]).run_sync(),
        "InvalidArgument",
        "",
    );
    let short = || upload(&client, vec![1f32; 3], &[3]);
    refused(program.execution([short(), short()]).run_sync(), "InvalidArgument", "");
    refused(client.lookup_device(99), "InvalidArgument", "99");
}

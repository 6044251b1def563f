//! A thin layer over `pjrt-sys`: every call by its name, errors as results, handles with owners.
use libloading::Library;
use pjrt_sys::*;

/// The plugin stays open as long as the process: other threads may hold its table.
#[derive(Clone, Copy)]
pub struct Api(pub &'static PJRT_Api);
unsafe impl Send for Api {}
unsafe impl Sync for Api {}

#[derive(Debug)]
pub struct Failure {
    pub code: u32,
    pub message: String,
}

pub type Outcome<T> = Result<T, Failure>;

pub fn open(path: &str) -> Api {
    let library = Box::leak(Box::new(unsafe { Library::new(path) }.unwrap()));
    let get: libloading::Symbol<unsafe extern "C" fn() -> *const PJRT_Api> =
        unsafe { library.get(b"GetPjrtApi") }.unwrap();
    let api = Api(unsafe { &*get() });
    call!(api, PJRT_Plugin_Initialize, PJRT_Plugin_Initialize_Args::new()).unwrap();
    api
}

/// Calls a function of the table with its arguments, and gives them back, with what it wrote.
#[macro_export]
macro_rules! call {
    ($api:expr, $function:ident, $args:expr) => {{
        let mut args = $args;
        let error = unsafe { $api.0.$function.unwrap()(&mut args) };
        $api.outcome(error).map(|()| args)
    }};
}
pub use call;

impl Api {
    pub fn outcome(self, error: *mut PJRT_Error) -> Outcome<()> {
        if error.is_null() {
            return Ok(());
        }
        let mut message = PJRT_Error_Message_Args::new();
        message.error = error;
        let mut code = PJRT_Error_GetCode_Args::new();
        code.error = error;
        let mut destroy = PJRT_Error_Destroy_Args::new();
        destroy.error = error;
        unsafe {
            self.0.PJRT_Error_Message.unwrap()(&mut message);
            assert!(self.0.PJRT_Error_GetCode.unwrap()(&mut code).is_null());
            let bytes = std::slice::from_raw_parts(message.message as *const u8, message.message_size);
            let failure = Failure {
                code: code.code as u32,
                message: String::from_utf8_lossy(bytes).into_owned(),
            };
            self.0.PJRT_Error_Destroy.unwrap()(&mut destroy);
            Err(failure)
        }
    }

    pub fn wait(self, event: *mut PJRT_Event) -> Outcome<()> {
        let mut wait = PJRT_Event_Await_Args::new();
        wait.event = event;
        let outcome = call!(self, PJRT_Event_Await, wait).map(drop);
        let mut destroy = PJRT_Event_Destroy_Args::new();
        destroy.event = event;
        call!(self, PJRT_Event_Destroy, destroy)?;
        outcome
    }
}

/// A handle of the plugin that may go from thread to thread; whoever made it destroys it by name.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Handle<T>(pub *mut T);
unsafe impl<T> Send for Handle<T> {}
unsafe impl<T> Sync for Handle<T> {}

pub type ClientHandle = Handle<PJRT_Client>;
pub type Executable = Handle<PJRT_LoadedExecutable>;
pub type Buffer = Handle<PJRT_Buffer>;

pub fn create(api: Api) -> ClientHandle {
    Handle(
        call!(api, PJRT_Client_Create, PJRT_Client_Create_Args::new())
            .unwrap()
            .client,
    )
}

pub fn destroy_client(api: Api, client: ClientHandle) {
    let mut args = PJRT_Client_Destroy_Args::new();
    args.client = client.0;
    call!(api, PJRT_Client_Destroy, args).unwrap();
}

pub fn compile(api: Api, client: ClientHandle, text: &str) -> Outcome<Executable> {
    let options = pjrt::CompileOptions::new().encode();
    let mut program = PJRT_Program::new();
    program.code = text.as_ptr() as *mut _;
    program.code_size = text.len();
    program.format = b"mlir".as_ptr() as *const _;
    program.format_size = 4;
    let mut args = PJRT_Client_Compile_Args::new();
    args.client = client.0;
    args.program = &program;
    args.compile_options = options.as_ptr() as *const _;
    args.compile_options_size = options.len();
    Ok(Handle(call!(api, PJRT_Client_Compile, args)?.executable))
}

pub fn destroy_executable(api: Api, executable: Executable) {
    let mut args = PJRT_LoadedExecutable_Destroy_Args::new();
    args.executable = executable.0;
    call!(api, PJRT_LoadedExecutable_Destroy, args).unwrap();
}

pub fn upload(api: Api, client: ClientHandle, data: &[f32]) -> Outcome<Buffer> {
    let mut devices = PJRT_Client_AddressableDevices_Args::new();
    devices.client = client.0;
    let devices = call!(api, PJRT_Client_AddressableDevices, devices)?;
    let dims = [data.len() as i64];
    let mut args = PJRT_Client_BufferFromHostBuffer_Args::new();
    args.client = client.0;
    args.data = data.as_ptr() as *const _;
    args.type_ = PJRT_Buffer_Type_PJRT_Buffer_Type_F32;
    args.dims = dims.as_ptr();
    args.num_dims = 1;
    args.device = unsafe { *devices.addressable_devices };
    let args = call!(api, PJRT_Client_BufferFromHostBuffer, args)?;
    api.wait(args.done_with_host_buffer)?;
    Ok(Handle(args.buffer))
}

pub fn download(api: Api, buffer: Buffer, out: &mut [f32]) -> Outcome<()> {
    let mut args = PJRT_Buffer_ToHostBuffer_Args::new();
    args.src = buffer.0;
    args.dst = out.as_mut_ptr() as *mut _;
    args.dst_size = std::mem::size_of_val(out);
    let args = call!(api, PJRT_Buffer_ToHostBuffer, args)?;
    api.wait(args.event)
}

pub fn is_deleted(api: Api, buffer: Buffer) -> bool {
    let mut args = PJRT_Buffer_IsDeleted_Args::new();
    args.buffer = buffer.0;
    call!(api, PJRT_Buffer_IsDeleted, args).unwrap().is_deleted
}

pub fn destroy_buffer(api: Api, buffer: Buffer) {
    let mut args = PJRT_Buffer_Destroy_Args::new();
    args.buffer = buffer.0;
    call!(api, PJRT_Buffer_Destroy, args).unwrap();
}

/// Runs an executable of one result. The arguments in `keep` are not donated.
pub fn execute(api: Api, executable: Executable, inputs: &[Buffer], keep: &[i64]) -> Outcome<Buffer> {
    let inputs: Vec<*mut PJRT_Buffer> = inputs.iter().map(|b| b.0).collect();
    let lists = [inputs.as_ptr()];
    let mut result: *mut PJRT_Buffer = std::ptr::null_mut();
    let results = [&mut result as *mut *mut PJRT_Buffer];
    let mut done: *mut PJRT_Event = std::ptr::null_mut();
    let mut options = PJRT_ExecuteOptions::new();
    options.non_donatable_input_indices = keep.as_ptr();
    options.num_non_donatable_input_indices = keep.len();
    let mut args = PJRT_LoadedExecutable_Execute_Args::new();
    args.executable = executable.0;
    args.options = &mut options;
    args.argument_lists = lists.as_ptr();
    args.num_devices = 1;
    args.num_args = inputs.len();
    args.output_lists = results.as_ptr();
    args.device_complete_events = &mut done;
    call!(api, PJRT_LoadedExecutable_Execute, args)?;
    api.wait(done)?;
    Ok(Handle(result))
}

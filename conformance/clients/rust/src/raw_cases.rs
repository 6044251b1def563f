//! What clients do with the C interface itself: threads, donation, ends of lives in any order, structs of other ages.
use crate::raw::*;
use crate::{programs, Case};
use pjrt_sys::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

pub const CASES: &[Case] = &[
    ("16 threads on one client", threads),
    ("a buffer used by many threads", shared_buffer),
    ("donation", donation),
    ("no donation without consent", no_donation),
    ("a client is destroyed first", client_first),
    ("callbacks of events", callbacks),
    ("a struct too short", short_struct),
    ("a struct of a newer client", long_struct),
    ("a hundred clients", many_clients),
];

const INVALID_ARGUMENT: u32 = 3;

fn times(api: Api, client: ClientHandle, factor: usize) {
    let program = compile(api, client, &programs::times(factor)).unwrap();
    for round in 0..20 {
        let x: Vec<f32> = (0..256).map(|i| (i + round) as f32).collect();
        let input = upload(api, client, &x).unwrap();
        let output = execute(api, program, &[input], &[0]).unwrap();
        let mut out = vec![0f32; 256];
        download(api, output, &mut out).unwrap();
        assert!(
            out.iter().zip(&x).all(|(y, x)| *y == x * factor as f32),
            "times {factor}"
        );
        destroy_buffer(api, input);
        destroy_buffer(api, output);
    }
    destroy_executable(api, program);
}

fn threads(plugin: &str) {
    let api = open(plugin);
    let client = create(api);
    std::thread::scope(|scope| {
        for factor in 1..17 {
            scope.spawn(move || times(api, client, factor));
        }
    });
    destroy_client(api, client);
}

fn shared_buffer(plugin: &str) {
    let api = open(plugin);
    let client = create(api);
    let input = upload(api, client, &[3.0; 256]).unwrap();
    let program = compile(api, client, &programs::times(2)).unwrap();
    let right = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let (input, program) = (input, program);
                for _ in 0..50 {
                    let output = execute(api, program, &[input], &[0]).unwrap();
                    let mut out = vec![0f32; 256];
                    download(api, output, &mut out).unwrap();
                    destroy_buffer(api, output);
                    right.fetch_add(usize::from(out == [6.0; 256]), Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(right.into_inner(), 400);
    destroy_buffer(api, input);
    destroy_executable(api, program);
    destroy_client(api, client);
}

fn donation(plugin: &str) {
    let api = open(plugin);
    let client = create(api);
    let program = compile(api, client, programs::IN_PLACE).unwrap();
    let one = upload(api, client, &[1.0; 1024]).unwrap();
    let mut sum = upload(api, client, &[0.5; 1024]).unwrap();
    for _ in 0..100 {
        let next = execute(api, program, &[sum, one], &[1]).unwrap();
        assert!(is_deleted(api, sum) && !is_deleted(api, one));
        destroy_buffer(api, sum);
        sum = next;
    }
    let mut out = vec![0f32; 1024];
    download(api, sum, &mut out).unwrap();
    assert_eq!(out, [100.5; 1024]);

    let next = execute(api, program, &[sum, one], &[1]).unwrap();
    let failure = execute(api, program, &[sum, one], &[1]).unwrap_err();
    assert!(
        failure.message.contains("deleted") || failure.message.contains("donated"),
        "{failure:?}"
    );
    assert!(download(api, sum, &mut out).is_err());
    for buffer in [sum, one, next] {
        destroy_buffer(api, buffer);
    }
    destroy_executable(api, program);
    destroy_client(api, client);
}

fn no_donation(plugin: &str) {
    let api = open(plugin);
    let client = create(api);
    let program = compile(api, client, programs::IN_PLACE).unwrap();
    let x = upload(api, client, &[1.0; 1024]).unwrap();
    let y = execute(api, program, &[x, x], &[0, 1]).unwrap();
    let mut out = vec![0f32; 1024];
    for (buffer, want) in [(x, 1.0), (y, 2.0)] {
        download(api, buffer, &mut out).unwrap();
        assert_eq!(out, [want; 1024]);
        destroy_buffer(api, buffer);
    }
    destroy_executable(api, program);
    destroy_client(api, client);
}

fn client_first(plugin: &str) {
    let api = open(plugin);
    let client = create(api);
    let program = compile(api, client, &programs::times(4)).unwrap();
    let input = upload(api, client, &[2.0; 256]).unwrap();
    let output = execute(api, program, &[input], &[0]).unwrap();
    destroy_client(api, client);
    let mut out = vec![0f32; 256];
    download(api, output, &mut out).unwrap();
    assert_eq!(out, [8.0; 256]);
    destroy_executable(api, program);
    destroy_buffer(api, output);
    destroy_buffer(api, input);
}

extern "C" fn ready(error: *mut PJRT_Error, sender: *mut std::ffi::c_void) {
    let sender = unsafe { Box::from_raw(sender as *mut mpsc::Sender<bool>) };
    sender.send(error.is_null()).unwrap();
}

fn callbacks(plugin: &str) {
    let api = open(plugin);
    let client = create(api);
    let buffer = upload(api, client, &[1.0; 256]).unwrap();
    let mut args = PJRT_Buffer_ReadyEvent_Args::new();
    args.buffer = buffer.0;
    let event = call!(api, PJRT_Buffer_ReadyEvent, args).unwrap().event;
    let (sender, receiver) = mpsc::channel();
    for _ in 0..3 {
        let mut args = PJRT_Event_OnReady_Args::new();
        args.event = event;
        args.callback = Some(ready);
        args.user_arg = Box::into_raw(Box::new(sender.clone())) as *mut _;
        call!(api, PJRT_Event_OnReady, args).unwrap();
    }
    assert!((0..3).all(|_| receiver.recv().unwrap()));
    api.wait(event).unwrap();
    assert!(receiver.try_recv().is_err(), "a callback came twice");
    destroy_buffer(api, buffer);
    destroy_client(api, client);
}

fn short_struct(plugin: &str) {
    let api = open(plugin);
    let mut args = PJRT_Client_Create_Args::new();
    args.struct_size = 16;
    let failure = call!(api, PJRT_Client_Create, args).unwrap_err();
    assert_eq!(failure.code, INVALID_ARGUMENT);
    assert!(failure.message.contains("16"), "{failure:?}");
}

fn long_struct(plugin: &str) {
    #[repr(C)]
    struct Newer {
        args: PJRT_Client_Create_Args,
        beyond: [usize; 8],
    }
    let api = open(plugin);
    let mut newer = Newer {
        args: PJRT_Client_Create_Args::new(),
        beyond: [usize::MAX; 8],
    };
    newer.args.struct_size = std::mem::size_of::<Newer>();
    api.outcome(unsafe { api.0.PJRT_Client_Create.unwrap()(&mut newer.args) })
        .unwrap();
    assert_eq!(newer.beyond, [usize::MAX; 8]);
    destroy_client(api, Handle(newer.args.client));
}

fn many_clients(plugin: &str) {
    let api = open(plugin);
    let clients: Vec<ClientHandle> = (0..100).map(|_| create(api)).collect();
    let buffer = upload(api, clients[50], &[1.0; 4]).unwrap();
    clients.into_iter().for_each(|client| destroy_client(api, client));
    destroy_buffer(api, buffer);
}

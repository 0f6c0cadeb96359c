//! A target under libFuzzer, which follows what inputs reach: `TRIBUNAL_FUZZ_TARGET` names it. See `make fuzz`.

#![no_main]

use std::sync::OnceLock;

use tribunal_fuzz::{Target, target};

fn chosen() -> &'static Target {
    static CHOSEN: OnceLock<&'static Target> = OnceLock::new();
    CHOSEN.get_or_init(|| {
        // libFuzzer's own hook aborts at every panic, also at those of decoders that become errors.
        let _ = std::panic::take_hook();
        tribunal_io::hush_caught_panics();
        let name = std::env::var("TRIBUNAL_FUZZ_TARGET").unwrap_or_default();
        target(&name).unwrap_or_else(|| panic!("TRIBUNAL_FUZZ_TARGET={name} is no target"))
    })
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    if std::panic::catch_unwind(|| (chosen().run)(data)).is_err() {
        std::process::abort();
    }
});

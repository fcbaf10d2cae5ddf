"""A Rust program that calls test functions itself: the module that tells what came of them."""

from __future__ import annotations

from collections.abc import Sequence

Call = tuple[str, str, bool]  # by what name a test is told, its path, and whether it has to panic

# Put into the crate whose tests it calls. It writes a line of JSON for each to a file of that name, since a
# descriptor needs unsafe code, which a crate may forbid; with signs each test has a thread of its own name, as the test
# tool gives it.
TELL = r"""
#[allow(dead_code, unused)]
pub mod WORD {
    use std::io::Write;
    pub trait Ended { fn why(self) -> String; }
    impl Ended for () { fn why(self) -> String { String::new() } }
    impl<T, E: std::fmt::Debug> Ended for Result<T, E> {
        fn why(self) -> String { match self { Ok(_) => String::new(), Err(error) => format!("returned {:?}", error) } }
    }
    impl Ended for std::process::ExitCode { fn why(self) -> String { String::new() } }
    fn escape(text: &str) -> String {
        text.chars().take(200).map(|c| if c == '"' || c == '\\' || c.is_control() { ' ' } else { c }).collect()
    }
    pub fn tell(test: &str, ended: &str, why: &str) {
        if let Ok(mut out) = std::fs::OpenOptions::new().create(true).append(true).open("/tmp/WORD") {
            let (test, why) = (escape(test), escape(why));
            let _ = write!(out, "\n{{\"test\":\"{}\",\"ended\":\"{}\",\"why\":\"{}\"}}\n", test, ended, why);
        }
    }
    fn said(error: Box<dyn std::any::Any + Send>) -> String {
        if let Some(text) = error.downcast_ref::<String>() { return text.clone(); }
        if let Some(text) = error.downcast_ref::<&str>() { return text.to_string(); }
        "it panicked".to_string()
    }
    pub fn call<R: Ended + 'static>(test: &str, panics: bool, body: fn() -> R) {
        tell(test, "failed", "the process ended");
        let ended = CALLED;
        let why = match ended {
            Ok(why) if panics && why.is_empty() => "it did not panic".to_string(),
            Ok(why) => why,
            Err(_) if panics => String::new(),
            Err(error) => said(error),
        };
        tell(test, if why.is_empty() { "passed" } else { "failed" }, &why);
    }
    pub fn run() {
        std::panic::set_hook(Box::new(|_| {}));
CALLS
    }
}
"""
PLAIN = "std::panic::catch_unwind(std::panic::AssertUnwindSafe(move || body().why()))"
SIGNED = (
    'std::thread::Builder::new().name(test.rsplit(".rs::").next().unwrap_or(test).to_string())'
    ".spawn(move || body().why()).unwrap().join()"
)


def spell_module(word: str, files: Sequence[str], calls: Sequence[Call], *, signs: bool) -> bytes:
    """``files`` are told as loaded."""
    lines = [f'        tell("{file}", "passed", "");' for file in files]
    lines += [f'        call("{shown}", {str(panics).lower()}, || {path}());' for shown, path, panics in calls]
    text = TELL.replace("WORD", word).replace("CALLED", SIGNED if signs else PLAIN)
    return text.replace("CALLS", "\n".join(lines)).encode()

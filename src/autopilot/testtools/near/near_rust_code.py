"""What stands in a Rust file while its functions return something near: code of Autopilot, not of the product."""

from __future__ import annotations

CODE = rb"""
thread_local! { static NEAR_DEPTH: std::cell::Cell<u32> = const { std::cell::Cell::new(0) }; }
#[allow(dead_code)]
struct NearInside(bool);
#[allow(dead_code)]
impl NearInside {
    fn enter() -> Self { NEAR_DEPTH.with(|d| { d.set(d.get() + 1); NearInside(d.get() == 1) }) }
}
impl Drop for NearInside {
    fn drop(&mut self) { NEAR_DEPTH.with(|d| d.set(d.get() - 1)) }
}
#[allow(dead_code)]
fn near_text(text: &str) -> String {
    let other: String = text.chars().map(|c| match c {
        'a'..='y' | 'A'..='Y' | '0'..='8' => ((c as u8) + 1) as char,
        'z' => 'a', 'Z' => 'A', '9' => '0', _ => c,
    }).collect();
    if other == text { format!("{}x", text) } else { other }
}
#[allow(dead_code)]
trait NearValue { fn near_value(self) -> Self; }
macro_rules! near_numbers { ($($t:ty),*) => {
    $(impl NearValue for $t { fn near_value(self) -> Self { self.wrapping_add(1) } })*
} }
near_numbers!(i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize);
impl NearValue for f32 { fn near_value(self) -> Self { self + 1.0 } }
impl NearValue for f64 { fn near_value(self) -> Self { self + 1.0 } }
impl NearValue for bool { fn near_value(self) -> Self { !self } }
impl NearValue for char { fn near_value(self) -> Self { if self == 'x' { 'y' } else { 'x' } } }
impl NearValue for () { fn near_value(self) -> Self {} }
impl NearValue for String { fn near_value(self) -> Self { near_text(&self) } }
impl<'a> NearValue for &'a str { fn near_value(self) -> Self { Box::leak(near_text(self).into_boxed_str()) } }
impl<T: NearValue> NearValue for Option<T> { fn near_value(self) -> Self { self.map(NearValue::near_value) } }
impl<T: NearValue> NearValue for Vec<T> {
    fn near_value(self) -> Self { self.into_iter().map(NearValue::near_value).collect() }
}
impl<T: NearValue, E> NearValue for Result<T, E> { fn near_value(self) -> Self { self.map(NearValue::near_value) } }
impl<A: NearValue, B: NearValue> NearValue for (A, B) {
    fn near_value(self) -> Self { (self.0.near_value(), self.1.near_value()) }
}
impl<K: std::hash::Hash + Eq, V: NearValue> NearValue for std::collections::HashMap<K, V> {
    fn near_value(self) -> Self { self.into_iter().map(|(k, v)| (k, v.near_value())).collect() }
}
impl<K: Ord, V: NearValue> NearValue for std::collections::BTreeMap<K, V> {
    fn near_value(self) -> Self { self.into_iter().map(|(k, v)| (k, v.near_value())).collect() }
}
"""

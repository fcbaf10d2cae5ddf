"""What stands in a Rust file while calls of its functions are recorded: code of Autopilot, not of the product.

Each new call of a test is followed by calls near it: another number, another letter, a word of the new code.
"""

from __future__ import annotations

RECORDER = r"""
#[allow(warnings)]
mod askingword {
    use std::collections::{BTreeMap, BTreeSet, HashMap};
    use std::io::Write;
    use std::sync::Mutex;

    const MOST: usize = 12;
    const MOST_NEAR: usize = 24;
    static KNOWN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    static ASKED: Mutex<BTreeMap<String, usize>> = Mutex::new(BTreeMap::new());
    thread_local! { static BUSY: std::cell::Cell<bool> = std::cell::Cell::new(false); }
    const WORDS: &[&str] = &[LISTED];

    pub fn follow<T>(
        name: &str, calls: Vec<(bool, T)>, inputs: impl Fn(&T) -> String, ask: impl Fn(&T) -> Option<String>,
    ) {
        if BUSY.with(|busy| busy.get()) || calls.is_empty() {
            return;
        }
        let key = format!("{}{}", name, inputs(&calls[0].1));
        if !KNOWN.lock().map_or(false, |mut known| known.insert(key)) {
            return;
        }
        let count = ASKED.lock().map_or(MOST, |mut asked| {
            let count = asked.entry(name.to_string()).or_insert(0);
            *count += 1;
            *count
        });
        if count > MOST {
            return;
        }
        BUSY.with(|busy| busy.set(true));
        let most = 1 + if count > 3 { MOST_NEAR / 6 } else { 2 * MOST_NEAR / 3 };
        for (near, given) in calls.into_iter().take(most) {
            let answer = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| ask(&given))).unwrap_or(None);
            let (how, value) = match answer {
                Some(value) => ("value", value),
                None => ("raised", "null".to_string()),
            };
            let line = format!(
                "\n{{\"call\":{},\"near\":{},\"inputs\":{},\"how\":\"{}\",\"value\":{}}}\n",
                text(name), near, inputs(&given), how, value
            );
            // Past what cargo keeps of a test's prints: no descriptor can be opened here without unsafe code.
            let _ = std::io::stdout().lock().write_all(line.as_bytes());
        }
        BUSY.with(|busy| busy.set(false));
    }

    fn text(value: &str) -> String {
        let mut made = String::from("\"");
        for c in value.chars() {
            match c {
                '"' | '\\' => { made.push('\\'); made.push(c) }
                c if (c as u32) < 0x20 => made.push_str(&format!("\\u{:04x}", c as u32)),
                c => made.push(c),
            }
        }
        made.push('"');
        made
    }

    pub trait Spelled { fn spelled(&self) -> Option<String>; }
    macro_rules! numbers { ($($t:ty),*) => { $(
        impl Spelled for $t { fn spelled(&self) -> Option<String> { Some(self.to_string()) } }
        impl Others for $t {
            fn others(&self) -> Vec<Self> {
                let n = *self;
                let mut made = vec![n.wrapping_add(1), n.wrapping_add(NUMBER as $t)];
                made.extend(WORDS.iter().filter_map(|word| word.parse::<$t>().ok()));
                made.extend([n.wrapping_mul(2).wrapping_add(3), n / 2 + 4]);
                made
            }
        }
    )* } }
    macro_rules! fractions { ($($t:ty),*) => { $(
        impl Spelled for $t {
            fn spelled(&self) -> Option<String> {
                Some(if self.is_finite() { format!("{:?}", self) } else { text(&format!("{:?}", self)) })
            }
        }
        impl Others for $t { fn others(&self) -> Vec<Self> { vec![self + 1.0, self + NUMBER as $t, self * 2.0 + 0.5] } }
    )* } }
    pub trait Others: Sized { fn others(&self) -> Vec<Self>; }
    numbers!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);
    fractions!(f32, f64);
    impl Spelled for bool { fn spelled(&self) -> Option<String> { Some(self.to_string()) } }
    impl Others for bool { fn others(&self) -> Vec<Self> { vec![!*self] } }
    impl Spelled for char { fn spelled(&self) -> Option<String> { Some(text(&self.to_string())) } }
    impl Others for char { fn others(&self) -> Vec<Self> { vec![if *self == 'x' { 'y' } else { 'x' }, 'k', '7'] } }
    impl Spelled for () { fn spelled(&self) -> Option<String> { Some("null".to_string()) } }
    impl Spelled for String { fn spelled(&self) -> Option<String> { Some(text(self)) } }
    impl<'a> Spelled for &'a str { fn spelled(&self) -> Option<String> { Some(text(self)) } }
    impl Others for String {
        fn others(&self) -> Vec<Self> {
            let mut made = Vec::new();
            if let Some(at) = self.rfind(|c: char| c.is_ascii_digit()) {
                let digit = self.as_bytes()[at];
                let other = if digit > b'0' { digit - 1 } else { b'1' } as char;
                made.push(format!("{}{}{}", &self[..at], other, &self[at + 1..]));
            }
            let next: String = self.chars().map(|c| match c {
                'a'..='y' | 'A'..='Y' => ((c as u8) + 1) as char,
                'z' => 'a', 'Z' => 'A', _ => c,
            }).collect();
            if next != *self { made.push(next); }
            made.push(format!("{}DRAWN", self));
            made.extend(WORDS.iter().map(|word| word.to_string()));
            made.push(format!("{}{}", self, self));
            if let Some((at, _)) = self.char_indices().last().filter(|(at, _)| *at > 0) {
                made.push(self[..at].to_string());
            }
            made
        }
    }
    impl<T: Spelled> Spelled for Option<T> {
        fn spelled(&self) -> Option<String> {
            match self { Some(value) => value.spelled(), None => Some("null".to_string()) }
        }
    }
    impl<T: Spelled, E> Spelled for Result<T, E> {
        fn spelled(&self) -> Option<String> { match self { Ok(value) => value.spelled(), Err(_) => None } }
    }
    impl<T: Spelled> Spelled for Vec<T> {
        fn spelled(&self) -> Option<String> {
            let inside: Option<Vec<String>> = self.iter().map(|value| value.spelled()).collect();
            Some(format!("[{}]", inside?.join(",")))
        }
    }
    impl<T: Others + Clone> Others for Vec<T> {
        fn others(&self) -> Vec<Self> {
            let mut made = Vec::new();
            for place in 0..self.len().min(3) {
                if let Some(other) = self[place].others().into_iter().next() {
                    let mut with = self.clone();
                    with[place] = other;
                    made.push(with);
                }
            }
            if self.len() > 1 { made.push(self[..self.len() - 1].to_vec()); }
            made
        }
    }
    impl<A: Spelled, B: Spelled> Spelled for (A, B) {
        fn spelled(&self) -> Option<String> { Some(format!("[{},{}]", self.0.spelled()?, self.1.spelled()?)) }
    }
    impl<K: Spelled, V: Spelled> Spelled for HashMap<K, V> {
        fn spelled(&self) -> Option<String> {
            let mut rows: Vec<String> = self.iter()
                .map(|(key, value)| Some(format!("[{},{}]", key.spelled()?, value.spelled()?))).collect::<Option<_>>()?;
            rows.sort();
            Some(format!("[{}]", rows.join(",")))
        }
    }
    impl<K: Spelled, V: Spelled> Spelled for BTreeMap<K, V> {
        fn spelled(&self) -> Option<String> {
            let rows: Option<Vec<String>> = self.iter()
                .map(|(key, value)| Some(format!("[{},{}]", key.spelled()?, value.spelled()?))).collect();
            Some(format!("[{}]", rows?.join(",")))
        }
    }
}
"""

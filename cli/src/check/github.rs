//! Workflow commands, which GitHub shows as annotations.

use std::path::{Path, PathBuf};

use arena_report::check::Outcome;
use arena_report::text::printable;

/// A rule that is broken, in one line. Those that are kept stay lines of the log: as annotations they would hide the others.
pub(super) fn command(outcome: &Outcome, inputs: &[PathBuf]) -> String {
    let Outcome { rule, subject, text, .. } = outcome;
    let file = match inputs.get(outcome.input) {
        Some(path) if path != Path::new("-") => {
            format!("file={},", escaped(&printable(&path.display().to_string()), PROPERTY))
        }
        _ => String::new(),
    };
    let message = format!("{subject}: {text}");
    format!("::error {file}title={}::{}\n", escaped(rule, PROPERTY), escaped(&printable(&message), MESSAGE))
}

/// What cannot stand for itself in a message, and in a property before it.
const MESSAGE: &str = "%\r\n";
const PROPERTY: &str = "%\r\n:,";

fn escaped(text: &str, reserved: &str) -> String {
    let one = |character: char| {
        if reserved.contains(character) { format!("%{:02X}", u32::from(character)) } else { character.to_string() }
    };
    text.chars().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    use arena_report::check::{Rules, check};

    #[test]
    fn what_has_a_meaning_is_escaped() {
        assert_eq!(escaped("50 %, a:b\r\n::error::", MESSAGE), "50 %25, a:b%0D%0A::error::");
        assert_eq!(escaped("50 %, a:b\n", PROPERTY), "50 %25%2C a%3Ab%0A");
    }

    #[test]
    fn a_broken_rule_is_a_line_with_its_file() {
        let table = b"id,lower,upper,size\na,0,1,5000\n";
        let maps = arena_report::input::read(table, "a, b.csv", None).unwrap();
        let outcomes = check(&[maps], &Rules { max_arena: Some(4096), ..Rules::default() });
        assert_eq!(
            command(&outcomes[0], &["a, b.csv".into()]),
            "::error file=a%2C b.csv,title=max-arena::a, b.csv: the arena takes 5,000 bytes, 904 more than the 4,096 that \
             are allowed\n"
        );
        assert!(command(&outcomes[0], &["-".into()]).starts_with("::error title=max-arena::"));
    }
}

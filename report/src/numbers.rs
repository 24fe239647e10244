//! Numbers as people read them.

/// With a comma before each three digits.
#[must_use]
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Bytes in the largest unit that leaves a whole one: `1.7 MiB`; nothing where the number itself is short enough.
#[must_use]
pub fn in_units(bytes: usize) -> String {
    let (mut value, mut unit) = (bytes as f64, "");
    for larger in ["KiB", "MiB", "GiB", "TiB"] {
        if value < 1024.0 {
            break;
        }
        (value, unit) = (value / 1024.0, larger);
    }
    if unit.is_empty() { String::new() } else { format!("{value:.1} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        let texts = [0, 12, 999, 1_000, 27_720, 123_456, 1_234_567].map(grouped);
        assert_eq!(texts, ["0", "12", "999", "1,000", "27,720", "123,456", "1,234,567"]);
    }

    #[test]
    fn bytes_have_the_largest_unit_that_fits() {
        let texts = [0, 1023, 1024, 1536, 1_769_472, 3 << 30, usize::MAX].map(in_units);
        assert_eq!(texts, ["", "", "1.0 KiB", "1.5 KiB", "1.7 MiB", "3.0 GiB", "16777216.0 TiB"]);
    }
}

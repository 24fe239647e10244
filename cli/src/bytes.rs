//! Numbers of bytes, as people write them.

/// `4096`, `4KiB`, `4 KiB`; also MiB and GiB.
pub(crate) fn parse(text: &str) -> Result<usize, String> {
    let (digits, unit) = text.split_at(text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len()));
    let shift = match unit.trim_start() {
        "" => 0,
        "KiB" => 10,
        "MiB" => 20,
        "GiB" => 30,
        other => return Err(format!("{other:?} is none of KiB, MiB and GiB")),
    };
    if digits.is_empty() {
        return Err("a number is missing".to_owned());
    }
    let bytes: Option<usize> = digits.parse().ok();
    bytes.and_then(|bytes| bytes.checked_mul(1 << shift)).ok_or_else(|| "too large".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_powers_of_1024() {
        let parsed = ["0", "1507328", "3KiB", "2 MiB", "1GiB"].map(|text| parse(text).unwrap());
        assert_eq!(parsed, [0, 1_507_328, 3 * 1024, 2 * 1024 * 1024, 1024 * 1024 * 1024]);
    }

    #[test]
    fn what_is_no_number_of_bytes_is_refused() {
        let refused = ["", "KiB", "-1", "1.5MiB", "3 MB", "3kib", "18446744073709551616", "17179869184GiB"]
            .map(|text| parse(text).unwrap_err());
        assert_eq!(
            refused,
            [
                "a number is missing",
                "a number is missing",
                "\"-1\" is none of KiB, MiB and GiB",
                "\".5MiB\" is none of KiB, MiB and GiB",
                "\"MB\" is none of KiB, MiB and GiB",
                "\"kib\" is none of KiB, MiB and GiB",
                "too large",
                "too large"
            ]
        );
    }
}

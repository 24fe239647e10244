//! Text without `core::fmt`, whose machinery would cost a C program more than the planner does.

/// Where text goes.
pub trait TextSink {
    /// Takes the next bytes, UTF-8 where the caller's own texts are.
    fn bytes(&mut self, piece: &[u8]);

    /// Takes the next piece.
    fn text(&mut self, piece: &str) {
        self.bytes(piece.as_bytes());
    }

    /// Takes a number in decimal.
    fn number(&mut self, value: usize) {
        let mut digits = [0u8; 20];
        let mut rest = value;
        let mut start = digits.len();
        for slot in digits.iter_mut().rev() {
            *slot = b'0' + (rest % 10) as u8;
            start -= 1;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.bytes(digits.get(start..).unwrap_or_default());
    }

    /// Takes a tensor or node index in decimal.
    fn index(&mut self, value: i32) {
        if value < 0 {
            self.text("-");
        }
        self.number(value.unsigned_abs() as usize);
    }

    /// Takes a text in which each `#` stands for the next of these numbers, and each `@` for the next of them as an index.
    fn filled_in(&mut self, text: &str, numbers: [usize; 3]) {
        let mut numbers = numbers.into_iter();
        for byte in text.as_bytes() {
            match byte {
                b'#' => self.number(numbers.next().unwrap_or(0)),
                b'@' => self.index(numbers.next().unwrap_or(0) as i32),
                _ => self.bytes(core::slice::from_ref(byte)),
            }
        }
    }

    /// Takes a number right-aligned in `width` columns.
    fn column(&mut self, value: usize, width: usize) {
        let mut digits = 1;
        let mut rest = value / 10;
        while rest > 0 {
            digits += 1;
            rest /= 10;
        }
        for _ in digits..width {
            self.text(" ");
        }
        self.number(value);
    }
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test stops where something is wrong")]
mod tests {
    use super::*;
    use std::string::String;

    impl TextSink for String {
        fn bytes(&mut self, piece: &[u8]) {
            self.push_str(std::str::from_utf8(piece).expect("a test writes UTF-8"));
        }
    }

    #[test]
    fn numbers_are_decimal() {
        let mut out = String::new();
        out.number(0);
        out.text(" ");
        out.number(usize::MAX);
        out.text(" ");
        out.index(i32::MIN);
        out.column(42, 5);
        out.column(123456, 3);
        assert_eq!(out, "0 18446744073709551615 -2147483648   42123456");
    }

    #[test]
    fn numbers_take_the_place_of_their_signs() {
        let mut out = String::new();
        out.filled_in("@ of #, #.", [-7i32 as usize, usize::MAX, 0]);
        out.filled_in("", [1, 2, 3]);
        assert_eq!(out, "-7 of 18446744073709551615, 0.");
    }
}

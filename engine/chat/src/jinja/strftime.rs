//! Dates as Python's `strftime` writes them.

use super::error::Fault;

/// A local date and time. The engine has no clock: whoever renders says what time it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// Such as 2025.
    pub year: i32,
    /// 1 to 12.
    pub month: u32,
    /// 1 to 31.
    pub day: u32,
    /// 0 to 23.
    pub hour: u32,
    /// 0 to 59.
    pub minute: u32,
    /// 0 to 60.
    pub second: u32,
}

/// Longest format that is read, bytes.
const FORMAT_LEN_MAX: usize = 1 << 10;

const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

impl Moment {
    /// Whether every part is in its range.
    pub fn is_valid(&self) -> bool {
        (1..=9999).contains(&self.year)
            && (1..=12).contains(&self.month)
            && (1..=31).contains(&self.day)
            && self.hour < 24
            && self.minute < 60
            && self.second <= 60
    }

    fn day_of_year(&self) -> u32 {
        const BEFORE: [u32; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
        let leap = self.year % 4 == 0 && (self.year % 100 != 0 || self.year % 400 == 0);
        BEFORE[(self.month as usize - 1) % 12] + self.day + u32::from(leap && self.month > 2)
    }

    /// 0 is Sunday.
    fn day_of_week(&self) -> usize {
        let years = i64::from(self.year) - 1;
        let days = years * 365 + years / 4 - years / 100 + years / 400 + i64::from(self.day_of_year());
        usize::try_from(days.rem_euclid(7)).unwrap_or(0)
    }

    /// The codes of the C locale that do not depend on a time zone; `%-d` writes a number without its zeros.
    pub(crate) fn format(&self, format: &str) -> Result<String, Fault> {
        if format.len() > FORMAT_LEN_MAX {
            return Err(Fault::Limit("a date format is too long"));
        }
        if !self.is_valid() {
            return Err(Fault::new("the date is not valid"));
        }
        let mut out = String::new();
        let mut chars = format.chars();
        while let Some(c) = chars.next() {
            if c != '%' {
                out.push(c);
                continue;
            }
            let mut code = chars.next();
            let bare = code == Some('-');
            if bare {
                code = chars.next();
            }
            let code = code.ok_or_else(|| Fault::new("a date format ends in %"))?;
            let text = self
                .code(code)
                .ok_or_else(|| Fault::new(format!("the date code %{code} is not supported")))?;
            out.push_str(if bare && text.len() > 1 { text.trim_start_matches(['0', ' ']) } else { &text });
            if bare && text.bytes().all(|b| b == b'0') && text.len() > 1 {
                out.push('0');
            }
        }
        Ok(out)
    }

    fn code(&self, code: char) -> Option<String> {
        let (day, month) = (DAYS[self.day_of_week()], MONTHS[(self.month as usize - 1) % 12]);
        let hour12 = (self.hour + 11) % 12 + 1;
        let two = |value: u32| format!("{value:02}");
        Some(match code {
            'Y' => format!("{:04}", self.year),
            'y' => format!("{:02}", self.year % 100),
            'm' => two(self.month),
            'd' => two(self.day),
            'e' => format!("{:2}", self.day),
            'j' => format!("{:03}", self.day_of_year()),
            'B' => month.to_owned(),
            'b' | 'h' => month[..3].to_owned(),
            'A' => day.to_owned(),
            'a' => day[..3].to_owned(),
            'w' => self.day_of_week().to_string(),
            'H' => two(self.hour),
            'I' => two(hour12),
            'M' => two(self.minute),
            'S' => two(self.second),
            'f' => "000000".to_owned(),
            'p' => if self.hour < 12 { "AM" } else { "PM" }.to_owned(),
            'Z' | 'z' => String::new(),
            'F' => format!("{:04}-{:02}-{:02}", self.year, self.month, self.day),
            'D' | 'x' => format!("{:02}/{:02}/{:02}", self.month, self.day, self.year % 100),
            'T' | 'X' => format!("{:02}:{:02}:{:02}", self.hour, self.minute, self.second),
            'R' => format!("{:02}:{:02}", self.hour, self.minute),
            'c' => {
                format!("{} {} {:2} {} {:04}", &day[..3], &month[..3], self.day, self.code('T')?, self.year)
            }
            'n' => "\n".to_owned(),
            't' => "\t".to_owned(),
            '%' => "%".to_owned(),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn dates_are_pythons() {
        let moment = Moment { year: 2025, month: 1, day: 5, hour: 0, minute: 7, second: 9 };
        let cases = [
            ("%d %b %Y", "05 Jan 2025"),
            ("%A, %B %-d", "Sunday, January 5"),
            ("%Y-%m-%dT%H:%M:%S", "2025-01-05T00:07:09"),
            ("%I %p %-H %-M", "12 AM 0 7"),
            ("%j %y %e%%", "005 25  5%"),
        ];
        for (format, expected) in cases {
            assert_eq!(moment.format(format).unwrap(), expected);
        }
        let leap = Moment { year: 2024, month: 12, day: 31, ..moment };
        assert_eq!(leap.format("%a %j").unwrap(), "Tue 366");
        assert!(moment.format("%Q").is_err());
        assert!(Moment { month: 13, ..moment }.format("%d").is_err());
    }
}

//! Types that are stored as the text people write: what `FromStr` reads and `Display` shows.

/// Lets serde store a type as its text, by way of `#[serde(try_from = "String", into = "String")]`.
macro_rules! written_as_text {
    ($type:ty) => {
        impl TryFrom<String> for $type {
            type Error = $crate::error::Error;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                text.parse()
            }
        }

        impl From<$type> for String {
            fn from(value: $type) -> String {
                value.to_string()
            }
        }
    };
}

pub(crate) use written_as_text;

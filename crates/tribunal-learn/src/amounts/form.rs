//! An entry of the registry of learners of amounts.

/// What a learner of amounts is, in words and by example.
#[derive(Debug)]
pub struct AmountForm {
    /// The word that its text begins with.
    pub name: &'static str,
    /// How it is written.
    pub form: &'static str,
    /// What it does.
    pub definition: &'static str,
    /// Who described it.
    pub reference: &'static str,
    /// Texts that are learners of this form, with what each of them is.
    pub examples: &'static [(&'static str, &'static str)],
}

//! Markdown, as it is pasted into a ticket or a README.

use crate::document::{Align, Cell, Document, Mark, Part, Table};

pub(crate) fn render(document: &Document) -> String {
    let parts = document.parts.iter().map(|part| match part {
        Part::Paragraph(text) => format!("{}\n", escape(text)),
        Part::List(items) => items.iter().map(|item| format!("- {}\n", escape(item))).collect(),
        Part::Table(table) => render_table(table),
    });
    let body: Vec<String> = parts.collect();
    format!("# {}\n\n{}", escape(&document.title), body.join("\n"))
}

fn render_table(table: &Table) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let header = line(table.columns.iter().map(|(name, _)| escape(name)).collect());
    let rule =
        table.columns.iter().map(|(_, align)| if *align == Align::Left { "---" } else { "---:" }.to_owned());
    let rows: String = table.rows.iter().map(|row| line(row.iter().map(shown).collect())).collect();
    format!("**{}**\n\n{header}{}{rows}", escape(&table.title), line(rule.collect()))
}

/// The best in bold, what cannot be told apart from it underlined.
fn shown(cell: &Cell) -> String {
    match cell.mark {
        Mark::Best => format!("**{}**", escape(&cell.text)),
        Mark::Level => format!("<u>{}</u>", escape(&cell.text)),
        Mark::None => escape(&cell.text),
    }
}

/// Keeps names such as `*_score|a` from turning into formatting.
fn escape(text: &str) -> String {
    let special = |c: char| matches!(c, '\\' | '|' | '*' | '_' | '`' | '<' | '[' | ']' | '#');
    text.chars().flat_map(|c| special(c).then_some('\\').into_iter().chain([c])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_characters_are_escaped() {
        assert_eq!(escape("a_b|c"), "a\\_b\\|c");
    }
}

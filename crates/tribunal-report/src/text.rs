//! Plain text that fits a terminal.

use crate::document::{Align, Cell, Document, Mark, Part, Table};

/// Paragraphs are wrapped at this width where the terminal does not say otherwise.
const WIDTH: usize = 80;

pub(crate) fn render(document: &Document) -> String {
    let document = &document.printable();
    let mut out = underlined(&document.title, "=");
    for part in &document.parts {
        out.push('\n');
        match part {
            Part::Heading(text) => out.push_str(&underlined(text, "-")),
            Part::Paragraph(text) => out.push_str(&wrap(text, "", "")),
            Part::List(items) => items.iter().for_each(|item| out.push_str(&wrap(item, "- ", "  "))),
            Part::Table(table) => out.push_str(&render_table(table)),
            Part::Verbatim(lines) => lines.lines().for_each(|line| {
                out.push_str(format!("  {line}").trim_end());
                out.push('\n');
            }),
        }
    }
    out
}

fn underlined(text: &str, line: &str) -> String {
    format!("{text}\n{}\n", line.repeat(text.chars().count()))
}

fn render_table(table: &Table) -> String {
    let marked: Vec<bool> = (0..table.columns.len())
        .map(|column| {
            table.rows.iter().any(|row| row.get(column).is_some_and(|cell| cell.mark != Mark::None))
        })
        .collect();
    let rows: Vec<Vec<String>> = table
        .rows
        .iter()
        .map(|row| row.iter().zip(&marked).map(|(cell, &marked)| shown(cell, marked)).collect())
        .collect();
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        cells.chain([table.columns[column].0.chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..table.columns.len()).map(width).collect();
    let line = |cells: &[String]| {
        let padded =
            cells.iter().zip(&table.columns).zip(&widths).map(|((cell, (_, align)), &width)| match align {
                Align::Left => format!("{cell}{}", blanks(cell, width)),
                Align::Right => format!("{}{cell}", blanks(cell, width)),
            });
        let joined = padded.collect::<Vec<_>>().join("  ");
        format!("  {}\n", joined.trim_end())
    };
    let header: Vec<String> = table.columns.iter().map(|(name, _)| name.clone()).collect();
    let rule: Vec<String> = widths.iter().map(|&width| "-".repeat(width)).collect();
    let rows: String = rows.iter().map(|row| line(row)).collect();
    format!("{}{}{}{rows}", wrap(&table.title, "", ""), line(&header), line(&rule))
}

/// What a cell lacks of the width of its column, which may be more than `format!` can pad.
fn blanks(cell: &str, width: usize) -> String {
    " ".repeat(width.saturating_sub(cell.chars().count()))
}

/// A cell with the sign of its mark; in a column with marks every figure leaves room for one.
fn shown(cell: &Cell, marked: bool) -> String {
    match cell.mark {
        Mark::Best => format!("{}*", cell.text),
        Mark::Level => format!("{}~", cell.text),
        Mark::None if marked => format!("{} ", cell.text),
        Mark::None => cell.text.clone(),
    }
}

/// Breaks a paragraph at blanks; the first line is led by `first`, the others by `rest`.
pub(crate) fn wrap(text: &str, first: &str, rest: &str) -> String {
    let mut out = String::from(first);
    let mut column = first.len();
    for (index, word) in text.split_whitespace().enumerate() {
        let length = word.chars().count();
        if index > 0 && column + 1 + length > WIDTH {
            out.push('\n');
            out.push_str(rest);
            column = rest.len();
        } else if index > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::plain_row;

    #[test]
    fn marks_follow_their_figures() {
        let columns = vec![("m".to_owned(), Align::Right)];
        let cell = |text: &str, mark: Mark| vec![Cell { text: text.to_owned(), mark }];
        let rows = vec![cell("0.9", Mark::Best), cell("0.8", Mark::Level), cell("0.7", Mark::None)];
        let text = render_table(&Table { title: "T".into(), columns, rows });
        assert_eq!(text, "T\n     m\n  ----\n  0.9*\n  0.8~\n  0.7\n");
    }

    #[test]
    fn long_paragraphs_are_wrapped() {
        let text = wrap(&"word ".repeat(40), "- ", "  ");
        assert!(
            text.lines().all(|line| line.len() <= WIDTH)
                && text.lines().skip(1).all(|line| line.starts_with("  "))
        );
    }

    #[test]
    fn figures_stand_under_each_other() {
        let columns = vec![("model".to_owned(), Align::Left), ("auroc".to_owned(), Align::Right)];
        let rows = vec![plain_row(["a", "0.5"]), plain_row(["long", "0.75"])];
        let text = render_table(&Table { title: "T".into(), columns, rows });
        assert_eq!(text, "T\n  model  auroc\n  -----  -----\n  a        0.5\n  long    0.75\n");
    }
}

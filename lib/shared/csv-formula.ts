/** Matches a text that a spreadsheet could run as a formula, also with full-width characters. */
export const CSV_FORMULA = /^\s*[=+\-@\t\r＝＋－＠]/

/** A text that a spreadsheet could run, also after blanks or with a full-width sign, and one that `'` already protects. */
const FORMULA = /^'*\s*[=+\-@\t\r\n＝＋－＠]/
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i

const couldRun = (text: string): boolean => FORMULA.test(text) && !NUMBER.test(text)

/** What every page that offers or reads CSV says about it. */
export const CSV_ESCAPES = "a text that a spreadsheet could run as a formula, such as =1+1, has an apostrophe before it"

/** Returns a text as a quoted CSV field. One that a spreadsheet could run as a formula gets a `'` before it. Numbers stay as they are. */
export const csvText = (text: string): string => `"${(couldRun(text) ? `'${text}` : text).replaceAll('"', '""')}"`

/** Returns the text that `csvText` wrote as this field. Removes a `'` only where `csvText` puts one. */
export const fromCsvText = (field: string): string =>
  field.startsWith("'") && couldRun(field.slice(1)) ? field.slice(1) : field

/** Returns a line of CSV. Texts are quoted and escaped. Null is an empty field. */
export const csvLine = (fields: readonly (string | number | null)[]): string =>
  `${fields.map((field) => (typeof field === "string" ? csvText(field) : (field ?? ""))).join(",")}\r\n`

import { expect, test } from "vitest"
import { csvText, fromCsvText } from "./csv"

test.each([
  ["=1+1", `"'=1+1"`],
  ["+1", `"'+1"`],
  ["-1+1", `"'-1+1"`],
  ["@SUM(A1)", `"'@SUM(A1)"`],
  ["\t=1+1", `"'\t=1+1"`],
  ["\rx", `"'\rx"`],
  ["\nx", `"'\nx"`],
  [" =1+1", `"' =1+1"`],
  ["\u3000=1+1", `"'\u3000=1+1"`],
  ["＝1+1", `"'＝1+1"`],
  ["＋1", `"'＋1"`],
  ["－1", `"'－1"`],
  ["＠A1", `"'＠A1"`],
  ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
  ["'=1+1", `"''=1+1"`],
  ["''-x", `"'''-x"`],
])(
  "%o, which a spreadsheet could run or whose apostrophe would be lost, is written with an apostrophe",
  (text, field) => {
    expect(csvText(text)).toBe(field)
  },
)

test.each(["-5", "-0.25", "-1e-7", "5", "a;=1+1", "a\r\n=1+1", "Größe, 大", "'quoted'", "'", "5 - 3", ""])(
  "%o is written as it is",
  (text) => expect(csvText(text)).toBe(`"${text}"`),
)

test.each(["'quoted'", "'-5", "'", "''", "it's", "=1+1"])(
  "%o of another program keeps its apostrophe when it is read",
  (field) => expect(fromCsvText(field)).toBe(field),
)

import { describe, expect, test } from "vitest"
import { readTable } from "./read-table"
import { sampleSize } from "./row-sample"

const read = (content: BlobPart, name = "rows.csv") => readTable(new Blob([content]), name)
const cellsOf = async (content: BlobPart, name?: string) => (await read(content, name)).rows.map(({ cells }) => cells)

const utf16 = (text: string): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(2 + text.length * 2)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, 0xfeff, true)
  for (let at = 0; at < text.length; at++) view.setUint16(2 + at * 2, text.charCodeAt(at), true)
  return bytes
}

describe("CSV", () => {
  test.each<[string, BlobPart]>([
    ["commas", "text,label\nhello,yes\n"],
    ["semicolons", "text;label\nhello;yes\n"],
    ["tabs", "text\tlabel\nhello\tyes\n"],
    ["pipes", "text|label\nhello|yes"],
    ["Windows line breaks", "text,label\r\nhello,yes\r\n"],
    ["old line breaks", "text,label\rhello,yes\r"],
    ["mixed line breaks", "text,label\r\nhello,yes\n"],
    ["a byte order mark", "\ufefftext,label\nhello,yes"],
    ["UTF-16 of a spreadsheet", utf16("text\tlabel\r\nhello\tyes\r\n")],
    ["blank lines", "\n\ntext,label\n\nhello,yes\n   \n"],
    ["quotes", '"text","label"\n"hello","yes"'],
    ["a delimiter that a spreadsheet names", "sep=;\r\ntext;label\r\nhello;yes\r\n"],
    ["a named delimiter after a byte order mark", "\ufeffsep=|\ntext|label\nhello|yes"],
    ["a quoted line with a named tab", '"sep=\t"\ntext\tlabel\nhello\tyes'],
  ])("is read with %s", async (_, content) => {
    expect(await read(content)).toEqual({
      format: "csv",
      columns: ["text", "label"],
      rows: [{ index: 0, line: expect.any(Number), cells: ["hello", "yes"] }],
      unreadable: [],
    })
  })

  test("quoted cells keep delimiters, quotes and line breaks, and lines are counted through them", async () => {
    const content = 'text,label\n"a, ""b""\nc",yes\n\nd,no\n'
    expect((await read(content)).rows).toEqual([
      { index: 0, line: 2, cells: ['a, "b"\nc', "yes"] },
      { index: 1, line: 5, cells: ["d", "no"] },
    ])
  })

  test("a row is read as one wherever the stream is cut", async () => {
    const rows = Array.from({ length: 9_000 }, (_, at) => `"text ${at}, ""äö€😀"" ${"x".repeat(400)}\nmore",${at}`)
    const table = await read(`text,label\n${rows.join("\r\n")}`)
    expect(table.rows).toHaveLength(9_000)
    expect(table.rows[8_999]).toEqual({
      index: 8_999,
      line: 18_000,
      cells: [`text 8999, "äö€😀" ${"x".repeat(400)}\nmore`, "8999"],
    })
  })

  test("rows that cannot be read are listed with their line", async () => {
    const table = await read(`text,label\na,yes\nb\nc,no,d\n"e"f",yes\n${"g".repeat(1_000_001)},no\nh,no`)
    expect(table.rows.map(({ line }) => line)).toEqual([2, 7])
    expect(table.unreadable).toEqual([
      { line: 3, reason: "It has 1 cell, and the header has 2." },
      { line: 4, reason: "It has 3 cells, and the header has 2." },
      { line: 5, reason: "A quote inside a quoted cell is not doubled." },
      { line: 6, reason: "The cell in the column “text” has 1,000,001 characters. At most 1,000,000 are allowed." },
    ])
  })

  test("a quote that swallows the lines below it says which", async () => {
    expect((await read('text,label\n"e"f,yes\n"g",no\nh,no\n')).unreadable).toEqual([
      { line: 2, reason: "A quote inside a quoted cell is not doubled. Lines 2 to 3 were read as one row." },
    ])
  })
})

test("a named delimiter wins over the one that the texts suggest, and lines are counted through its line", async () => {
  expect((await read("sep=;\na,b,c;label\nd,e,f;yes\n")).rows).toEqual([{ index: 0, line: 3, cells: ["d,e,f", "yes"] }])
})

test("a column named sep= is no delimiter", async () => {
  expect((await read("sep=;;label\na;;yes")).columns).toEqual(["sep=", "column 2", "label"])
})

describe("JSON", () => {
  test("one object per line keeps the source of each value", async () => {
    const content = '{"text":"a","n":1.50}\n\n{"label":true,"text":{"b":[1]}}\n'
    expect(await read(content, "rows.jsonl")).toEqual({
      format: "jsonl",
      columns: ["text", "n", "label"],
      rows: [
        { index: 0, line: 1, cells: ['"a"', "1.50"] },
        { index: 1, line: 3, cells: ['{"b":[1]}', "", "true"] },
      ],
      unreadable: [],
    })
  })

  test("an array of objects is read with the line of each", async () => {
    const content = '[\n  {"text": "a", "label": "x"},\n  {"text": "b",\n   "label": "y"}, 3,\n  {"text": "c"}\n]'
    expect(await read(content, "rows.json")).toEqual({
      format: "json",
      columns: ["text", "label"],
      rows: [
        { index: 0, line: 2, cells: ['"a"', '"x"'] },
        { index: 1, line: 3, cells: ['"b"', '"y"'] },
        { index: 2, line: 5, cells: ['"c"', ""] },
      ],
      unreadable: [{ line: 4, reason: "It is not a JSON object." }],
    })
  })

  test("lines that are no object are listed", async () => {
    const content = '{"text":"a","label":1}\n{"text":}\n[1]\n{"a":1,"a":2}'
    expect((await read(content, "rows.jsonl")).unreadable).toEqual([
      { line: 2, reason: "The line is not valid JSON." },
      { line: 3, reason: "It is not a JSON object." },
      { line: 4, reason: "An object has two members with the same name." },
    ])
  })

  test.each([
    ["pasted.txt", '[{"text":"a","label":"b"}]', "json"],
    ["pasted.txt", ' {"text":"a","label":"b"}', "jsonl"],
    ["pasted.txt", "text\tlabel\na\tb", "csv"],
    ["braces.csv", "{text},label\na,b", "csv"],
  ])("%s with %j is %s", async (name, content, format) => {
    expect(await read(content, name)).toMatchObject({ format })
  })
})

const many = (rows: number) => `text,label\n${"a,b\n".repeat(rows)}`

describe("a sample of a file that is over the limit", () => {
  const ROWS = 60_000
  const csv = `text,label\n${Array.from({ length: ROWS }, (_, row) => `row ${row},${row % 10 === 0 ? "yes" : "no"}\n`).join("")}`
  const sampleOf = (content: string, name = "rows.csv") => readTable(new Blob([content]), name, { isSample: true })

  test("has as many rows as a set may have, each equally likely, in the order of the file", async () => {
    const { rows, drawn } = await sampleOf(csv)
    expect(drawn).toBe("a random sample of its 60,000 rows, drawn by seed 1")
    expect(rows).toHaveLength(20_000)
    expect(rows.map(({ index }) => index)).toEqual(Array.from({ length: 20_000 }, (_, index) => index))
    const lines = rows.map(({ line }) => line)
    expect(lines).toEqual([...new Set(lines)].toSorted((a, b) => a - b))
    expect(rows.every(({ line, cells }) => cells[0] === `row ${line - 2}`)).toBe(true)
    // A tenth of the file has 2,000 of the rows, with five standard errors.
    for (let tenth = 0; tenth < 10; tenth++) {
      const from = 2 + (tenth * ROWS) / 10
      const count = lines.filter((line) => line >= from && line < from + ROWS / 10).length
      expect(Math.abs(count - 2_000)).toBeLessThan(180)
    }
    const yes = rows.filter(({ cells }) => cells[1] === "yes").length
    expect(Math.abs(yes - 2_000)).toBeLessThan(180)
  })

  test("is the same of JSON Lines and of an array", async () => {
    const objects = Array.from({ length: 20_100 }, (_, row) => JSON.stringify({ text: `row ${row}`, label: "yes" }))
    const [lines, array] = await Promise.all([
      sampleOf(objects.join("\n"), "rows.jsonl"),
      sampleOf(`[${objects.join(",")}]`, "rows.json"),
    ])
    expect(lines.rows).toHaveLength(20_000)
    expect(array.rows.map(({ cells }) => cells)).toEqual(lines.rows.map(({ cells }) => cells))
  })

  test("is the whole file when that fits", async () => {
    const content = "text,label\na,b\nc,d\n"
    expect(await sampleOf(content)).toEqual(await readTable(new Blob([content]), "rows.csv"))
  })

  test("of a file with too many bytes has fewer rows", () => {
    expect([1_000, 52_428_800, 104_857_600, 10_485_760_000].map(sampleSize)).toEqual([20_000, 20_000, 10_000, 1_000])
  })
})

test("20,000 rows are read", async () => {
  expect(await cellsOf(many(20_000))).toHaveLength(20_000)
})

const latin1 = Uint8Array.from([...Buffer.from("text,label\nä,1\n"), 0xe4, ...Buffer.from(",1\n")])

test.each<[string, BlobPart, string, string]>([
  ["is empty", "", "a.csv", "The file is empty. Choose a file with a header and at least one row."],
  ["holds only white space", "\n  \n", "a.csv", "The file is empty. Choose a file with a header and at least one row."],
  ["has a header only", "text,label\n", "a.csv", "The file has a header, but no rows below it."],
  [
    "repeats a header",
    "text,label,text\na,b,c",
    "a.csv",
    "Two columns are named “text”. Rename one of them in the file, and open it again.",
  ],
  [
    "has no header but a text",
    `${"x".repeat(1_001)},label\na,b`,
    "a.csv",
    "The name of column 1 has 1,001 characters. At most 1,000 are allowed. Put a header with a short name for each column first.",
  ],
  [
    "holds a NUL character",
    "text,label\na,b\nc\0,d",
    "a.csv",
    "Line 3 contains a NUL character. This is not a text file, or it is UTF-16 without a byte order mark. Save it as UTF-8 and open it again.",
  ],
  [
    "mixes encodings",
    latin1,
    "a.csv",
    "Line 3 is not valid UTF-8. It may be Windows-1252, which spreadsheets save as plain “CSV”. Save the whole file as UTF-8 and open it again.",
  ],
  [
    "ends within a character",
    Uint8Array.from([...Buffer.from("text,label\na,"), 0xc3]),
    "a.csv",
    "Line 2 is not valid UTF-8. It may be Windows-1252, which spreadsheets save as plain “CSV”. Save the whole file as UTF-8 and open it again.",
  ],
  [
    "never closes a quote",
    'text,label\na,b\n"c,d\ne,f\n',
    "a.csv",
    "A quote that opens in line 3 is never closed. Close it in the file, and open it again.",
  ],
  [
    "has only a cell of 10 MB",
    `text,label\n${"x".repeat(10_485_760)},yes\n`,
    "a.csv",
    "None of the rows can be read. Line 2: The cell in the column “text” has 10,485,760 characters. At most 1,000,000 are allowed.",
  ],
  [
    "has 20,001 rows",
    many(20_001),
    "a.csv",
    "The file has more than 20,000 rows, the maximum of a set. Split it, or open a sample of it.",
  ],
  [
    "has more than 50 MiB",
    new Uint8Array(50 * 1024 * 1024 + 1),
    "a.csv",
    "The file has 51 MiB. At most 50 MiB are allowed. Split it, or open a sample of it.",
  ],
  [
    "is a workbook under the name of a CSV file",
    Uint8Array.from([0x50, 0x4b, 0x03, 0x04, 0x14, 0, 6, 0]),
    "rows.csv",
    "This file is a workbook or another ZIP archive, such as .xlsx or .ods, not text. Save the rows as “CSV UTF-8” in your spreadsheet, and open that file.",
  ],
  [
    "is an old workbook",
    Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0]),
    "rows.csv",
    "This file is an old Excel workbook (.xls), not text.",
  ],
  ["is a PDF", "%PDF-1.7\n", "rows.csv", "This file is a PDF, not text."],
  [
    "is compressed",
    Uint8Array.from([0x1f, 0x8b, 0x08, 0]),
    "rows.jsonl",
    "This file is compressed with gzip, not text.",
  ],
  ["is broken JSON", '[{"a":1},\n{"a":}]', "a.json", "The file is not valid JSON. The error is in line 2, column 6."],
  [
    "has no object in any line",
    "{a}\n{b}",
    "a.jsonl",
    "None of the rows can be read. Line 1: The line is not valid JSON.",
  ],
  [
    "has 201 columns",
    `${Array.from({ length: 201 }, (_, at) => `c${at}`).join(",")}\n${Array.from({ length: 201 }, () => "x").join(",")}`,
    "a.csv",
    "The file has 201 columns. At most 200 are allowed.",
  ],
])("a file that %s is refused", async (_, content, name, message) => {
  await expect(read(content, name)).rejects.toThrow(message)
})

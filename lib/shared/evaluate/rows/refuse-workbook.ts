import { BadFile } from "./bad-file"

/** How files begin that people take for a table of text, whatever their name says. */
const SIGNATURES: [bytes: number[], what: string][] = [
  [[0x50, 0x4b, 0x03, 0x04], "a workbook or another ZIP archive, such as .xlsx or .ods"],
  [[0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], "an old Excel workbook (.xls)"],
  [[0x25, 0x50, 0x44, 0x46, 0x2d], "a PDF"],
  [[0x1f, 0x8b, 0x08], "compressed with gzip"],
]

/** Throws `BadFile` for a workbook, a PDF or an archive, which its first bytes show. */
export async function refuseWorkbook(file: Blob): Promise<void> {
  const head = new Uint8Array(await file.slice(0, 8).arrayBuffer())
  const found = SIGNATURES.find(([bytes]) => bytes.every((byte, at) => head[at] === byte))
  if (!found) return
  const [, what] = found
  throw new BadFile(
    `This file is ${what}, not text. Save the rows as “CSV UTF-8” in your spreadsheet, and open that file.`,
  )
}

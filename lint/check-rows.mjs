import fs from "node:fs"
import path from "node:path"

/**
 * Checks the types of rows that SQL returns, over `lib/server` in the working folder, without tests: a column of a table is not
 * typed by hand. `Row` of `lib/server/platform/db/row.ts` takes its type from the generated models, so that a changed schema does
 * not compile where the column is read. What SQL computes has no model and is typed by hand, under another name.
 */
const ROOT = "lib/server"
/** The hot path and the ledger state what they read themselves; the others read PostgreSQL's catalogue, not tables of the schema. */
const EXEMPT = /^(?:ledger\/|keys\/(?:verify-key|key-cache)\.ts$|platform\/db\/(?!due-rows)|backup\/)/
const BY_HAND =
  /(?<![\w.])(\w+)\??:\s*(?:string|number|boolean|bigint|Date|Buffer)(?:\[\])?(?:\s*\|\s*null)?\s*[;,}\n]/g

const snake = (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const schema = fs.readFileSync("prisma/schema.prisma", "utf8")
const columns = new Set(
  [
    ...schema.matchAll(
      /^ {2}(\w+) +(?:String|Int|BigInt|Boolean|DateTime|Bytes|Json|Decimal)\b(?:.*@map\("(\w+)"\))?/gm,
    ),
  ].map(([, field, column]) => column ?? field),
)

const files = fs
  .readdirSync(ROOT, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !EXEMPT.test(file))
const texts = new Map(files.map((file) => [file, fs.readFileSync(path.join(ROOT, file), "utf8")]))

/** Returns the type argument that begins at `start`, with its brackets. */
function argument(text, start) {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    if (text[at] === "<") depth++
    if (text[at] === ">" && --depth === 0) return text.slice(start, at + 1)
  }
  return ""
}

/** Returns where a type of a file is declared: there, or in a file that it imports. Undefined for any other type. */
function declarationOf(file, name) {
  const text = texts.get(file) ?? ""
  const [type] = new RegExp(`^(?:export )?(?:interface|type) ${name}\\b(?:.*\\S.*\\n)*`, "m").exec(text) ?? []
  if (type) return { file, type }
  const [, base, rest] = new RegExp(`import [^"]*\\b${name}\\b[^"]*from "(\\./|@/${ROOT}/)([^"]+)"`).exec(text) ?? []
  return base && declarationOf(`${base === "./" ? path.posix.join(path.posix.dirname(file), rest) : rest}.ts`, name)
}

/** Yields the text of a type and of the types that it names. */
function* typesOf(file, type, seen = new Set()) {
  yield { file, type }
  for (const [name] of type.replaceAll(/"[^"]*"|keyof \w+/g, "").matchAll(/\b[A-Z]\w+\b(?!\[)/g)) {
    if (seen.has(name)) continue
    seen.add(name)
    const found = declarationOf(file, name)
    if (found) yield* typesOf(found.file, found.type, seen)
  }
}

const faults = new Set()
for (const [file, text] of texts)
  for (const { index } of text.matchAll(/\bquery</g))
    for (const { file: where, type } of typesOf(file, argument(text, index + 5)))
      for (const [, name] of type.matchAll(BY_HAND))
        if (columns.has(snake(name))) faults.add(`${ROOT}/${where} types the column ${name} by hand: use Row`)
for (const fault of faults) console.error(fault)
if (faults.size > 0) {
  console.error(`\n${faults.size} faults. The rule is at the top of lint/check-rows.mjs.`)
  process.exitCode = 1
}

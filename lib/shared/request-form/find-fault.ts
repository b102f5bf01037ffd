import { listRefusals, scanRefusal } from "@/lib/shared/decisions/check-request"
import { explainFault } from "@/lib/shared/json/explain-fault"
import { paramOf } from "@/lib/shared/json/field-path"
import { faultOffset, type ScanFault, scan } from "@/lib/shared/json/scan"
import { itemsOf, membersOf, type Part, rootOf } from "@/lib/shared/json-source/json-parts"
import type { ShapeLimits } from "@/questions/limits"

/** An error in a JSON text. Offsets count characters from 0; lines and columns from 1. */
export interface Fault {
  message: string
  /** What to write there instead; null for an error that is not about the grammar of JSON. */
  expected: string | null
  from: number
  to: number
  line: number
  column: number
}

const encoder = new TextEncoder()
const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

function faultIn(text: string, message: string, from: number, to: number, expected: string | null = null): Fault {
  const before = text.slice(0, from)
  const lineStart = before.lastIndexOf("\n") + 1
  return { message, expected, from, to, line: before.split("\n").length, column: from - lineStart + 1 }
}

const TOKEN = /"(?:[^"\\\n]|\\.)*"?|[\w.+-]+|\S|/y

function scanFault(text: string, bytes: Uint8Array, fault: ScanFault, what: string): Fault {
  const from = decoder.decode(bytes.subarray(0, faultOffset(bytes))).length
  const message = scanRefusal(fault, []).message.replace("The body", what)
  const expected = fault === "grammar" ? explainFault(text, from) : null
  TOKEN.lastIndex = from
  return faultIn(text, message, from, from + (TOKEN.exec(text)?.[0].length ?? 0), expected)
}

/** Returns an error as one line: its place, and what is expected there, or the message when `expected` is null. */
export const describeFault = ({ line, column, expected, message }: Fault): string =>
  `Line ${line}, column ${column}: ${expected ?? message}`

/**
 * Returns why a text is not one valid JSON value, or null. It uses the API's own scanner: another parser could accept
 * what the API refuses.
 */
export function faultOfJson(text: string, what = "This"): Fault | null {
  const bytes = encoder.encode(text)
  const scanned = scan(bytes)
  return scanned.ok ? null : scanFault(text, bytes, scanned.fault, what)
}

/** Follows a `param` as far as the text has it. Names may contain dots: the longest match counts. */
function partOfParam(text: string, param: string): Part {
  let part = rootOf(text)
  for (let rest = param; rest !== ""; ) {
    const members = membersOf(text, part)
    const at: string = rest
    const fits = (members ?? []).filter(({ name }) => name !== "" && (at === name || at.startsWith(`${name}.`)))
    const member = fits.toSorted((a, b) => a.name.length - b.name.length).at(-1)
    const item = members ? undefined : itemsOf(text, part)?.[Number.parseInt(at, 10)]
    if (!member && !item) return part
    part = member ? member.value : (item as Part)
    rest = rest.slice((member ? member.name : (rest.split(".")[0] ?? rest)).length + 1)
  }
  return part
}

/** Returns an error at the first line of the value that a `param` names. The text must be valid JSON. */
export function faultOfParam(text: string, param: string, message: string): Fault {
  const { start, end } = partOfParam(text, param)
  const line = text.indexOf("\n", start)
  return faultIn(text, message, start, line < 0 ? end : Math.min(end, line))
}

/**
 * Returns all errors in a request's text, up to `MAX_REFUSALS`. The first one is what the API would return. A text that is not valid
 * JSON has one error: what follows it cannot be read.
 */
export function faultsOfRequest(text: string, limits?: ShapeLimits): Fault[] {
  const bytes = encoder.encode(text)
  const scanned = scan(bytes)
  if (!scanned.ok) return [scanFault(text, bytes, scanned.fault, "The body")]
  return listRefusals(bytes, scanned.nodes, limits).map(({ path, message }) =>
    faultOfParam(text, paramOf(path), message),
  )
}

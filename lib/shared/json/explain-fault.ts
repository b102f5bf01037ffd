type Expected = "value" | "first item" | "item" | "first name" | "name" | "colon" | "next" | "end"

const VALUE = 'a value: "text", a number, true, false, null, an object or an array'
const NAME = "a name in double quotation marks"

const TOKEN = /\s*("(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+)/y

interface Place {
  expected: Expected
  isInObject: boolean
}

/** Returns what the grammar expects after a text that is valid so far. */
function placeAfter(valid: string): Place {
  const open: string[] = []
  let expected: Expected = "value"
  TOKEN.lastIndex = 0
  for (let found = TOKEN.exec(valid); found; found = TOKEN.exec(valid)) {
    const token = found[1] ?? ""
    const isName: boolean = expected === "name" || expected === "first name"
    if (token === "{" || token === "[") {
      open.push(token)
      expected = token === "{" ? "first name" : "first item"
    } else if (token === ":") expected = "value"
    else if (token === ",") expected = open.at(-1) === "{" ? "name" : "item"
    else {
      if (token === "}" || token === "]") open.pop()
      expected = isName && token.startsWith('"') ? "colon" : open.length > 0 ? "next" : "end"
    }
  }
  return { expected, isInObject: open.at(-1) === "{" }
}

function describe({ expected, isInObject }: Place): string {
  const closer = isInObject ? "}" : "]"
  switch (expected) {
    case "value":
    case "item":
      return `Expected ${VALUE}.`
    case "first item":
      return `Expected ${VALUE}, or ].`
    case "name":
      return `Expected ${NAME}.`
    case "first name":
      return `Expected ${NAME}, or }.`
    case "colon":
      return "Expected a colon after the name."
    case "next":
      return `Expected a comma or ${closer}.`
    case "end":
      return "Expected the end: a JSON text has one value."
  }
}

const STRING_LINE = /^"(?:[^"\\\n]|\\[^\n])*/

/** Returns why an invalid text cannot go on at `from`, where it stops being valid JSON, and what to write there instead. */
export function explainFault(text: string, from: number): string {
  const place = placeAfter(text.slice(0, from))
  const rest = text.slice(from)
  const takesString = place.expected !== "colon" && place.expected !== "next" && place.expected !== "end"
  if (rest === "") return `The text ends too early. ${describe(place)}`
  if (rest.startsWith('"') && takesString) {
    const isClosed = rest[STRING_LINE.exec(rest)?.[0].length ?? 0] === '"'
    return isClosed
      ? "This string has a character or an escape that JSON does not allow. Write \\\\ for a backslash."
      : "This string has no closing quotation mark in its line. Write \\n for a line break."
  }
  if (rest.startsWith("'")) return "Write double quotation marks instead of single ones."
  if (/^\/[/*]/.test(rest)) return "JSON has no comments. Remove this one."
  const endsList = (place.expected === "name" && rest[0] === "}") || (place.expected === "item" && rest[0] === "]")
  return endsList ? `Remove the comma before this ${rest[0]}.` : describe(place)
}

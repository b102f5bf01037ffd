import { itemsOf, membersOf, rootOf, sourceOf } from "@/lib/shared/json-source/json-parts"

/** A part of a state, and the state without it. */
export interface StatePart {
  /** A field's name, an item's number in brackets, or a piece of text. */
  name: string
  /** JSON source. */
  rest: string
}

export interface StateParts {
  kind: "field" | "item" | "paragraph" | "line" | "sentence"
  /** In their order. Empty when the state has fewer than two parts: without its only part nothing would be asked about. */
  parts: StatePart[]
}

/** A state with more parts loses several neighbours at a time. */
const MAX_PARTS = 40

interface Piece {
  name: string
  source: string
}

function withoutEach(pieces: Piece[], join: (sources: string[]) => string): StatePart[] {
  if (pieces.length < 2) return []
  const size = Math.ceil(pieces.length / MAX_PARTS)
  return Array.from({ length: Math.ceil(pieces.length / size) }, (_, at): StatePart => {
    const [from, to] = [at * size, (at + 1) * size]
    return {
      name: pieces
        .slice(from, to)
        .map(({ name }) => name)
        .join(", "),
      rest: join([...pieces.slice(0, from), ...pieces.slice(to)].map(({ source }) => source)),
    }
  })
}

const sentences = (text: string): string[] =>
  [...new Intl.Segmenter("en", { granularity: "sentence" }).segment(text)].map(({ segment }) => segment)

/** From coarse to fine. The first division that gives at least two pieces is used. Each piece keeps the white space after it. */
const DIVISIONS: [StateParts["kind"], (text: string) => string[]][] = [
  ["paragraph", (text) => text.split(/(?<=\n[ \t]*\n)(?=\S)/)],
  ["line", (text) => text.split(/(?<=\n)(?=.*\S)/)],
  ["sentence", sentences],
]

function textParts(text: string): StateParts {
  for (const [kind, divide] of DIVISIONS) {
    const pieces = divide(text).filter((piece) => piece.trim() !== "")
    const parts = withoutEach(
      pieces.map((source) => ({ name: source.trim(), source })),
      (sources) => JSON.stringify(sources.join("").trim()),
    )
    if (parts.length > 0) return { kind, parts }
  }
  return { kind: "sentence", parts: [] }
}

/** Divides a state: an object into its fields, an array into its items, and a text into paragraphs, lines or sentences. */
export function partsOf(state: string): StateParts {
  const root = rootOf(state)
  const members = membersOf(state, root)
  if (members) {
    const pieces = members.map(({ name, nameSource, value }) => {
      return { name, source: `${nameSource}:${sourceOf(state, value)}` }
    })
    return { kind: "field", parts: withoutEach(pieces, (sources) => `{${sources.join(",")}}`) }
  }
  const items = itemsOf(state, root)
  if (items) {
    const pieces = items.map((item, at) => ({ name: `[${at}]`, source: sourceOf(state, item) }))
    return { kind: "item", parts: withoutEach(pieces, (sources) => `[${sources.join(",")}]`) }
  }
  return textParts(JSON.parse(state) as string)
}

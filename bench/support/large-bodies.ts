/** The largest allowed body (spec.md, "Limits"). */
const BODY_BYTES = 29_360_128
const encoder = new TextEncoder()

function bodyOf(state: (room: number) => string): Uint8Array<ArrayBuffer> {
  const head = '{"model":"svc-decider-latest","questions":{"q":{"type":"noul","instructions":"Is it?"}},"state":'
  return encoder.encode(`${head}${state(BODY_BYTES - head.length - 1)}}`)
}

function filled(open: string, close: string, room: number, item: (i: number) => string): string {
  const items: string[] = []
  let length = open.length + close.length
  for (let i = 0; ; i++) {
    const next = item(i)
    length += next.length + 1
    if (length > room) return open + items.join(",") + close
    items.push(next)
  }
}

const record = (i: number) =>
  JSON.stringify({
    id: i,
    name: `customer ${i}`,
    email: `c${i}@example.com`,
    active: i % 2 === 0,
    tags: ["a", "b"],
    score: i / 7,
    note: "Late delivery; asked for a refund and for an apology.",
  })

const SHAPES: Record<string, (room: number) => string> = {
  "one string": (room) => `"${"All is well, thank you. ".repeat(room / 24).slice(0, room - 2)}"`,
  records: (room) => filled("[", "]", room, record),
  "wide object": (room) => filled("{", "}", room, (i) => `"k${i.toString(36)}":1`),
  deep: (room) => filled("[", "]", room, () => `${"[".repeat(500)}${"]".repeat(500)}`),
  numbers: (room) => filled("[", "]", room, (i) => String(i)),
  escapes: (room) => filled('["', '"]', room, () => 'a line\\n\\t\\"of \\u00e9scapes\\" \\ud83d\\ude00'),
}

export const SHAPE_NAMES = Object.keys(SHAPES)

/** Returns a request of 28 MiB. Each shape of its state is expensive for a different part of the service. */
export function largeBody(shape: string): Uint8Array<ArrayBuffer> {
  const state = SHAPES[shape]
  if (!state) throw new Error(`there is no shape ${shape}`)
  return bodyOf(state)
}

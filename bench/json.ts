import { scan } from "../lib/json/scan"

/** Bodies of the largest size, each a request whose state has a shape that is dear to somebody. */
const BODY_BYTES = 29_360_128
const ROUNDS = Number(process.env.ROUNDS || 5)

const encoder = new TextEncoder()

function bodyOf(state: (room: number) => string): Uint8Array {
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
  escaped: (room) => filled('["', '"]', room, () => 'a line\\n\\t\\"of \\u00e9scapes\\" \\ud83d\\ude00'),
  records: (room) => filled("[", "]", room, record),
  "wide object": (room) => filled("{", "}", room, (i) => `"k${i.toString(36)}":1`),
  integers: (room) => filled("[", "]", room, (i) => String(i)),
  deep: (room) => filled("[", "]", room, () => `${"[".repeat(500)}${"]".repeat(500)}`),
}

function timed(run: () => unknown): number {
  const from = performance.now()
  run()
  return performance.now() - from
}

console.log(
  `28 MiB bodies, best of ${ROUNDS} rounds each in turn: the strict scanner next to JSON.parse of the decoded text`,
)
for (const [name, state] of Object.entries(SHAPES)) {
  const body = bodyOf(state)
  const text = new TextDecoder().decode(body)
  const result = scan(body)
  if (!result.ok) throw new Error(`${name}: ${result.fault}`)
  let scanned = Number.POSITIVE_INFINITY
  let parsed = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round++) {
    scanned = Math.min(
      scanned,
      timed(() => scan(body)),
    )
    parsed = Math.min(
      parsed,
      timed(() => JSON.parse(text)),
    )
  }
  const ratio = (scanned / parsed).toFixed(2)
  console.log(`${name.padEnd(12)} scan ${scanned.toFixed(0)} ms, JSON.parse ${parsed.toFixed(0)} ms, ratio ${ratio}`)
}

import { expect, it } from "vitest"
import { traceIdOf } from "./traceparent"

const ID = "4bf92f3577b34da6a3ce929d0e0e4736"

it.each([
  [`00-${ID}-00f067aa0ba902b7-01`, ID],
  [`cc-${ID}-00f067aa0ba902b7-01-what-the-future-will-be`, ID],
  [`ff-${ID}-00f067aa0ba902b7-01`, undefined],
  [`00-${"0".repeat(32)}-00f067aa0ba902b7-01`, undefined],
  [`00-${ID}-0000000000000000-01`, undefined],
  [`00-${ID.toUpperCase()}-00f067aa0ba902b7-01`, undefined],
  [`00-${ID}-00f067aa0ba902b7`, undefined],
  ["svcd_a-secret", undefined],
  [undefined, undefined],
])("a traceparent %s has the trace id %s", (header, id) => {
  expect(traceIdOf(header)).toBe(id)
})

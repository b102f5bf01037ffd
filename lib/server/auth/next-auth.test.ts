import { expect, test } from "vitest"
import { reasonOf } from "./next-auth"

test.each([
  ["state mismatch, expected abc, got: def", "state mismatch"],
  ["unexpected iss value, expected https://a.example, got: https://b.example", "unexpected iss value"],
  ["unexpected JWT alg received, expected RS256, got: ES256", "unexpected JWT alg received"],
  ["invalid_grant (the code abc was used)", "invalid_grant"],
  ["expected 200 OK, got: 502 Bad Gateway", "unknown"],
])("the reason of %j in the log is %j, without values", (message, reason) => {
  expect(reasonOf(new Error(message))).toBe(reason)
})

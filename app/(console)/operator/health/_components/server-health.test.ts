import { expect, test } from "vitest"
import { waitingText } from "./server-health"

test("the requests that wait for a connection are counted in a sentence", () => {
  expect(waitingText(0)).toBe("No request is waiting for a connection")
  expect(waitingText(1)).toBe("1 request is waiting for a connection")
  expect(waitingText(2)).toBe("2 requests are waiting for a connection")
})

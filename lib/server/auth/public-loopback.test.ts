import { expect, test } from "vitest"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { requestLink } from "./request-link"

await testRuntime({
  CONSOLE_URL: "https://console.example",
  EMAIL_SERVER: "smtp://127.0.0.1:25",
  EMAIL_FROM: "a@console.example",
})

test("on a public service a loopback peer is limited like every other address", async () => {
  runtime().mailer.send = async () => {}
  const limits: unknown[] = []
  for (let i = 0; i < 11; i++) {
    const request = { email: `visitor-${i}@example.com`, returnTo: "/", clientAddress: "127.0.0.1" }
    limits.push(await requestLink(runtime(), { ...request, cookieHeader: undefined }))
  }
  expect(limits.slice(0, 10)).toEqual(Array(10).fill(null))
  expect(limits[10]).not.toBeNull()
})

import { TypeSafeClient } from "@typesafe-ai/sdk"
import { expect, it } from "vitest"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { insertPayer } from "@/test/insert-rows"
import { testService } from "@/test/service"

it("60 parallel calls of the official SDK with its default retries lose none at 10 requests per second", async () => {
  const service = await testService()
  const { token } = await insertPayer()
  const client = new TypeSafeClient({ apiKey: token, baseURL: service.url, defaultModel: ALIAS })
  const questions = { refund: { type: "noul", instructions: "Refund?" } } as const
  const calls = Array.from({ length: 60 }, () => client.systemOne({ state: "Refund me.", questions }))
  const settled = await Promise.allSettled(calls)
  expect(settled.filter(({ status }) => status === "rejected")).toEqual([])
})

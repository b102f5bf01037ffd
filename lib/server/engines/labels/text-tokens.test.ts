import { expect, it } from "vitest"
import { checkedRequest, noul } from "@/test/checked-request"
import type { LabelDialect } from "./label-dialect"
import { TextTokens } from "./text-tokens"

const never = new AbortController().signal

it("refuses a text with a letter of which the engine reports no token", async () => {
  const dialect = { clientIds: async () => [], templateIds: async () => [] } as unknown as LabelDialect
  const texts = await TextTokens.open(dialect, [], never)
  const { count } = await texts.ofRequest(checkedRequest(" \u200b", noul("q", " ")), never)
  expect(count).toEqual({ state: 0, questions: [0] })
  await expect(texts.ofRequest(checkedRequest("late", noul("q", " ")), never)).rejects.toMatchObject({
    code: "upstream_error",
  })
})

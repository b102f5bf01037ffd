import { beforeAll, expect, it } from "vitest"
import { testRuntime } from "@/test/database"
import { audited, operatorJson as json } from "@/test/operator"

beforeAll(() => testRuntime())

it("signing rotate prints every key, and retires the one before", async () => {
  const first = await json("signing", "rotate")
  expect(first.signing_keys).toEqual([
    {
      id: expect.stringMatching(/^sig_[0-9a-z]{26}$/),
      public_key: expect.stringMatching(/^[\w-]{43}$/),
      retired_at: null,
    },
  ])
  const second = await json("signing", "rotate")
  expect(second.signing_keys).toEqual([
    { ...first.signing_keys[0], retired_at: expect.stringMatching(/^20.+Z$/) },
    { id: expect.stringMatching(/^sig_/), public_key: expect.stringMatching(/^[\w-]{43}$/), retired_at: null },
  ])
  expect(await audited("signing_key.rotate", second.signing_keys[1].id)).toEqual([{ actor: "operator" }])
})

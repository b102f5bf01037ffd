import { beforeAll, expect, it } from "vitest"
import { setAccountRates } from "@/lib/server/accounts/set-account-rates"
import { operatorFor } from "@/lib/server/platform/actor"
import { newId } from "@/lib/server/platform/ids"
import { testRuntime } from "@/test/database"
import { createAccount, VISITOR } from "./create-account"
import { getAccount } from "./get-account"

beforeAll(() => testRuntime())

it("the console shows an account's own rates: 20 a second and 10 for a key until the operator changes them", async () => {
  const email = "ada@example.com"
  const { accountId, userId } = await createAccount(VISITOR, { email })
  const actor = {
    type: "user",
    accountId,
    userId,
    sessionId: newId(),
    confirmedAtMs: Date.now(),
    email,
    role: "owner",
    clientAddress: null,
  } as const
  expect(await getAccount(actor)).toMatchObject({ requestsPerSecond: 20, requestsPerSecondPerKey: 10 })
  await setAccountRates(operatorFor(accountId), { perSecond: 60, perKey: 25 })
  expect(await getAccount(actor)).toMatchObject({ requestsPerSecond: 60, requestsPerSecondPerKey: 25 })
})

import { beforeAll, expect, it } from "vitest"
import { setAccountRates } from "@/lib/server/accounts/set-account-rates"
import { operatorFor } from "@/lib/server/platform/actor"
import { testRuntime } from "@/test/database"
import { signUp } from "@/test/sign-up"
import { getAccount } from "./get-account"

beforeAll(() => testRuntime())

it("the console shows an account's own rates: 20 a second and 10 for a key until the operator changes them", async () => {
  const actor = await signUp()
  expect(await getAccount(actor)).toMatchObject({ requestsPerSecond: 20, requestsPerSecondPerKey: 10 })
  await setAccountRates(operatorFor(actor.accountId), { perSecond: 60, perKey: 25 })
  expect(await getAccount(actor)).toMatchObject({ requestsPerSecond: 60, requestsPerSecondPerKey: 25 })
})

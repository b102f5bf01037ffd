import { beforeAll, expect, it } from "vitest"
import { setAccountRates } from "@/lib/server/accounts/set-account-rates"
import { setAccountStatus } from "@/lib/server/auth/account-status"
import { operatorFor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { joinAccount, signUp } from "@/test/sign-up"
import { operatorForNamed } from "./find-account"
import { getAccount } from "./get-account"

beforeAll(() => testRuntime())

it("the console shows an account's own rates: 20 a second and 10 for a key until the operator changes them", async () => {
  const actor = await signUp()
  expect(await getAccount(runtime(), actor)).toMatchObject({ requestsPerSecond: 20, requestsPerSecondPerKey: 10 })
  await setAccountRates(runtime(), operatorFor(actor.accountId), { perSecond: 60, perKey: 25 })
  expect(await getAccount(runtime(), actor)).toMatchObject({ requestsPerSecond: 60, requestsPerSecondPerKey: 25 })
})

it("an address means the first account that its user owns, and a closed one only without another", async () => {
  const [ada, other] = [await signUp("ada@own.example"), await signUp()]
  const accountOf = async () => (await operatorForNamed(runtime(), "ada@own.example")).accountId
  await setAccountStatus(runtime(), operatorFor(ada.accountId), "closed")
  expect(await accountOf()).toBe(ada.accountId)
  await joinAccount(other, "owner", ada)
  expect(await accountOf()).toBe(other.accountId)
})

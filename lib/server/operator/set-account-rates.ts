import { recordAudit } from "@/lib/server/audit/record-audit"
import { operatorFor } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { runtime } from "@/lib/server/platform/runtime"
import { findAccountId } from "./account-view"

/** Sets how many requests an account, and each of its keys, may make in a second. Answers its id. */
export async function setAccountRates(email: string, perSecond: number, perKey: number | null): Promise<string> {
  const accountId = await findAccountId(email)
  await inTransaction(runtime().pool, async (client) => {
    await client.query(
      `UPDATE account SET requests_per_second = $2, requests_per_second_per_key = coalesce($3, requests_per_second_per_key)
       WHERE id = $1`,
      [accountId, perSecond, perKey],
    )
    await recordAudit(client, operatorFor(accountId), { action: "account.limits", subject: accountId })
  })
  return accountId
}

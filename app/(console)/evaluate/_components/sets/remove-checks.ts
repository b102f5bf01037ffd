import { listChecks, removeSet } from "../../model/evaluation-store"
import { withSetLock } from "../../run/set-lock"

/** Removes the account's checks of single answers, except one that a tab is running. */
export async function removeChecks(accountId: string): Promise<void> {
  const checks = await listChecks(accountId)
  await Promise.all(checks.map(({ id }) => withSetLock(id, () => removeSet(id))))
}

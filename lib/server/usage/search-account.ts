import { listNewestKeys, readFromPool, readKeyLabels } from "@/lib/server/keys/read-keys"
import type { UserActor } from "@/lib/server/platform/actor"
import { parsePublicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { AccountSearch, FoundRequest } from "@/lib/shared/search/account-search"
import { findRequest } from "./find-request"
import { listRequests } from "./list-requests"
import type { LoggedRequest } from "./request-row"
import { FindRequestInput } from "./schema"

const MAX_KEYS = 200
const MAX_REQUESTS = 20
const DAYS = 30

const foundBy =
  (labels: ReadonlyMap<string, string>) =>
  ({ id, at, keyId, keyName, status, code }: LoggedRequest): FoundRequest => ({
    id,
    at,
    keyName: labels.get(parsePublicId("key", keyId) ?? "") ?? keyName,
    status,
    code,
  })

/** Returns the request with an id, or an empty list: also for another account's request and for text that is no id. */
export async function searchRequests(runtime: Runtime, actor: UserActor, id: string): Promise<FoundRequest[]> {
  const input = FindRequestInput.safeParse({ id })
  const found = input.success ? await findRequest(runtime, actor, input.data) : null
  return found ? [foundBy(await readKeyLabels(actor.accountId, readFromPool(runtime)))(found)] : []
}

/** Returns what the command menu offers of an account: keys that are not revoked, and the newest requests of 30 days. */
export async function searchAccount(runtime: Runtime, actor: UserActor): Promise<AccountSearch> {
  const [keys, labels, { requests }] = await Promise.all([
    listNewestKeys(runtime, actor, MAX_KEYS),
    readKeyLabels(actor.accountId, readFromPool(runtime)),
    listRequests(runtime, actor, { range: { days: DAYS } }, { size: MAX_REQUESTS }),
  ])
  return {
    keys: keys.map(({ id, name, masked, status }) => ({ id, name, masked, status })),
    requests: requests.map(foundBy(labels)),
  }
}

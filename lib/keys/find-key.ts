import "server-only"
import type { UserActor } from "../auth/user-actor"
import { parsePublicId } from "../ids"
import { runtime } from "../runtime"
import type { KeySummary } from "./schema"
import { selectKeys } from "./select-keys"

/** One key of the actor's account by its public id; null when it is none of theirs. */
export async function findKey(actor: UserActor, id: string): Promise<KeySummary | null> {
  const keyId = parsePublicId("key", id)
  if (!keyId) return null
  const [key] = await selectKeys(runtime().pool, actor.accountId, keyId)
  return key ?? null
}

import type { UserActor } from "@/lib/server/platform/actor"
import { parsePublicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import type { KeySummary } from "@/lib/shared/keys/schema"
import { selectKeys } from "./select-keys"

/** One key of the actor's account by its public id; null when it is none of theirs. */
export async function findKey(actor: UserActor, id: string): Promise<KeySummary | null> {
  const keyId = parsePublicId("key", id)
  if (!keyId) return null
  const [key] = await selectKeys(runtime().pool, actor.accountId, keyId)
  return key ?? null
}

import type { UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import type { KeySummary } from "@/lib/shared/keys/schema"
import { selectKeys } from "./select-keys"

/** Every key of the actor's account, newest first, revoked ones and the Playground key too. */
export const listKeys = (actor: UserActor): Promise<KeySummary[]> => selectKeys(runtime().pool, actor.accountId)

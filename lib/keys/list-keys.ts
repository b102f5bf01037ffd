import "server-only"
import type { UserActor } from "../auth/user-actor"
import { runtime } from "../runtime"
import type { KeySummary } from "./schema"
import { selectKeys } from "./select-keys"

/** Every key of the actor's account, newest first, revoked ones and the Playground key too. */
export const listKeys = (actor: UserActor): Promise<KeySummary[]> => selectKeys(runtime().pool, actor.accountId)

import type { Env } from "@/lib/server/platform/env"
import { FIRST_DECIDER } from "@/lib/shared/models/model-ids"

/** Returns the id of the model at `ENGINE_URL`. Pages import it, so this file imports no worker of a tokenizer. */
export const deciderId = ({ ENGINE_ID }: Pick<Env, "ENGINE_ID">): string => ENGINE_ID ?? FIRST_DECIDER

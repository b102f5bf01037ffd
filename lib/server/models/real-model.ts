import type { Runtime } from "@/lib/server/platform/runtime"
import { ALIAS, REAL_MODEL_COMMAND } from "@/lib/shared/models/model-ids"

/**
 * Returns the command that starts the service with a real model, for a page that is shown on the machine that runs the service. Null
 * for everybody else, and when the alias already points at a model.
 */
export function realModelCommand({ catalogue }: Runtime, headers: { get(name: string): string | null }): string | null {
  const isKeywordRules = catalogue.resolve(ALIAS)?.engine === "lexical"
  return isKeywordRules && headers.get("x-svc-local") === "1" ? REAL_MODEL_COMMAND : null
}

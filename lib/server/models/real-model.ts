import type { Runtime } from "@/lib/server/platform/runtime"
import { ALIAS, REAL_MODEL_COMMAND } from "@/lib/shared/models/model-ids"
import type { ModelWay } from "@/lib/shared/runs/model-choice"

/**
 * Returns how to get a model while the alias points at the keyword rules, and null once it points at a model. The command is for a page
 * that is shown on the machine that runs the service.
 */
export function wayToModel(
  { catalogue }: Runtime,
  headers: { get(name: string): string | null },
  isOperator: boolean,
): ModelWay | null {
  if (catalogue.resolve(ALIAS)?.engine !== "lexical") return null
  return { command: headers.get("x-svc-local") === "1" ? REAL_MODEL_COMMAND : null, isOperator }
}

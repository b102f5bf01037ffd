import type { Description, Step } from "@/lib/shared/runs/describe-refusal"
import type { Refusal } from "@/lib/shared/runs/read-outcome"

/** The steps after which the same request with the same key may be answered. */
const RESUMING: readonly Step[] = ["top_up", "wait", "run_again", "sign_in", "reload"]

/** Says how a refused run can continue. Its key, that key's limit and its model never change. */
export function resumeAdvice({ code, message, resets_at }: Refusal, { advice, steps }: Description): string {
  if (code === "insufficient_balance") return "Top up, or ask for credit. Then resume the run."
  if (code === "key_limit_reached" && resets_at)
    return `The key's limit resets at ${resets_at.slice(11, 16)} UTC. Resume the run then.`
  if (code === "forbidden") return message
  if (!steps.some((step) => RESUMING.includes(step)))
    return "This run keeps its key and its model. Cancel it, and start a new run."
  return `${advice} Then resume the run.`
}

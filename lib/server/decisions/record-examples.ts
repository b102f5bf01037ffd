import { recordAudit } from "@/lib/server/audit/record-audit"
import { type Actor, requireRight } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { NIL_UUID } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { EXAMPLES, type Example } from "@/lib/shared/request-form/examples"
import { resolveModel } from "./admit-model"
import { answerRequest } from "./answer-request"
import { hashExample, requestOfExample } from "./example-requests"

/** The examples are a few hundred tokens each. */
const TIMEOUT_MS = 90_000

interface RecordedExamples {
  /** The pinned model that answered. */
  id: string
  examples: number
  tokens: number
}

const STORE = `
  INSERT INTO example_recording (model_id, example_id, request_sha256, body) VALUES ($1, $2, $3, $4)
  ON CONFLICT (model_id, example_id)
  DO UPDATE SET request_sha256 = excluded.request_sha256, body = excluded.body, recorded_at = clock_timestamp()`

/**
 * Asks a model the questions of every example, and stores the answers for the pages that show examples. Nobody is charged. For the
 * operator. Throws `invalid_model`, `model_retired` or `model_unavailable`, or what the engine answered, and then stores nothing.
 */
export async function recordExamples(
  runtime: Runtime,
  actor: Actor,
  { id }: { id: string },
): Promise<RecordedExamples> {
  requireRight(actor, "service.operate")
  const model = resolveModel(runtime, id)
  const engines = runtime.engines.get(model.id)
  if (!engines) throw new ServiceError("model_unavailable")
  const call = {
    actor: { accountId: NIL_UUID, keyId: NIL_UUID },
    authorize: async () => {},
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }
  const recorded: { example: Example; json: string; tokens: number }[] = []
  for (const example of EXAMPLES) {
    const { json, tokens } = await answerRequest(call, requestOfExample(example, model.id).request, model, engines)
    recorded.push({ example, json, tokens })
  }
  await inTransaction(runtime.pool, async (client) => {
    for (const { example, json } of recorded)
      await client.query(STORE, [model.id, example.id, hashExample(example), json])
    await recordAudit(client, actor, { action: "model.record", subject: model.id })
  })
  return { id: model.id, examples: recorded.length, tokens: recorded.reduce((sum, { tokens }) => sum + tokens, 0) }
}

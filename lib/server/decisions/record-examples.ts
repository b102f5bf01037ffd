import { recordAudit } from "@/lib/server/audit/record-audit"
import { type Actor, requireRight } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { NIL_UUID } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { type ErrorCode, ServiceError } from "@/lib/shared/errors"
import { EXAMPLES } from "@/lib/shared/request-form/examples"
import { resolveModel } from "./admit-model"
import { answerRequest } from "./answer-request"
import { EXAMPLE_HASHES, requestOfExample } from "./example-requests"

/** How long a model may take for all examples, a few hundred tokens each. */
export const EXAMPLES_MS = 90_000

interface AnsweredExample {
  id: string
  json: string
  tokens: number
}

/** The answers to every example, or why there are none. An error itself cannot cross processes. */
type ExampleAnswers = { answered: AnsweredExample[] } | { refused: ErrorCode }

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    /** Asks a pinned model the questions of every example, in the process that calls engines. */
    answerExamples: (modelId: string) => Promise<ExampleAnswers>
  }
}

/** Asks a pinned model the questions of every example. For a process that calls engines. */
export async function answerExamples(runtime: Runtime, modelId: string): Promise<ExampleAnswers> {
  const call = {
    actor: { accountId: NIL_UUID, keyId: NIL_UUID },
    authorize: async () => {},
    signal: AbortSignal.timeout(EXAMPLES_MS),
  }
  const answered: AnsweredExample[] = []
  try {
    const model = resolveModel(runtime, modelId)
    const engines = runtime.engines.get(model.id)
    if (!engines) throw new ServiceError("model_unavailable")
    for (const example of EXAMPLES) {
      const { json, tokens } = await answerRequest(call, requestOfExample(example, model.id).request, model, engines)
      answered.push({ id: example.id, json, tokens })
    }
  } catch (error) {
    if (error instanceof ServiceError) return { refused: error.code }
    throw error
  }
  return { answered }
}

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
  const found = await runtime.answerExamples(model.id)
  if ("refused" in found) throw new ServiceError(found.refused)
  const { answered } = found
  await inTransaction(runtime.pool, async (client) => {
    for (const { id: example, json } of answered)
      await client.query(STORE, [model.id, example, EXAMPLE_HASHES.get(example), json])
    await recordAudit(client, actor, { action: "model.record", subject: model.id })
  })
  return { id: model.id, examples: answered.length, tokens: answered.reduce((sum, { tokens }) => sum + tokens, 0) }
}

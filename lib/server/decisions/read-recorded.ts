import type { Row } from "@/lib/server/platform/db/row"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { EXAMPLES } from "@/lib/shared/request-form/examples"
import { BUILT_IN_ANSWERS, type RecordedAnswers } from "@/lib/shared/request-form/recorded-answers"
import { dayOf } from "@/lib/shared/time"
import { EXAMPLE_HASHES } from "./example-requests"

type Recording = Row<"ExampleRecording", "example_id" | "request_sha256" | "body" | "recorded_at">

/**
 * Returns the recorded answers of the alias's model to the examples, and those of the keyword scorer while not all of them were
 * recorded, an example was changed since, or the database is unavailable.
 */
export async function readRecordedAnswers({ pool, catalogue }: Runtime): Promise<RecordedAnswers> {
  const model = catalogue.resolve(ALIAS)?.id
  // Pages do not wait for a database that is unavailable.
  if (model === undefined || !catalogue.fresh) return BUILT_IN_ANSWERS
  const { rows } = await pool
    .query<Recording>(
      "SELECT example_id, request_sha256, body, recorded_at FROM example_recording WHERE model_id = $1 ORDER BY recorded_at",
      [model],
    )
    .catch(() => ({ rows: [] as Recording[] }))
  const current = rows.filter(({ example_id, request_sha256 }) =>
    EXAMPLE_HASHES.get(example_id)?.equals(request_sha256),
  )
  const [oldest] = current
  if (!oldest || current.length < EXAMPLES.length) return BUILT_IN_ANSWERS
  const bodies = Object.fromEntries(current.map(({ example_id, body }) => [example_id, body]))
  return { model, day: dayOf(oldest.recorded_at), bodies }
}

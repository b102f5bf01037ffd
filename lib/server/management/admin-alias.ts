import { z } from "zod"
import { moveAlias } from "@/lib/server/models/alias"
import { listModels } from "@/lib/server/models/list-models"
import { cancelMove, findPlannedMove, planMove } from "@/lib/server/models/plan-move"
import type { OperatorActor } from "@/lib/server/platform/actor"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { DEFAULT_NOTICE_DAYS, MAX_NOTICE_DAYS, UtcDay } from "@/lib/shared/operator/forms"
import { Done } from "./admin-fields"
import { ModelId } from "./admin-models"
import { admin } from "./admin-operation"
import type { Operation } from "./operation"

const Alias = z.strictObject({
  alias: z.string(),
  model: z.string().nullable().meta({ description: "The pinned model that it points at." }),
})

const Planned = z.strictObject({
  model: z.string().meta({ description: "The model to which it moves." }),
  on: z.string().meta({ description: "The UTC day at whose start it moves." }),
  announced_on: z.string().meta({ description: "The UTC day on which mails announce it." }),
  is_announced: z.boolean(),
})

const LOCK_ALIAS = "SELECT FROM model WHERE kind = 'pinned' OR id = $1 ORDER BY kind = 'alias', id"

const ALIAS_VERSION = `
  SELECT (SELECT target_id FROM model WHERE id = $1) AS target_id,
    (SELECT max(id)::text FROM alias_announcement WHERE alias_id = $1 AND notice_days IS NOT NULL AND ended_at IS NULL) AS plan_id`

/**
 * The target of the alias and its planned move. Locks the alias after every model that it can move to, as its verbs do: in another order,
 * two moves could wait for each other.
 */
const versionOfAlias: Operation<OperatorActor>["version"] = async (client, _ids, lock) => {
  if (lock) await client.query(`${LOCK_ALIAS} ${lock}`, [ALIAS])
  const { rows } = await client.query(ALIAS_VERSION, [ALIAS])
  return JSON.stringify(rows[0])
}

const ALIAS_TAG = { tag: "Alias", version: versionOfAlias } as const

/** The alias in the admin API. */
export const ALIAS_OPERATIONS: readonly Operation<OperatorActor>[] = [
  admin({
    ...ALIAS_TAG,
    right: "service.read",
    id: "getAlias",
    method: "GET",
    path: "/alias",
    summary: "Read the alias",
    verbs: ["models/list-models.ts listModels"],
    Result: Alias,
    run: async ({ runtime, actor }) => {
      const alias = (await listModels(runtime, actor)).find(({ id }) => id === ALIAS)
      return { alias: ALIAS, model: alias?.target_model ?? null }
    },
  }),
  admin({
    ...ALIAS_TAG,
    right: "service.operate",
    id: "moveAlias",
    method: "PUT",
    path: "/alias",
    summary: "Move the alias",
    description: `Points \`${ALIAS}\` at an active pinned model, and notifies the accounts that use it. Repeating changes nothing.`,
    verbs: ["models/alias.ts moveAlias"],
    hasDryRun: true,
    Body: z.strictObject({ model: ModelId }),
    Result: Alias,
    run: async ({ runtime, actor, body: { model } }) => {
      await moveAlias(runtime, actor, { toId: model })
      return { alias: ALIAS, model }
    },
  }),
  admin({
    ...ALIAS_TAG,
    right: "service.read",
    id: "getPlannedMove",
    method: "GET",
    path: "/alias/plan",
    summary: "Read the planned move of the alias",
    verbs: [],
    Result: z.strictObject({
      alias: z.string(),
      planned: Planned.nullable().meta({ description: "Null without one." }),
    }),
    run: async ({ runtime }) => {
      const move = await findPlannedMove(runtime)
      return {
        alias: ALIAS,
        planned: move && {
          model: move.to,
          on: move.on,
          announced_on: move.announcedOn,
          is_announced: move.isAnnounced,
        },
      }
    },
  }),
  admin({
    ...ALIAS_TAG,
    right: "service.operate",
    id: "planMove",
    method: "PUT",
    path: "/alias/plan",
    summary: "Plan a move of the alias",
    description: "Moves the alias at the start of a UTC day, announced by mail. Replaces an earlier plan.",
    verbs: ["models/plan-move.ts planMove"],
    hasDryRun: true,
    Body: z.strictObject({
      model: ModelId,
      on: UtcDay,
      notice_days: z.int().min(0).max(MAX_NOTICE_DAYS).default(DEFAULT_NOTICE_DAYS),
    }),
    Result: Alias.extend({ on: z.string() }),
    run: async ({ runtime, actor, body: { model, on, notice_days: noticeDays } }) => {
      await planMove(runtime, actor, { toId: model, on, noticeDays })
      return { alias: ALIAS, model, on }
    },
  }),
  admin({
    ...ALIAS_TAG,
    right: "service.operate",
    id: "cancelMove",
    method: "DELETE",
    path: "/alias/plan",
    summary: "Cancel the planned move of the alias",
    verbs: ["models/plan-move.ts cancelMove"],
    Result: Done,
    run: async ({ runtime, actor }) => {
      await cancelMove(runtime, actor)
      return { id: ALIAS }
    },
  }),
]

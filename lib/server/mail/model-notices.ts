import { formatCount, formatDate } from "@/lib/shared/format"
import { STAY_DAYS } from "@/lib/shared/models/stay"
import { shareText } from "@/lib/shared/shadows/shadow-texts"
import type { QuestionTypeName } from "@/questions/question-types"
import { KEY_MANAGERS, type Notices } from "./notice"

/** How many of the answers to an account's questions of one type would change, of those that were compared. */
export interface TypeChanges {
  type: QuestionTypeName
  compared: number
  changed: number
}

export interface ModelFacts {
  /** `on` is a UTC day such as 2026-12-01; the others are ids of models. */
  alias_moving: { alias: string; from: string; to: string; on: string; changes?: TypeChanges[] }
  alias_moved: { alias: string; from: string; to: string }
}

/** Returns a sentence about each type; "" when nothing was compared. */
const changesText = (changes: readonly TypeChanges[]): string =>
  changes
    .map(
      ({ type, compared, changed }) =>
        ` Of ${formatCount(compared)} compared ${type} answers of your account, ${shareText(changed / compared)} would change.`,
    )
    .join("")

export const MODEL_NOTICES: Notices<ModelFacts> = {
  alias_moving: {
    label: "The model that you use is about to change",
    isSecurity: false,
    roles: KEY_MANAGERS,
    sample: {
      alias: "svc-decider-latest",
      from: "svc-decider-4b-v1-1-api-1",
      to: "svc-decider-8b-v2-0-api-1",
      on: "2026-12-01",
      changes: [{ type: "noul", compared: 1_000, changed: 21 }],
    },
    write: ({ alias, from, to, on, changes = [] }) => ({
      subject: `${alias} moves to another model on ${formatDate(new Date(on))}`,
      intro: `Your account sends ${alias}, which points at ${from}. On ${formatDate(new Date(on))} (UTC) it moves to ${to}, with that model's probabilities, price and limits. Compare both models`,
      action: { label: "Compare both models", path: `/models?compare=${from}&with=${to}#compare` },
      terms: `Measure your thresholds again with ${to} before that day.${changesText(changes)} To stay on ${from}, send that id as the model instead, or have an owner keep the alias on it after the move, under Models, for up to ${STAY_DAYS} days.`,
    }),
  },
  alias_moved: {
    label: "The alias moved to another model",
    event: "alias.moved",
    isSecurity: false,
    roles: KEY_MANAGERS,
    sample: { alias: "svc-decider-latest", from: "svc-decider-4b-v1-1-api-1", to: "svc-decider-8b-v2-0-api-1" },
    write: ({ alias, from, to }) => ({
      subject: `${alias} moved to another model`,
      intro: `Your account sends ${alias}, which pointed at ${from}. It now points at ${to}, with that model's probabilities, price and limits. Compare both models`,
      action: { label: "Compare both models", path: `/models?compare=${from}&with=${to}#compare` },
      terms: `Measure your thresholds again with ${to}. To go back to ${from} while it is offered, send that id as the model, or have an owner keep the alias on it under Models, for up to ${STAY_DAYS} days after the move.`,
    }),
  },
}

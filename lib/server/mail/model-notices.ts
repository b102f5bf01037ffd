import { formatCount, formatDate, formatDateTime } from "@/lib/shared/format"
import { STAY_DAYS, type Stay } from "@/lib/shared/models/stay"
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
  /** `on` is a UTC day such as 2026-12-01. `stay` is that of an account which keeps a model. The others are ids of models. */
  alias_moving: { alias: string; from: string; to: string; on: string; changes?: TypeChanges[]; stay?: Stay }
  alias_moved: { alias: string; from: string; to: string; stay?: Stay }
  /** `next` is the alias's own model. `until` is ISO text. */
  alias_stay_ending: { alias: string; model: string; next: string; until: string }
}

/** Returns a sentence about each type; "" when nothing was compared. */
const changesText = (changes: readonly TypeChanges[]): string =>
  changes
    .map(
      ({ type, compared, changed }) =>
        ` Of ${formatCount(compared)} compared ${type} answers of your account, ${shareText(changed / compared)} would change.`,
    )
    .join("")

const endOf = ({ until }: Pick<Stay, "until">): string => `${formatDateTime(new Date(until))} UTC`

const compare = (from: string, to: string) => ({
  label: "Compare both models",
  path: `/models?compare=${from}&with=${to}#compare`,
})

/** Returns what a move means for an account that keeps a model. */
const staying = (stay: Stay, to: string) => ({
  intro: `Your account keeps the alias on ${stay.model} until ${endOf(stay)}, so this move does not change its answers before then, while that model is available. Compare both models`,
  action: compare(stay.model, to),
  terms: `After that, the alias answers your account with its own model. Measure your thresholds with ${to} before then.`,
})

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
    write({ alias, from, to, on, changes = [], stay }) {
      const day = formatDate(new Date(on))
      const subject = `${alias} moves to another model on ${day}`
      if (stay) {
        const { intro, terms, ...rest } = staying(stay, to)
        const move = `Your account sends ${alias}, which moves from ${from} to ${to} on ${day} (UTC).`
        return { subject, intro: `${move} ${intro}`, terms: `${terms}${changesText(changes)}`, ...rest }
      }
      return {
        subject,
        intro: `Your account sends ${alias}, which points at ${from}. On ${day} (UTC) it moves to ${to}, with that model's probabilities, price and limits. Compare both models`,
        action: compare(from, to),
        terms: `Measure your thresholds again with ${to} before that day.${changesText(changes)} To stay on ${from}, send that id as the model instead, or have an owner keep the alias on it, under Models, until ${STAY_DAYS} days after the move.`,
      }
    },
  },
  alias_moved: {
    label: "The alias moved to another model",
    event: "alias.moved",
    isSecurity: false,
    roles: KEY_MANAGERS,
    sample: { alias: "svc-decider-latest", from: "svc-decider-4b-v1-1-api-1", to: "svc-decider-8b-v2-0-api-1" },
    write({ alias, from, to, stay }) {
      const subject = `${alias} moved to another model`
      if (stay) {
        const { intro, ...rest } = staying(stay, to)
        return { subject, intro: `Your account sends ${alias}, which moved from ${from} to ${to}. ${intro}`, ...rest }
      }
      return {
        subject,
        intro: `Your account sends ${alias}, which pointed at ${from}. It now points at ${to}, with that model's probabilities, price and limits. Compare both models`,
        action: compare(from, to),
        terms: `Measure your thresholds again with ${to}. To go back to ${from} while it is offered, send that id as the model, or have an owner keep the alias on it under Models, for up to ${STAY_DAYS} days after the move.`,
      }
    },
  },
  alias_stay_ending: {
    label: "The alias is about to leave the model that you kept",
    isSecurity: false,
    roles: KEY_MANAGERS,
    sample: {
      alias: "svc-decider-latest",
      model: "svc-decider-4b-v1-1-api-1",
      next: "svc-decider-8b-v2-0-api-1",
      until: "2026-12-31T00:00:00.000Z",
    },
    write: ({ alias, model, next, until }) => ({
      subject: `${alias} leaves its earlier model on ${formatDate(new Date(until))}`,
      intro: `Your account keeps ${alias} on ${model} until ${endOf({ until })}. From then on, the alias answers it with its own model, currently ${next}, with that model's probabilities, price and limits. Compare both models`,
      action: compare(model, next),
      terms: `Measure your thresholds again with ${next} before then. This end cannot be moved. To stay on ${model} while it is offered, send that id as the model.`,
    }),
  },
}

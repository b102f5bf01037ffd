import { FormField } from "@/components/form/form-field"
import { Alert } from "@/components/ui/alert"
import { Field } from "@/components/ui/field"
import { Select } from "@/components/ui/select"
import type { OperatedModel } from "@/lib/server/models/list-models"
import type { ModelReport } from "@/lib/server/models/report-models"
import { countOf, formatExactUsd, inputUsd } from "@/lib/shared/format"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { dialogForm } from "../../../_components/form-dialog"
import {
  cancelMoveAction,
  moveAliasAction,
  planMoveAction,
  probeModelAction,
  recordExamplesAction,
  retireModelAction,
  setLimitsAction,
  setPriceAction,
} from "../actions"

const priceOf = (model: OperatedModel): string | null => model.price_per_million_input_tokens_usd

const priceText = (price: string | null): string => (price === null ? "not sold" : formatExactUsd(price))

export const probeForm = ({ id }: OperatedModel) =>
  dialogForm({
    title: "Probe the engine",
    description: `Sends small test questions to the engine of ${id}. Nobody is charged.`,
    defaultValues: { id },
    action: probeModelAction,
    result: (report) => <Report report={report} />,
    dismissLabel: "Close",
    submitLabel: "Probe",
    pendingLabel: "Probing…",
  })

export const recordForm = ({ id }: OperatedModel) =>
  dialogForm({
    title: "Record the examples",
    description: `Asks ${id} the questions of the examples, about a thousand tokens. The first page and the playground then show its answers with its name and the day. Nobody is charged.`,
    defaultValues: { id },
    action: recordExamplesAction,
    result: ({ id: answered, examples, tokens }) => (
      <Alert tone="ok" title={`Recorded the answers to ${countOf(examples, "example")}`}>
        {answered} read {countOf(tokens, "token")}. They are shown while the alias points at this model.
      </Alert>
    ),
    dismissLabel: "Close",
    submitLabel: "Record",
    pendingLabel: "Recording…",
  })

function Report({ report: { available, reason, caution, findings } }: { report: ModelReport }) {
  return (
    <div className="flex flex-col gap-3">
      {available ? (
        <Alert tone="ok" title="The engine answers as the model should">
          {caution}
        </Alert>
      ) : (
        <Alert tone="danger" title="The model cannot be called">
          {reason}
        </Alert>
      )}
      {findings.length > 0 ? (
        <dl className="flex flex-col gap-2">
          {findings.map(({ name, value, meaning }) => (
            <div key={name}>
              <dt className="font-medium">
                {name}: {value}
              </dt>
              <dd className="text-ink-muted text-sm">{meaning}</dd>
            </div>
          ))}
        </dl>
      ) : null}
    </div>
  )
}

export function priceForm(model: OperatedModel) {
  const price = priceOf(model)
  return dialogForm({
    title: "Set price",
    description: `${model.id} costs ${priceText(price)} per million input tokens now. Requests in progress keep the price that they began with.`,
    schema: async () => (await import("@/lib/shared/operator/forms")).ModelPriceForm,
    defaultValues: { id: model.id, priceUsd: price === null ? "" : inputUsd(price) },
    action: setPriceAction,
    done: "The price was set. It applies within two seconds.",
    submitLabel: "Set price",
    pendingLabel: "Setting…",
    fields: (form) => (
      <FormField form={form} name="priceUsd" label="USD per million input tokens" inputMode="decimal" required />
    ),
  })
}

const LIMITS = [
  { name: "maxQuestions", label: "Questions per request" },
  { name: "maxOptions", label: "Options per choice question" },
  { name: "maxLevels", label: "Levels per score question" },
  { name: "maxBodyBytes", label: "Bytes of a request body" },
] as const

export const limitsForm = (model: OperatedModel) =>
  dialogForm({
    title: "Set limits",
    description: `Requests to ${model.id} over a limit are refused and cost nothing.`,
    schema: async () => (await import("@/lib/shared/operator/forms")).ModelLimitsForm,
    defaultValues: {
      id: model.id,
      maxQuestions: String(model.max_questions),
      maxOptions: String(model.max_options),
      maxLevels: String(model.max_levels),
      maxBodyBytes: String(model.max_body_bytes),
    },
    action: setLimitsAction,
    done: "The limits were set. They apply within two seconds.",
    submitLabel: "Set limits",
    pendingLabel: "Setting…",
    fields: (form) =>
      LIMITS.map((field) => <FormField key={field.name} form={form} {...field} inputMode="numeric" required />),
  })

/** Returns the active pinned models, without the one whose id is `except`. */
const callable = (models: OperatedModel[], except: string | null) =>
  models.filter(({ kind, status, id }) => kind === "pinned" && status === "active" && id !== except)

/** Renders the models as options of a `Select`. */
const ModelOptions = ({ models }: { models: OperatedModel[] }) =>
  models.map(({ id }) => (
    <option key={id} value={id}>
      {id}
    </option>
  ))

const NoOtherModel = () => <p>There is no other active model. Add one with `model add` on the command line.</p>

/** Returns a sentence about the accounts that sent the alias in the last 30 days, which a move affects. */
export function moveText(users: number): string {
  if (users === 0) return "No account sent the alias in the last 30 days."
  const listed = users === 1 ? "It is" : "They are"
  return `This moves ${countOf(users, "account")} to another model, with its price and its limits. ${listed} listed below the models.`
}

/** `users` is how many accounts sent the alias in the last 30 days. */
export function aliasForm(alias: OperatedModel, models: OperatedModel[], users: number) {
  const targets = callable(models, alias.target_model)
  return dialogForm({
    title: "Move the alias",
    description: `${ALIAS} points at ${alias.target_model ?? "no model"}. ${moveText(users)}`,
    schema: async () => (await import("@/lib/shared/operator/forms")).OneModel,
    defaultValues: { id: targets[0]?.id ?? "" },
    action: moveAliasAction,
    done: "The alias was moved. Requests follow it within two seconds.",
    submitLabel: "Move the alias",
    pendingLabel: "Moving…",
    fields: ({ register, watch }) => {
      const chosen = models.find(({ id }) => id === watch("id"))
      if (!chosen) return <NoOtherModel />
      return (
        <>
          <Field label="Model">
            <Select {...register("id")}>
              <ModelOptions models={targets} />
            </Select>
          </Field>
          <p className="text-ink-muted text-sm">
            Price per million input tokens: {priceText(priceOf(alias))} now, {priceText(priceOf(chosen))} then.
            {chosen.available ? "" : ` It is unavailable now: ${chosen.reason}`}
            {chosen.caution ? ` ${chosen.caution}` : ""}
          </p>
        </>
      )
    },
  })
}

/** Plans a move of the alias, which a job announces and makes. */
export function planForm(alias: OperatedModel, models: OperatedModel[], users: number) {
  const targets = callable(models, alias.target_model)
  return dialogForm({
    title: "Plan a move",
    description: `The alias moves at the start of the day that you choose, in UTC. Before, the owners and developers of accounts that send ${ALIAS} are mailed. ${countOf(users, "account")} sent it in the last 30 days. A plan replaces an earlier one.`,
    schema: async () => (await import("@/lib/shared/operator/forms")).PlanMoveForm,
    defaultValues: { id: targets[0]?.id ?? "", on: "", noticeDays: "14" },
    action: planMoveAction,
    done: "The move is planned.",
    submitLabel: "Plan the move",
    pendingLabel: "Planning…",
    fields: (form) =>
      targets.length === 0 ? (
        <NoOtherModel />
      ) : (
        <>
          <Field label="Model" error={form.formState.errors.id?.message}>
            <Select {...form.register("id")}>
              <ModelOptions models={targets} />
            </Select>
          </Field>
          <FormField form={form} name="on" label="Day of the move (UTC)" type="date" required />
          <FormField form={form} name="noticeDays" label="Days of notice by mail" inputMode="numeric" required />
        </>
      ),
  })
}

export const cancelForm = () =>
  dialogForm({
    title: "Cancel the planned move",
    description: "The alias stays where it is. Mails about the move that went out cannot be recalled.",
    defaultValues: {},
    action: cancelMoveAction,
    done: "The planned move was cancelled.",
    submitLabel: "Cancel the move",
    pendingLabel: "Cancelling…",
  })

export const retireForm = ({ id }: OperatedModel, models: OperatedModel[]) =>
  dialogForm({
    title: "Retire this model",
    description: `Requests that name ${id} then fail with 410 model_retired, for good.`,
    schema: async () => (await import("@/lib/shared/operator/forms")).RetireModelForm,
    defaultValues: { id, replacementId: "" },
    action: retireModelAction,
    done: "The model was retired.",
    submitLabel: "Retire model",
    pendingLabel: "Retiring…",
    isFinal: true,
    fields: ({ register, formState: { errors } }) => (
      <Field
        label="Successor"
        hint="Clients see it in the error, and can switch to it."
        error={errors.replacementId?.message}
      >
        <Select {...register("replacementId")}>
          <option value="">None</option>
          <ModelOptions models={callable(models, id)} />
        </Select>
      </Field>
    ),
  })

"use client"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Select } from "@/components/ui/select"
import type { OperatedModel } from "@/lib/server/models/list-models"
import { countOf, formatExactUsd, inputUsd } from "@/lib/shared/format"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { FormDialog } from "../../../_components/form-dialog"
import { moveAliasAction, retireModelAction, setLimitsAction, setPriceAction } from "../actions"

export interface ModelDialogProps {
  /** The model to change. Undefined only while there is none, when no dialog opens. */
  model: OperatedModel | undefined
  open: boolean
  opener: HTMLElement | null | undefined
  onClose: () => void
  /** Receives what was done, in one sentence. */
  onDone: (text: string) => void
}

const priceOf = (model: OperatedModel | undefined): string | null => model?.price_per_million_input_tokens_usd ?? null

const priceText = (price: string | null): string => (price === null ? "not sold" : formatExactUsd(price))

export function PriceDialog({ model, open, opener, onClose, onDone }: ModelDialogProps) {
  const id = model?.id ?? ""
  const price = priceOf(model)
  return (
    <FormDialog
      open={open}
      opener={opener}
      onClose={onClose}
      title="Set price"
      description={`${id} costs ${priceText(price)} per million input tokens now. Requests in progress keep the price that they began with.`}
      schema={async () => (await import("@/lib/shared/operator/forms")).ModelPriceForm}
      defaultValues={() => ({ id, priceUsd: price === null ? "" : inputUsd(price) })}
      action={setPriceAction}
      onDone={() => onDone("The price was set. It applies within two seconds.")}
      submitLabel="Set price"
      pendingLabel="Setting…"
      fields={({ register, formState: { errors } }) => (
        <Field label="USD per million input tokens" error={errors.priceUsd?.message} required>
          <Input {...register("priceUsd")} inputMode="decimal" autoComplete="off" className="tabular-nums" />
        </Field>
      )}
    />
  )
}

const LIMITS = [
  { name: "maxQuestions", label: "Questions per request" },
  { name: "maxOptions", label: "Options per choice question" },
  { name: "maxLevels", label: "Levels per score question" },
  { name: "maxBodyBytes", label: "Bytes of a request body" },
] as const

export function LimitsDialog({ model, open, opener, onClose, onDone }: ModelDialogProps) {
  return (
    <FormDialog
      open={open}
      opener={opener}
      onClose={onClose}
      title="Set limits"
      description={`Requests to ${model?.id ?? ""} over a limit are refused and cost nothing.`}
      schema={async () => (await import("@/lib/shared/operator/forms")).ModelLimitsForm}
      defaultValues={() => ({
        id: model?.id ?? "",
        maxQuestions: String(model?.max_questions ?? ""),
        maxOptions: String(model?.max_options ?? ""),
        maxLevels: String(model?.max_levels ?? ""),
        maxBodyBytes: String(model?.max_body_bytes ?? ""),
      })}
      action={setLimitsAction}
      onDone={() => onDone("The limits were set. They apply within two seconds.")}
      submitLabel="Set limits"
      pendingLabel="Setting…"
      fields={({ register, formState: { errors } }) =>
        LIMITS.map(({ name, label }) => (
          <Field key={name} label={label} error={errors[name]?.message} required>
            <Input {...register(name)} inputMode="numeric" autoComplete="off" className="tabular-nums" />
          </Field>
        ))
      }
    />
  )
}

/** Returns the active pinned models, without the one whose id is `except`. */
export const callable = (models: OperatedModel[], except: string | null | undefined) =>
  models.filter(({ kind, status, id }) => kind === "pinned" && status === "active" && id !== except)

/** Renders the models as options of a `Select`. */
export const ModelOptions = ({ models }: { models: OperatedModel[] }) =>
  models.map(({ id }) => (
    <option key={id} value={id}>
      {id}
    </option>
  ))

export const NoOtherModel = () => <p>There is no other active model. Add one with `model add` on the command line.</p>

export interface AliasDialogProps extends ModelDialogProps {
  models: OperatedModel[]
  /** How many accounts sent the alias in the last 30 days. */
  users: number
}

/** Returns a sentence about the accounts that sent the alias in the last 30 days, which a move affects. */
export function moveText(users: number): string {
  if (users === 0) return "No account sent the alias in the last 30 days."
  const listed = users === 1 ? "It is" : "They are"
  return `This moves ${countOf(users, "account")} to another model, with its price and its limits. ${listed} listed below the models.`
}

export function AliasDialog({ model, models, users, open, opener, onClose, onDone }: AliasDialogProps) {
  const targets = callable(models, model?.target_model)
  return (
    <FormDialog
      open={open}
      opener={opener}
      onClose={onClose}
      title="Move the alias"
      description={`${ALIAS} points at ${model?.target_model ?? "no model"}. ${moveText(users)}`}
      schema={async () => (await import("@/lib/shared/operator/forms")).OneModel}
      defaultValues={() => ({ id: targets[0]?.id ?? "" })}
      action={moveAliasAction}
      onDone={() => onDone("The alias was moved. Requests follow it within two seconds.")}
      submitLabel="Move the alias"
      pendingLabel="Moving…"
      fields={({ register, watch }) => {
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
              Price per million input tokens: {priceText(priceOf(model))} now, {priceText(priceOf(chosen))} then.
              {chosen.available ? "" : ` It is unavailable now: ${chosen.reason}`}
              {chosen.caution ? ` ${chosen.caution}` : ""}
            </p>
          </>
        )
      }}
    />
  )
}

export function RetireDialog({
  model,
  models,
  open,
  opener,
  onClose,
  onDone,
}: ModelDialogProps & { models: OperatedModel[] }) {
  const id = model?.id ?? ""
  return (
    <FormDialog
      open={open}
      opener={opener}
      onClose={onClose}
      title="Retire this model"
      description={`Requests that name ${id} then fail with 410 model_retired, for good.`}
      schema={async () => (await import("@/lib/shared/operator/forms")).RetireModelForm}
      defaultValues={() => ({ id, replacementId: "" })}
      action={retireModelAction}
      onDone={() => onDone("The model was retired.")}
      submitLabel="Retire model"
      pendingLabel="Retiring…"
      isFinal
      fields={({ register, formState: { errors } }) => (
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
      )}
    />
  )
}

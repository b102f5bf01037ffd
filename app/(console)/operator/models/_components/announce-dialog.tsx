"use client"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Select } from "@/components/ui/select"
import { countOf } from "@/lib/shared/format"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { FormDialog } from "../../../_components/form-dialog"
import { announceAliasAction } from "../actions"
import { type AliasDialogProps, callable, ModelOptions, NoOtherModel } from "./model-dialogs"

const readers = (users: number): string => countOf(users, "account")

/** Announces a move of the alias by mail. The alias itself is moved later, by hand. */
export function AnnounceDialog({ model, models, users, open, opener, onClose, onDone }: AliasDialogProps) {
  const targets = callable(models, model?.target_model)
  return (
    <FormDialog
      open={open}
      opener={opener}
      onClose={onClose}
      title="Announce a move"
      description={`Mails the owners and developers of ${readers(users)} that sent ${ALIAS} in the last 30 days, and shows the day under Models. Move the alias yourself on that day.`}
      schema={async () => (await import("@/lib/shared/operator/forms")).AnnounceAliasForm}
      defaultValues={() => ({ id: targets[0]?.id ?? "", on: "" })}
      action={announceAliasAction}
      onDone={({ accounts }) => onDone(`The move was announced to ${readers(accounts)}.`)}
      submitLabel="Announce the move"
      pendingLabel="Announcing…"
      fields={({ register, formState: { errors } }) =>
        targets.length === 0 ? (
          <NoOtherModel />
        ) : (
          <>
            <Field label="Model" error={errors.id?.message}>
              <Select {...register("id")}>
                <ModelOptions models={targets} />
              </Select>
            </Field>
            <Field label="Day of the move (UTC)" error={errors.on?.message} required>
              <Input {...register("on")} type="date" />
            </Field>
          </>
        )
      }
    />
  )
}

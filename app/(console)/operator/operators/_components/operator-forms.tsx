import { FormField } from "@/components/form/form-field"
import { Field } from "@/components/ui/field"
import { Select } from "@/components/ui/select"
import type { OperatorSummary } from "@/lib/server/auth/operators"
import { INVITED_ROLES, type InvitedRole, OPERATORS } from "@/lib/shared/accounts/roles"
import { dialogForm } from "../../../_components/form-dialog"
import { inviteOperatorAction, removeOperatorAction } from "../actions"

/** Invites a person, or changes the role of one with the same address. */
const inviteForm = (title: string, submitLabel: string, email: string, role: InvitedRole) =>
  dialogForm({
    title,
    description: "We e-mail the person. The role applies at once, and only to this address.",
    schema: async () => (await import("@/lib/shared/operator/operators")).InviteOperator,
    defaultValues: { email, role },
    action: inviteOperatorAction,
    done: "The role was set, and the person was e-mailed.",
    submitLabel,
    pendingLabel: "Sending…",
    fields: (form) => (
      <>
        <FormField
          form={form}
          name="email"
          label="E-mail address"
          type="email"
          inputMode="email"
          spellCheck={false}
          readOnly={email !== ""}
          required
        />
        <Field label="Role" error={form.formState.errors.role?.message} required>
          <Select {...form.register("role")}>
            {INVITED_ROLES.map((name) => (
              <option key={name} value={name}>
                {OPERATORS[name].allows}
              </option>
            ))}
          </Select>
        </Field>
      </>
    ),
  })

export const INVITE = inviteForm("Invite an operator", "Send invitation", "", "support")

export const changeForm = ({ email, role }: OperatorSummary) =>
  inviteForm("Change role", "Change role", email, role === "admin" ? "support" : role)

export const removeForm = (id: string, email: string) =>
  dialogForm({
    title: "Remove operator",
    description: `${email} can no longer open the operator’s area, from the next press on, and gets an e-mail. The accounts of this person stay as they are.`,
    defaultValues: { id },
    action: removeOperatorAction,
    done: `${email} was removed.`,
    submitLabel: "Remove operator",
    pendingLabel: "Removing…",
  })

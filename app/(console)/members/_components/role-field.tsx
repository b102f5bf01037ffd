import type { ComponentProps } from "react"
import { Field } from "@/components/ui/field"
import { Select } from "@/components/ui/select"
import { ROLE_NAMES, ROLES } from "@/lib/shared/accounts/roles"

interface RoleFieldProps extends ComponentProps<"select"> {
  error: string | undefined
}

export function RoleField({ error, ...select }: RoleFieldProps) {
  return (
    <Field label="Role" error={error} required>
      <Select {...select}>
        {ROLE_NAMES.map((role) => (
          <option key={role} value={role}>
            {ROLES[role].allows}
          </option>
        ))}
      </Select>
    </Field>
  )
}

import { z } from "zod"
import { INVITED_ROLES } from "@/lib/shared/accounts/roles"
import { EmailAddress } from "@/lib/shared/auth/schema"

export const InviteOperator = z.strictObject({
  email: EmailAddress,
  role: z.enum(INVITED_ROLES, { error: "Choose a role." }),
})
export type InviteOperator = z.output<typeof InviteOperator>

/** An invited operator by the public id, `opr_…`. */
export const OneOperator = z.strictObject({ id: z.string().max(40) })
export type OneOperator = z.output<typeof OneOperator>

import { type OperatorActor, requireRight } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { Role } from "@/lib/shared/accounts/roles"
import { ServiceError } from "@/lib/shared/errors"
import { ACCOUNTS, type Membership } from "./delete-person"

/** A person by the address that signs in. */
export interface PersonInput {
  email: string
}

export interface Person {
  /** `usr_…` */
  id: string
  email: string
  /** ISO text. */
  createdAt: string
  sessions: number
  accounts: {
    /** `acc_…` */
    id: string
    name: string
    role: Role
    status: string
    /** Whether the account has no other owner. */
    isOnlyOwner: boolean
    /** How many other members it has. */
    others: number
  }[]
}

type PersonRow = Row<"User", "id" | "email" | "created_at"> & { sessions: number }

const PERSON = `
  SELECT id, email, created_at, (SELECT count(*)::int FROM session s WHERE s.user_id = u.id AND s.expires_at > now()) AS sessions
  FROM app_user u WHERE email = $1 AND erased_at IS NULL`

/** Returns the row of the person with an address. Throws `not_found`. */
export async function readPerson({ pool }: Pick<Runtime, "pool">, email: string): Promise<PersonRow> {
  const { rows } = await pool.query<PersonRow>(PERSON, [email])
  if (rows[0]) return rows[0]
  throw new ServiceError("not_found", { message: "There is no person with this e-mail address." })
}

/** Returns the person with an address, and the accounts that the person is in. For the operator. Throws `not_found`. */
export async function getPerson(runtime: Runtime, operator: OperatorActor, { email }: PersonInput): Promise<Person> {
  requireRight(operator, "service.read")
  const { id, created_at, sessions, ...row } = await readPerson(runtime, email)
  const { rows } = await runtime.pool.query<Membership>(ACCOUNTS, [id])
  return {
    id: publicId("usr", id),
    email: row.email,
    createdAt: created_at.toISOString(),
    sessions,
    accounts: rows.map(({ id, shown, role, status, is_last_owner, others }) => ({
      ...{ id: publicId("acc", id), name: shown, role, status, others },
      isOnlyOwner: is_last_owner,
    })),
  }
}

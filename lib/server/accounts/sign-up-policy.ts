import type { ClientBase, Pool } from "pg"
import type { Row } from "@/lib/server/platform/db/row"
import type { Env } from "@/lib/server/platform/env"
import type { Runtime } from "@/lib/server/platform/runtime"

export class SignUpRefused extends Error {
  constructor() {
    super("the policy of sign-up refuses the address")
  }
}

// An offer of the ownership goes to members only, who are users already.
const FIND = `
  SELECT (SELECT id FROM app_user WHERE email = $1) AS user_id,
    EXISTS (SELECT FROM invitation i JOIN account a ON a.id = i.account_id AND a.status = 'active'
      WHERE i.email = $1 AND i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > now()) AS is_invited,
    EXISTS (SELECT FROM operator o WHERE o.email = $1) AS is_operator`

export const domainOf = (email: string): string => email.slice(email.lastIndexOf("@") + 1)

function admits(
  { SIGN_UP, SIGN_UP_DOMAINS, SIGN_UP_ACCOUNTS, OPERATOR_EMAILS }: Env,
  email: string,
  isInvited: boolean,
): boolean {
  // Otherwise nobody could sign in to a new service whose sign-up is restricted.
  if (SIGN_UP === "open" || OPERATOR_EMAILS.has(email)) return true
  if (SIGN_UP === "domains" && SIGN_UP_DOMAINS.has(domainOf(email))) return true
  return SIGN_UP !== "off" && (isInvited || SIGN_UP_ACCOUNTS.has(domainOf(email)))
}

interface Found {
  user_id: Row<"User", "id">["id"] | null
  is_invited: boolean
  is_operator: boolean
}

interface Admission {
  /** Whether the address is a user's, who may always sign in. */
  isUser: boolean
  /** Whether `SIGN_UP` admits the address as a new user. */
  isAdmitted: boolean
  /** Whether the address is an operator's. */
  isOperator: boolean
}

/** Returns whether an address may sign in, with the same work for every address. */
export async function findAdmission({ env }: Runtime, db: Pool | ClientBase, email: string): Promise<Admission> {
  const { rows } = await db.query<Found>(FIND, [email])
  const { user_id: userId, is_invited: isInvited, is_operator: isOperator } = rows[0] as Found
  return {
    isUser: userId !== null,
    isAdmitted: admits(env, email, isInvited || isOperator),
    isOperator: isOperator || env.OPERATOR_EMAILS.has(email),
  }
}

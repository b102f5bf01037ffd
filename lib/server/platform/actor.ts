import {
  type InvitedRole,
  type OperatorRole,
  operatorHas,
  type Right,
  type Role,
  refusalOf,
  roleHas,
} from "@/lib/shared/accounts/roles"
import { CONFIRMATIONS, type ConfirmedVerb, type Scope } from "@/lib/shared/auth/confirmations"
import { ServiceError } from "@/lib/shared/errors"
import { DAY_MS } from "@/lib/shared/time"

/**
 * The person, key or program that performs an operation. Every verb takes an actor as its first parameter. It checks the
 * actor's right and filters by the actor's account. A verb that changes something records the actor in the audit log.
 */
export type Actor = UserActor | VisitorActor | KeyActor | TokenActor | OperatorActor | ProviderActor | SystemActor

export type AccountActor = Actor & { accountId: string }

/** A signed-in member of one account. */
export interface UserActor {
  type: "user"
  accountId: string
  userId: string
  sessionId: string
  email: string
  role: Role
  /** What an admin invited the user to the operator's area as; null for most users, and for admins. */
  operatorRole: InvitedRole | null
  /** When the user last signed in or confirmed each scope, by mail or with a passkey, in ms. */
  confirmedAtMs: Record<Scope, number>
  /** For the audit log only. */
  clientAddress: string | null
}

/** A person who acts without a session, such as one who signs up or follows a link from a mail. A visitor has no right. */
export interface VisitorActor {
  type: "visitor"
  accountId: string | null
  /** Null until a sign-up has created the user. */
  userId: string | null
  /** For the audit log only. */
  clientAddress: string | null
}

/** An API key, or the Playground key of an account. API requests write no audit rows, so its address is not kept. */
export interface KeyActor {
  type: "key"
  accountId: string
  keyId: string
  clientAddress: null
}

/** A program with an account token, which acts for the member who created it. */
export interface TokenActor {
  type: "token"
  accountId: string
  tokenId: string
  /** Who created the token; null for the operator's commands. */
  userId: string | null
  /** Those of its scopes that its creator's role still has, and those that last. */
  rights: readonly Right[]
  /** For the audit log only. */
  clientAddress: string | null
}

/** Who changes the members of an account: a member, or a program whose token a member created. */
export type MemberManager = UserActor | (TokenActor & { userId: string })

interface OperatorTokenFacts {
  id: string
  rights: readonly Right[]
}

/** The operator, on one account or on the service as a whole. */
export interface OperatorActor {
  type: "operator"
  accountId: string | null
  role: OperatorRole
  /** The user who operates in the console, or who created the token; null at the command line. */
  userId: string | null
  /** The token of a program that operates the service. The actor has only its rights. */
  token?: OperatorTokenFacts
  /** For the audit log only. Null at the command line. */
  clientAddress: string | null
  /** Set while the operator looks at an account's pages. The actor then reads what an owner can read, and changes nothing. */
  isLooking?: true
}

/** The OpenID provider, whose groups give a person a role in an account while the person signs in. It has no right of its own. */
export interface ProviderActor {
  type: "provider"
  accountId: string
  /** The person's address is in the entry of the sign-in, from which a deletion erases it. */
  clientAddress: null
}

/** The service itself, for example its pollers and its startup code. */
export interface SystemActor {
  type: "system"
  accountId: string | null
  clientAddress: null
}

/** The part of a key that the decision pipeline uses: the account and the key that are charged. Both are UUIDs. */
export type Payer = Pick<KeyActor, "accountId" | "keyId">

/** A visitor of whom nothing is known. */
export const VISITOR: VisitorActor = { type: "visitor", accountId: null, userId: null, clientAddress: null }

/** The operator at the command line. */
export const OPERATOR: OperatorActor = {
  type: "operator",
  accountId: null,
  role: "admin",
  userId: null,
  clientAddress: null,
}
export const SYSTEM = { type: "system", accountId: null, clientAddress: null } as const satisfies SystemActor

export type AccountOperator = OperatorActor & { accountId: string }

/** A person who reads an account's pages: a member, or an operator who looks at it. */
export type AccountReader = UserActor | AccountOperator

export const operatorFor = (accountId: string, operator: OperatorActor = OPERATOR): AccountOperator => ({
  ...operator,
  accountId,
})

export const systemFor = (accountId: string): SystemActor & { accountId: string } => ({ ...SYSTEM, accountId })

/**
 * Returns whether the actor has a right. The service has every right, an operator those of the role, one who looks at an account those
 * of support, and a token those that it was created with and its creator still has. A key, a visitor and the OpenID provider have none.
 */
export function hasRight(actor: Actor, right: Right): boolean {
  if (actor.type === "user") return roleHas(actor.role, right)
  if (actor.type === "token") return actor.rights.includes(right)
  if (actor.type === "operator")
    return operatorHas(actor.isLooking ? "support" : actor.role, right) && (actor.token?.rights.includes(right) ?? true)
  return actor.type === "system"
}

/** Throws `forbidden` unless the actor has the right. The message names the scope that a token lacks, or the roles that have the right. */
export function requireRight(actor: Actor, right: Right): void {
  if (hasRight(actor, right)) return
  const isToken = actor.type === "token" || (actor.type === "operator" && actor.token)
  throw new ServiceError("forbidden", {
    message: isToken ? `This token does not have the scope ${right}.` : refusalOf(right),
  })
}

/** Returns the user whom a new key, token or webhook names as its creator; null for the operator. */
export const creatorOf = (actor: Actor): string | null =>
  actor.type === "user" || actor.type === "token" ? actor.userId : null

const CONFIRMED_FOR_MS = DAY_MS

/**
 * Returns whether the user signed in, or confirmed the scope by mail or with a passkey, within the last 24 hours. False for a visitor,
 * true for programs and the operator.
 */
export const isConfirmed = (actor: Actor, scope: Scope): boolean =>
  actor.type === "user" ? Date.now() - actor.confirmedAtMs[scope] < CONFIRMED_FOR_MS : actor.type !== "visitor"

/** Throws `confirmation_required` with the verb as `param`, unless the scope that the verb needs is confirmed. */
export function requireConfirmed(actor: Actor, verb: ConfirmedVerb): void {
  if (!isConfirmed(actor, CONFIRMATIONS[verb].scope)) throw new ServiceError("confirmation_required", { param: verb })
}

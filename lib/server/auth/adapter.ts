import type { Adapter, AdapterUser } from "next-auth/adapters"
import type { PoolClient } from "pg"
import { createAccount, ensureAccount, UserDeleted } from "@/lib/server/accounts/create-account"
import { findAdmission, SignUpRefused } from "@/lib/server/accounts/sign-up-policy"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { VISITOR } from "@/lib/server/platform/actor"
import { prisma } from "@/lib/server/platform/db/prisma"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { User } from "@/prisma/client/client"
import { isBlocked } from "./account-status"
import { SignInEnded } from "./joining"
import { rememberBrowser } from "./known-browser"
import { findLinkedUser, linkPerson } from "./oidc/identities"
import type { Person } from "./oidc/provider"
import { isLoggedOut } from "./oidc/provider-logouts"
import { hashSessionToken } from "./session-cookie"
import { DEFAULT_ACCOUNT_FIRST } from "./sessions"
import { recordSignIn } from "./sign-in-events"
import type { LimitedSend } from "./sign-in-limits"
import { consumeSignInToken, storeSignInToken } from "./sign-in-tokens"

export interface AdapterContext {
  clientAddress: string | null
  /** Whether this address signed in with this browser before, for the limits on mails. */
  isKnownBrowser?: boolean
  /** The browser's name in the list of sessions. */
  browser?: string | null
  /** The token by which the browser is known. Every sign-in has one. */
  browserToken?: string
  /** Called instead of throwing, because next-auth would turn a refusal into an internal failure. */
  onLimited?: (limit: LimitedSend) => void
  /** Receives the hash under which a link was stored. */
  onStored?: (tokenHash: string) => void
  /** Called instead of opening a session when every account of the user is suspended or closed. */
  onBlocked?: () => void
  /** Called instead of opening a session when the user was deleted, or logged out at the provider, since the sign-in began. */
  onEnded?: () => void
  /** Receives the person of an OpenID sign-in once its tokens were verified. Called before any other part of the adapter. */
  onPerson?: (person: Person) => void
  /** The person of this OpenID sign-in; undefined for a mailed link. */
  person?: () => Person | undefined
  /** Called instead of creating a user for a person without a verified address. */
  onUnverified?: () => void
  /** Called instead of creating a user whom `SIGN_UP` does not admit. */
  onRefused?: () => void
}

const userOf = ({ id, email, emailVerifiedAt }: User): AdapterUser => ({ id, email, emailVerified: emailVerifiedAt })

async function findUser(runtime: Runtime, where: { id: string } | { email: string }): Promise<AdapterUser | null> {
  const user = await prisma(runtime).user.findUnique({ where })
  return user && userOf(user)
}

/** Changes nothing for a user who was deleted after next-auth found the address. `createSession` refuses that user. */
async function verify(runtime: Runtime, id: string, at: Date | null): Promise<AdapterUser> {
  const where = { id, erasedAt: null }
  const [user] = await prisma(runtime).user.updateManyAndReturn({ where, data: { emailVerifiedAt: at } })
  return user ? userOf(user) : { id, email: "", emailVerified: null }
}

interface SignUp {
  email: string
  /** The person of an OpenID sign-in; undefined for a mailed link. */
  person: Person | undefined
  clientAddress: string | null
}

/**
 * Links a new person to the user of its sign-up, and lets a new user join the account of the domain. Throws for a person whose address
 * became a user's meanwhile, who has to confirm that.
 */
const signUpOf =
  (runtime: Runtime, { email, person, clientAddress }: SignUp) =>
  async (client: PoolClient, { userId, isNew }: { userId: string; isNew: boolean }): Promise<void> => {
    if (person && !(isNew && (await linkPerson(client, userId, person))))
      throw new Error("the address has a user by now")
    if (isNew) await runtime.joining.joinByDomain(client, { userId, email, clientAddress })
  }

function users(runtime: Runtime, { clientAddress, person, onRefused, onUnverified }: AdapterContext) {
  return {
    async createUser(user: Omit<AdapterUser, "id">) {
      const newcomer = person?.()
      // No user has this id, so `createSession` opens no session.
      const nobody = { ...user, id: newId() }
      if (newcomer && newcomer.email === null) {
        onUnverified?.()
        return nobody
      }
      // The provider says whose an address is. For an operator's, a mail has to prove it, too.
      if (newcomer?.email && (await findAdmission(runtime, runtime.pool, newcomer.email)).isOperator) {
        onRefused?.()
        return nobody
      }
      try {
        const { email } = user
        const onUser = signUpOf(runtime, { email, person: newcomer, clientAddress })
        const { userId } = await createAccount(runtime, { ...VISITOR, clientAddress }, { email, onUser })
        return await verify(runtime, userId, newcomer ? new Date() : user.emailVerified)
      } catch (error) {
        if (!(error instanceof SignUpRefused)) throw error
        onRefused?.()
        return nobody
      }
    },
    getUserByEmail: (email: string) => findUser(runtime, { email }),
    async updateUser(user: Partial<AdapterUser> & Pick<AdapterUser, "id">) {
      return verify(runtime, user.id, user.emailVerified ?? null)
    },
    getUser: (id: string) => findUser(runtime, { id }),
    async getUserByAccount() {
      const known = person?.()
      const id = known ? await findLinkedUser(runtime.pool, known) : null
      return id === null ? null : findUser(runtime, { id })
    },
    // `createUser` links a new person, in the same transaction.
    linkAccount: async () => undefined,
  } satisfies Partial<Adapter>
}

/**
 * Returns the active account that a new session of the user shows; null when all are suspended or closed. Creates one for a user who is in
 * none. Throws `UserDeleted`.
 */
async function defaultAccount(
  runtime: Runtime,
  client: PoolClient,
  userId: string,
  clientAddress: string | null,
): Promise<string | null> {
  await ensureAccount(runtime, client, userId, clientAddress)
  const { rows } = await client.query<Row<"Member", "account_id">>(
    `SELECT m.account_id FROM member m JOIN account a ON a.id = m.account_id AND a.status = 'active'
     WHERE m.user_id = $1 ORDER BY ${DEFAULT_ACCOUNT_FIRST} LIMIT 1`,
    [userId],
  )
  return rows[0]?.account_id ?? null
}

interface NewSession {
  tokenHash: Buffer
  userId: string
  expiresAt: Date
}

/** Returns the id of a person's link to a user. Throws `UserDeleted` when it was removed since the sign-in began. */
async function linkOf(client: PoolClient, userId: string, { issuer, subject }: Person): Promise<string> {
  const { rows } = await client.query<Row<"UserIdentity", "id">>(
    "SELECT id FROM user_identity WHERE issuer = $1 AND subject = $2 AND user_id = $3 FOR KEY SHARE",
    [issuer, subject, userId],
  )
  if (!rows[0]) throw new UserDeleted()
  return rows[0].id
}

/**
 * Stores a session with its audit row and its browser, in one transaction, in which the person's role also follows their groups. Returns
 * false for a user without an active account. Throws `UserDeleted` and `SignInEnded`. A concurrent deletion of the user or logout at
 * the provider waits for this transaction, and then ends the session.
 */
async function startSession(
  runtime: Runtime,
  { tokenHash, userId, expiresAt }: NewSession,
  context: AdapterContext,
): Promise<boolean> {
  const { clientAddress, browser = null, browserToken } = context
  const person = context.person?.()
  const id = newId()
  const { accountId, recordEnds } = await inTransaction(runtime.pool, async (client) => {
    if (person && (await isLoggedOut(client, person))) throw new SignInEnded()
    const recordEnds = person ? await runtime.joining.followGroups(client, { userId, person }) : () => {}
    const accountId = await defaultAccount(runtime, client, userId, clientAddress)
    if (accountId === null) return { accountId, recordEnds }
    const identityId = person ? await linkOf(client, userId, person) : null
    await client.query(
      `INSERT INTO session (id, account_id, token_hash, user_id, expires_at, browser, client_address, identity_id, oidc_sid)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [id, accountId, tokenHash, userId, expiresAt, browser, clientAddress, identityId, person?.sid ?? null],
    )
    const actor = { ...VISITOR, userId, accountId, clientAddress }
    await recordAudit(client, actor, { action: "session.create", subject: publicId("ses", id), detail: browser })
    if (browserToken) await rememberBrowser(client, { userId, accountId, sessionId: id, token: browserToken, browser })
    return { accountId, recordEnds }
  })
  recordEnds()
  if (accountId !== null) recordSignIn(runtime, "session.started", { accountId, clientAddress })
  return accountId !== null
}

function sessions(runtime: Runtime, context: AdapterContext) {
  return {
    async createSession(session: { sessionToken: string; userId: string; expires: Date }) {
      const tokenHash = hashSessionToken(session.sessionToken)
      if (!tokenHash) throw new Error("the session token is malformed")
      if (await isBlocked(runtime, session.userId)) {
        context.onBlocked?.()
        return session
      }
      const { userId, expires: expiresAt } = session
      try {
        if (!(await startSession(runtime, { tokenHash, userId, expiresAt }, context))) context.onBlocked?.()
      } catch (error) {
        if (!(error instanceof UserDeleted || error instanceof SignInEnded)) throw error
        context.onEnded?.()
      }
      return session
    },
    // Never called: actor-of-cookies.ts and sessions.ts read and end sessions, and no next-auth route is exposed.
    getSessionAndUser: async () => null,
    updateSession: async () => null,
    deleteSession: async () => undefined,
  } satisfies Partial<Adapter>
}

/** Creates next-auth's adapter. Users are created by `createAccount`; sessions and links are stored by their hashes only. */
export function createAdapter(runtime: Runtime, context: AdapterContext): Adapter {
  return {
    ...users(runtime, context),
    ...sessions(runtime, context),
    async createVerificationToken({ token, identifier, expires }) {
      const { clientAddress, isKnownBrowser = false } = context
      const sent = { tokenHash: token, email: identifier, clientAddress, isKnownBrowser, expiresAt: expires }
      const limit = await storeSignInToken(runtime, sent)
      if (limit) context.onLimited?.(limit)
      else context.onStored?.(token)
      return { token, identifier, expires }
    },
    async useVerificationToken({ token, identifier }) {
      if (!(await consumeSignInToken(runtime, token, identifier))) return null
      // The database has checked the expiry already.
      return { token, identifier, expires: new Date(Date.now() + 60_000) }
    },
  }
}

import { z } from "zod"
import { listOperatorTokens, revokeOperatorToken } from "@/lib/server/accounts/operator-tokens"
import { listLedgerChecks, requestLedgerCheck } from "@/lib/server/ledger/check-runs"
import { listQueuedMail, resendMail } from "@/lib/server/mail/mail-queue"
import type { OperatorActor } from "@/lib/server/platform/actor"
import { ServiceError } from "@/lib/shared/errors"
import { OneMail } from "@/lib/shared/operator/forms"
import { Done, Id, Time } from "./admin-fields"
import { admin } from "./admin-operation"
import type { Operation } from "./operation"

const TOKENS: readonly Operation<OperatorActor>[] = [
  admin({
    tag: "Tokens",
    right: "service.operate",
    id: "listOperatorTokens",
    method: "GET",
    path: "/tokens",
    summary: "List the operators' tokens",
    verbs: ["accounts/operator-tokens.ts listOperatorTokens"],
    Result: z.strictObject({
      data: z.array(
        z.strictObject({
          id: Id("opt", "The token's public id."),
          name: z.string(),
          masked: z.string(),
          scopes: z.array(z.string()),
          created_at: Time("When it was created."),
          created_by: z.string().nullable().meta({ description: "Null for the command line." }),
          expires_at: Time("When it expires; null for never.").nullable(),
          last_used_at: Time("To the minute.").nullable(),
          status: z.enum(["active", "expired", "ended"]),
        }),
      ),
    }),
    run: async ({ runtime, actor }) => ({
      data: (await listOperatorTokens(runtime, actor)).map((token) => ({
        id: token.id,
        name: token.name,
        masked: token.masked,
        scopes: token.rights,
        created_at: token.createdAt,
        created_by: token.createdBy,
        expires_at: token.expiresAt,
        last_used_at: token.lastUsedAt,
        status: token.status,
      })),
    }),
  }),
  admin({
    tag: "Tokens",
    right: "service.operate",
    id: "revokeOperatorToken",
    method: "DELETE",
    path: "/tokens/{token}",
    summary: "Revoke an operator's token",
    description: "Its next request is refused. A token can revoke itself.",
    verbs: ["accounts/operator-tokens.ts revokeOperatorToken"],
    endsToken: true,
    Result: Done,
    run: async ({ runtime, actor, ids: { token: id = "" } }) => revokeOperatorToken(runtime, actor, { id }),
  }),
]

const CHECKS: readonly Operation<OperatorActor>[] = [
  admin({
    tag: "Ledger",
    right: "service.read",
    id: "listLedgerChecks",
    method: "GET",
    path: "/ledger/checks",
    summary: "List the checks of the ledger",
    verbs: ["ledger/check-runs.ts listLedgerChecks"],
    Result: z.strictObject({
      data: z.array(
        z.strictObject({
          id: z.string(),
          requested_at: Time("When it was requested."),
          finished_at: Time("When it ended; null before.").nullable(),
          ok: z.boolean().nullable().meta({ description: "Whether every invariant holds; null until it is known." }),
        }),
      ),
    }),
    run: async ({ runtime, actor }) => ({
      data: (await listLedgerChecks(runtime, actor)).map(({ id, requestedAt, finishedAt, ok }) => ({
        id,
        requested_at: requestedAt,
        finished_at: finishedAt,
        ok,
      })),
    }),
  }),
  admin({
    tag: "Ledger",
    right: "service.finance",
    id: "requestLedgerCheck",
    method: "POST",
    path: "/ledger/checks",
    summary: "Request a check of the whole ledger",
    verbs: ["ledger/check-runs.ts requestLedgerCheck"],
    Result: z.strictObject({ requested: z.boolean() }),
    run: async ({ runtime, actor }) => {
      await requestLedgerCheck(runtime, actor)
      return { requested: true }
    },
  }),
]

const MAILS: readonly Operation<OperatorActor>[] = [
  admin({
    tag: "Mail",
    right: "service.read",
    id: "listMail",
    method: "GET",
    path: "/mail",
    summary: "List queued mails",
    description: "Returns at most 100 mails of the last 30 days: first those that were given up.",
    verbs: ["mail/mail-queue.ts listQueuedMail"],
    Result: z.strictObject({
      data: z.array(
        z.strictObject({
          id: z.string(),
          label: z.string(),
          account_id: z.string(),
          state: z.enum(["waiting", "given_up", "sent"]),
          attempts: z.int(),
          created_at: Time("When it was queued."),
        }),
      ),
    }),
    run: async ({ runtime, actor }) => ({
      data: (await listQueuedMail(runtime, actor)).map(({ id, label, accountId, state, attempts, createdAt }) => ({
        id,
        label,
        account_id: accountId,
        state,
        attempts,
        created_at: createdAt,
      })),
    }),
  }),
  admin({
    tag: "Mail",
    right: "service.operate",
    id: "resendMail",
    method: "POST",
    path: "/mail/{mail}/resend",
    summary: "Send a mail that was given up again",
    verbs: ["mail/mail-queue.ts resendMail"],
    Result: Done,
    run: async ({ runtime, actor, ids }) => {
      const mail = OneMail.safeParse({ id: ids.mail })
      if (!mail.success) throw new ServiceError("not_found", { message: "There is no such mail." })
      return resendMail(runtime, actor, mail.data)
    },
  }),
]

/** The service itself in the admin API. */
export const SERVICE_OPERATIONS: readonly Operation<OperatorActor>[] = [...TOKENS, ...CHECKS, ...MAILS]

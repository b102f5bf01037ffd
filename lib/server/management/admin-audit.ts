import { z } from "zod"
import { listServiceAudit, listServiceAuditForward, type ServiceAuditLine } from "@/lib/server/audit/list-service-audit"
import type { OperatorActor } from "@/lib/server/platform/actor"
import { AuditCursor, AuditFilter } from "@/lib/shared/operator/search"
import { AUDIT_FIELDS, FORWARD } from "./account-audit"
import { Next } from "./admin-fields"
import { admin } from "./admin-operation"
import { accountIdOf } from "./admin-payments"
import { ForwardQuery, type Operation, PageQuery } from "./operation"

const Entry = z.strictObject({
  ...AUDIT_FIELDS,
  account_id: z.string().nullable(),
  client_address: z.string().nullable(),
})

const viewOf = ({ isByOperator: _, account, clientAddress, ...line }: ServiceAuditLine): z.input<typeof Entry> => ({
  ...line,
  account_id: account?.id ?? null,
  client_address: clientAddress,
})

const AUDIT = { tag: "Audit", right: "service.read", method: "GET" } as const
const OfAccount = z.string().max(40).nullable().default(null).meta({ description: "Only those of this account." })

/** The audit log of the service in the admin API. */
export const AUDIT_OPERATIONS: readonly Operation<OperatorActor>[] = [
  admin({
    ...AUDIT,
    id: "listAudit",
    path: "/audit",
    summary: "List the audit log",
    description: "Returns the entries of the service or of one account, newest first.",
    verbs: ["audit/list-service-audit.ts listServiceAudit"],
    Query: PageQuery.extend({
      after: AuditCursor.nullable().default(null).meta({ description: "The `next` of the page before." }),
      account: OfAccount,
      show: AuditFilter.default("all"),
    }),
    Result: z.strictObject({ data: z.array(Entry), next: Next }),
    run: async ({ runtime, actor, query: { account, ...page } }) => {
      const { lines, next } = await listServiceAudit(runtime, actor, { ...page, accountId: accountIdOf(account) })
      return { data: lines.map(viewOf), next }
    },
  }),
  admin({
    ...AUDIT,
    id: "exportAudit",
    path: "/audit/export",
    summary: "Export the audit log",
    description: FORWARD,
    verbs: ["audit/list-service-audit.ts listServiceAuditForward"],
    isLines: true,
    Query: ForwardQuery.extend({ account: OfAccount }),
    Result: z.array(Entry),
    run: async ({ runtime, actor, query: { account, ...page } }) =>
      (await listServiceAuditForward(runtime, actor, { ...page, accountId: accountIdOf(account) })).map(viewOf),
  }),
]

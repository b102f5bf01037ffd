import { z } from "zod"
import { listAuditForward } from "@/lib/server/audit/list-audit"
import type { TokenActor } from "@/lib/server/platform/actor"
import { Time } from "./admin-fields"
import { ForwardQuery, type Operation, operationsOf } from "./operation"

/** What the export says of each entry, to an account as to operators. */
export const AUDIT_FIELDS = {
  id: z.string().meta({ description: "A whole number as text. Later lines have larger ones." }),
  at: Time("When it happened."),
  action: z.string().meta({ description: "Such as `key.create`." }),
  subject: z.string().nullable().meta({ description: "The id of what was changed." }),
  detail: z.string().nullable(),
  by: z.string().meta({ description: "An address, a token by its name, or what acted." }),
}

/** How a program reads the export on, as the documents say it. */
export const FORWARD =
  "Returns JSON Lines (`application/jsonl`), oldest entry first. Send the `id` of the last line as `after` to continue; an empty response means that there is nothing new. No entry is ever skipped: one that is still being written holds back those after it. Entries do not change, except that addresses and the details of sign-ins are erased with their user or account."

/** The audit log of an account, for programs of its owners. */
export const AUDIT_OPERATIONS: readonly Operation<TokenActor>[] = [
  operationsOf<TokenActor>()({
    tag: "Audit",
    right: "audit.read",
    id: "exportAudit",
    method: "GET",
    path: "/audit/export",
    summary: "Export the audit log",
    description: FORWARD,
    verbs: ["audit/list-audit.ts listAuditForward"],
    isLines: true,
    Query: ForwardQuery,
    Result: z.array(z.strictObject({ ...AUDIT_FIELDS, client_address: z.string().nullable() })),
    run: async ({ runtime, actor, query }) =>
      (await listAuditForward(runtime, actor, query)).map(
        ({ keyName: _name, person: _person, clientAddress, ...line }) => ({ ...line, client_address: clientAddress }),
      ),
  }),
]

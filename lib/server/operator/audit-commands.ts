import { Command, Option } from "commander"
import { describeAction } from "@/lib/server/audit/actions"
import { listServiceAudit } from "@/lib/server/audit/list-service-audit"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { AuditFilter } from "@/lib/shared/operator/search"
import { auditCursor, whole } from "./arguments"
import { ACCOUNT, operatorOn } from "./named-account"
import { type Outcome, type RunCommand, table } from "./outcome"

interface ListOptions {
  limit: number
  after?: string | null
  account?: string
  show: AuditFilter
}

async function list({ limit, after = null, account, show }: ListOptions): Promise<Outcome> {
  const accountId = account === undefined ? null : (await operatorOn(account)).accountId
  const { lines, next } = await listServiceAudit(runtime(), OPERATOR, { limit, after, accountId, show })
  const rows = lines.map((line) => [
    line.at.slice(0, 19).replace("T", " "),
    describeAction(line.action),
    [line.detail, line.subject].filter(Boolean).join(" ") || null,
    line.account?.email ?? line.account?.id ?? null,
    line.by,
  ])
  const text = table(["Time (UTC)", "What happened", "Detail", "Account", "By"], rows)
  return {
    json: {
      entries: lines.map(({ isByOperator, clientAddress, ...line }) => ({
        ...line,
        by_operator: isByOperator,
        client_address: clientAddress,
      })),
      next,
    },
    text: next === null ? text : `${text}\n\nMore: add --after ${next}`,
  }
}

const MAX_LISTED = 1_000

/** `audit list` */
export const auditCommands = (act: RunCommand): Command =>
  new Command("audit").description("read the audit log").addCommand(
    new Command("list")
      .description("list audit entries of the service or of one account, newest first")
      .option("--limit <n>", "how many to list at once", whole(1, MAX_LISTED), 50)
      .option("--after <next>", "continue after this page: its `next`", auditCursor)
      .option("--account <account>", `only those of one account: ${ACCOUNT}`)
      .addOption(new Option("--show <which>", "which entries").choices(AuditFilter.options).default("all"))
      .action((options: ListOptions) => act(() => list(options))),
  )

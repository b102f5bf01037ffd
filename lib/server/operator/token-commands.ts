import { Command } from "commander"
import { createOperatorToken, listOperatorTokens, revokeOperatorToken } from "@/lib/server/accounts/operator-tokens"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { TOKEN_DAYS } from "@/lib/shared/accounts/schema"
import { OPERATOR_SCOPES } from "@/lib/shared/operator/operator-scopes"
import { CreateOperatorTokenInput } from "@/lib/shared/operator/tokens"
import { DAY_MS } from "@/lib/shared/time"
import { facts, type Outcome, type RunCommand, table } from "./outcome"

async function create(input: CreateOperatorTokenInput): Promise<Outcome> {
  const { id, name, token } = await createOperatorToken(runtime(), OPERATOR, input)
  const text = facts([
    ["Id", id],
    ["Name", name],
    ["Scopes", input.rights.join(", ")],
    ["Expires", input.expiresAt ?? "never"],
    ["Token", token],
  ])
  const json = { id, name, scopes: input.rights, expires_at: input.expiresAt, token }
  return { json, text: `${text}\n\nThe token is shown only once. Store it in a safe place.` }
}

async function list(): Promise<Outcome> {
  const tokens = await listOperatorTokens(runtime(), OPERATOR)
  const rows = tokens.map(({ id, name, masked, rights, createdBy, expiresAt, lastUsedAt, status }) => [
    id,
    name,
    masked,
    rights.join(", "),
    createdBy ?? "Command line",
    expiresAt?.slice(0, 10) ?? "never",
    lastUsedAt?.slice(0, 16).replace("T", " ") ?? "never",
    status,
  ])
  const json = tokens.map((token) => ({
    id: token.id,
    name: token.name,
    masked: token.masked,
    scopes: token.rights,
    created_at: token.createdAt,
    created_by: token.createdBy,
    expires_at: token.expiresAt,
    last_used_at: token.lastUsedAt,
    status: token.status,
  }))
  const heads = ["Id", "Name", "Token", "Scopes", "Created by", "Expires", "Last used", "Status"]
  return { json: { tokens: json }, text: table(heads, rows) }
}

async function revoke(id: string): Promise<Outcome> {
  await revokeOperatorToken(runtime(), OPERATOR, { id })
  return { json: { id, status: "revoked" }, text: `Revoked ${id}.` }
}

interface CreateOptions {
  scope: string
  expiresAt?: string
  never?: boolean
}

/** `token create|list|revoke` */
export function tokenCommands(act: RunCommand): Command {
  const createCommand = new Command("create")
    .description("create a token for a program that operates the service, and print it once")
    .argument("<name>", "what the token is for")
    .requiredOption("--scope <scopes>", `what it may do, separated by commas: ${OPERATOR_SCOPES.join(", ")}`)
    .option("--expires-at <iso>", `when it expires, such as 2027-01-31 (default: in ${TOKEN_DAYS} days)`)
    .option("--never", "let it work until it is revoked")
  createCommand.action((name: string, { scope, expiresAt, never = false }: CreateOptions) => {
    if (never && expiresAt !== undefined) createCommand.error("error: --never and --expires-at exclude each other")
    const end = expiresAt ?? new Date(Date.now() + TOKEN_DAYS * DAY_MS).toISOString()
    const input = { name, rights: scope.split(","), expiresAt: never ? null : end }
    // Parsed here too, so that a wrong option exits with 2 before the database is opened.
    const parsed = CreateOperatorTokenInput.parse(input)
    return act(() => create(parsed))
  })
  return new Command("token")
    .description("manage the tokens of programs that operate the service")
    .addCommand(createCommand)
    .addCommand(new Command("list").description("list the tokens that were not revoked").action(() => act(list)))
    .addCommand(
      new Command("revoke")
        .description("revoke a token for good")
        .argument("<id>", "opt_…, as `token list` prints it")
        .action((id: string) => act(() => revoke(id))),
    )
}

import { createOperatorToken } from "@/lib/server/accounts/operator-tokens"
import { ACCOUNT_API } from "@/lib/server/management/account-api"
import { ADMIN_API } from "@/lib/server/management/admin-api"
import { answerManagement, type ManagementApi } from "@/lib/server/management/answer"
import { findOperation } from "@/lib/server/management/find-operation"
import { type Actor, OPERATOR, type OperatorActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import type { Right } from "@/lib/shared/accounts/roles"
import { OPERATOR_SCOPES } from "@/lib/shared/operator/operator-scopes"

interface Sending {
  body?: unknown
  headers?: Record<string, string>
  bearer?: string
}

/** Creates a token of the operator, by default with every scope and of the command line. Returns its secret and its id. */
export const operatorToken = (
  name: string,
  rights: readonly Right[] = OPERATOR_SCOPES,
  actor: OperatorActor = OPERATOR,
) =>
  createOperatorToken(runtime(), actor, {
    name,
    rights: OPERATOR_SCOPES.filter((scope) => rights.includes(scope)),
    expiresAt: null,
  })

/** Returns a function that sends requests with a token to an API. It returns the status, the headers and the parsed body. */
const senderTo =
  <CallActor extends Actor>(api: ManagementApi<CallActor>) =>
  (token: string) =>
  async (method: string, path: string, { body, headers, bearer = token }: Sending = {}) => {
    const request = new Request(`http://localhost:3000${api.base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const response = await answerManagement(runtime(), api, request)
    const isLines = response.headers.get("content-type") === "application/jsonl"
    const answer = isLines
      ? (await response.text())
          .split("\n")
          .slice(0, -1)
          .map((line) => JSON.parse(line))
      : await response.json()
    // Every 200 is what the document describes.
    if (response.status === 200)
      findOperation(api.operations, method, path.split("?", 1)[0] ?? path).operation.Result.parse(answer)
    return { status: response.status, headers: response.headers, body: answer }
  }

export const adminSender = senderTo(ADMIN_API)
export const accountSender = senderTo(ACCOUNT_API)

/** Returns the status and the error's code of a response. */
export const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
  status,
  body.error?.code,
]

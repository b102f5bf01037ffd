import { verifyAccountToken } from "@/lib/server/accounts/verify-account-token"
import { requireWithinRate } from "@/lib/server/limits/fixed-rates"
import type { TokenActor } from "@/lib/server/platform/actor"
import { addressBlock } from "@/lib/server/platform/client-address"
import { AUDIT_OPERATIONS } from "./account-audit"
import { MEMBER_OPERATIONS } from "./account-members"
import type { ManagementApi } from "./answer"
import { keyOperations } from "./key-operations"
import type { OfAccount } from "./operation"

const OWN: OfAccount<TokenActor> = { base: "", onAccount: async ({ actor }) => actor }

/** The API of programs that manage one account. Each uses an account token with some of its creator's rights. */
export const ACCOUNT_API: ManagementApi<TokenActor> = {
  base: "/api/account",
  operations: [...keyOperations(OWN), ...MEMBER_OPERATIONS, ...AUDIT_OPERATIONS],
  authenticate: async (runtime, { headers }) => {
    const clientAddress = headers.get("x-svc-client")
    const client = addressBlock(clientAddress ?? "")
    return verifyAccountToken(runtime, headers.get("authorization") ?? undefined, client, clientAddress)
  },
  count: (runtime, actor) => requireWithinRate(runtime, "account", actor.tokenId),
}

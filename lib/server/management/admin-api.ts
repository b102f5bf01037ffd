import { verifyOperatorToken } from "@/lib/server/accounts/verify-operator-token"
import { requireWithinRate } from "@/lib/server/limits/fixed-rates"
import type { OperatorActor } from "@/lib/server/platform/actor"
import { addressBlock } from "@/lib/server/platform/client-address"
import { ACCOUNT_OPERATIONS } from "./admin-accounts"
import { ALIAS_OPERATIONS } from "./admin-alias"
import { ALLOWANCE_OPERATIONS } from "./admin-allowances"
import { AUDIT_OPERATIONS } from "./admin-audit"
import { CREDIT_OPERATIONS } from "./admin-credits"
import { MODEL_OPERATIONS } from "./admin-models"
import { OF_ACCOUNT } from "./admin-operation"
import { PAYMENT_OPERATIONS } from "./admin-payments"
import { SERVICE_OPERATIONS } from "./admin-service"
import type { ManagementApi } from "./answer"
import { keyOperations } from "./key-operations"

/** The API of programs that operate the service. Each uses a token with some of its creator's rights. */
export const ADMIN_API: ManagementApi<OperatorActor> = {
  base: "/api/admin/v1",
  operations: [
    ...ACCOUNT_OPERATIONS,
    ...keyOperations(OF_ACCOUNT),
    ...CREDIT_OPERATIONS,
    ...PAYMENT_OPERATIONS,
    ...ALLOWANCE_OPERATIONS,
    ...MODEL_OPERATIONS,
    ...ALIAS_OPERATIONS,
    ...AUDIT_OPERATIONS,
    ...SERVICE_OPERATIONS,
  ],
  authenticate: async (runtime, { headers }) => {
    const clientAddress = headers.get("x-svc-client")
    return verifyOperatorToken(runtime, headers.get("authorization") ?? undefined, {
      client: addressBlock(clientAddress ?? ""),
      clientAddress,
    })
  },
  count: (runtime, actor) => requireWithinRate(runtime, "admin", actor.token?.id ?? ""),
}

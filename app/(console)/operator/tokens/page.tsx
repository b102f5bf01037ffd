import { PageHeader } from "@/components/ui/page-header"
import { listOperatorTokens } from "@/lib/server/accounts/operator-tokens"
import { requireOperator } from "@/lib/server/auth/operator"
import { runtime } from "@/lib/server/platform/runtime"
import { TOKEN_DAYS } from "@/lib/shared/accounts/schema"
import { DAY_MS, dayOf } from "@/lib/shared/time"
import { operatorTitle } from "../_components/operator-title"
import { TokenList } from "./_components/token-list"

export const generateMetadata = () => operatorTitle("Tokens")

export default async function TokensPage() {
  const operator = await requireOperator("/operator/tokens")
  const expiryDay = dayOf(new Date(Date.now() + TOKEN_DAYS * DAY_MS))
  return (
    <>
      <PageHeader title="Tokens">
        For programs that operate this service through the admin API. A token has the scopes that you choose, and ends
        when the operator who created it no longer operates the service.
      </PageHeader>
      <TokenList tokens={await listOperatorTokens(runtime(), operator)} expiryDay={expiryDay} />
    </>
  )
}

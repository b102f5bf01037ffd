import { redirect } from "next/navigation"
import { LinkButton } from "@/components/ui/link-button"
import { PageHeader } from "@/components/ui/page-header"
import { requireOperatorUser } from "@/lib/server/auth/operator"
import { returnPath } from "@/lib/server/auth/return-path"
import { isConfirmed } from "@/lib/server/platform/actor"
import { ConfirmOrError } from "../../_components/confirm/confirm-or-error"
import { operatorTitle } from "../_components/operator-title"

export const generateMetadata = () => operatorTitle("Confirm that it is you")

const HOME = "/operator"

/**
 * Asks an operator who opened no mailed link and used no passkey in this session within 24 hours to confirm, then leads to the page that
 * was opened. A sign-in with the OpenID provider does not count.
 */
export default async function ConfirmPage({ searchParams }: PageProps<"/operator/confirm">) {
  const user = await requireOperatorUser()
  const wanted = returnPath((await searchParams).next)
  const next = wanted.startsWith(HOME) ? wanted : HOME
  if (isConfirmed(user, "operator")) redirect(next)
  return (
    <>
      <PageHeader title="Confirm that it is you">
        The operator's area shows every account and can move its money, so it needs a mailed link or a passkey once in
        24 hours.
      </PageHeader>
      <div className="flex max-w-text flex-col items-start gap-4">
        <ConfirmOrError
          error={{ code: "confirmation_required", message: "", param: "operate" }}
          submitLabel="Continue"
          returnTo={next}
        />
        <LinkButton href={next}>Continue</LinkButton>
      </div>
    </>
  )
}

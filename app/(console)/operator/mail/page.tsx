import { EmptyState } from "@/components/ui/empty-state"
import { PageHeader } from "@/components/ui/page-header"
import { requireOperator } from "@/lib/server/auth/operator"
import { listQueuedMail } from "@/lib/server/mail/mail-queue"
import { runtime } from "@/lib/server/platform/runtime"
import { operatorTitle } from "../_components/operator-title"
import { MailList } from "./_components/mail-list"

export const generateMetadata = () => operatorTitle("Mail")

export default async function MailPage() {
  const operator = await requireOperator("/operator/mail")
  const mails = await listQueuedMail(runtime(), operator)
  return (
    <>
      <PageHeader title="Mail">
        Warnings, receipts and notices of the last 30 days. Each is tried for about two days. A mail to an address that
        lost access is tried for 23 hours. Sign-in links are never stored, so they are not listed here.
      </PageHeader>
      {mails.length > 0 ? (
        <MailList mails={mails} />
      ) : (
        <EmptyState title="No queued mail">
          Mails appear here when something happens to an account, such as a low balance or a new key.
        </EmptyState>
      )}
    </>
  )
}

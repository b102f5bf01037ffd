import { PageHeader } from "@/components/ui/page-header"
import { channelsView } from "../../../../webhooks/_components/channels-view"
import { lookAt } from "../../../_components/look-at"
import { operatorTitle } from "../../../_components/operator-title"

export const generateMetadata = () => operatorTitle("Alerts of an account")

export default async function AccountWebhooksPage({ params }: PageProps<"/operator/accounts/[id]/webhooks">) {
  const actor = await lookAt("/webhooks", params)
  return (
    <>
      <PageHeader title="Alerts">Where the account's webhooks and Slack messages go, and what was sent.</PageHeader>
      <div className="flex flex-col gap-10">{await channelsView(actor)}</div>
    </>
  )
}

import { TextLink } from "@/components/ui/text-link"
import type { Creation } from "@/lib/shared/accounts/members"

const KINDS: Record<Creation["kind"], { label: string; href: (id: string) => string }> = {
  key: { label: "Key", href: (id) => `/keys/${id}` },
  token: { label: "Account token", href: () => "/settings#tokens" },
  webhook: { label: "Webhook", href: () => "/settings/webhooks" },
}

/** Lists keys, account tokens and webhooks, with links to where each can be changed. */
export function CreationList({ creations }: { creations: readonly Creation[] }) {
  return (
    <ul className="flex flex-col rounded-md border border-line text-sm">
      {creations.map(({ kind, id, name, masked }) => (
        <li
          key={id}
          className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 border-line px-3 py-2 [&:not(:first-child)]:border-t"
        >
          <span className="w-28 shrink-0 text-ink-muted">{KINDS[kind].label}</span>
          <TextLink alone href={KINDS[kind].href(id)} className="wrap-anywhere">
            {name}
          </TextLink>
          {masked ? <span className="break-all font-mono text-ink-muted">{masked}</span> : null}
        </li>
      ))}
    </ul>
  )
}

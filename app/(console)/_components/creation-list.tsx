import { TextLink } from "@/components/ui/text-link"
import type { Creation } from "@/lib/shared/accounts/members"

const KINDS: Record<Creation["kind"], { label: string; href: (id: string) => string }> = {
  key: { label: "Key", href: (id) => `/keys/${id}` },
  token: { label: "Account token", href: () => "/settings#tokens" },
  webhook: { label: "Webhook", href: () => "/webhooks" },
}

const MADE: Record<Creation["made"], string | null> = {
  all: null,
  secret: "Secret replaced",
  old_secret: "Old secret, still valid",
}

/** Lists keys, account tokens and webhooks, with links to where each can be changed. */
export function CreationList({ creations }: { creations: readonly Creation[] }) {
  return (
    <ul className="flex flex-col rounded-md border border-line text-sm">
      {creations.map(({ kind, id, name, masked, made }) => (
        <li
          key={id}
          className="grid gap-x-3 gap-y-0.5 border-line px-3 py-2 sm:grid-cols-[7rem_minmax(0,1fr)] [&:not(:first-child)]:border-t"
        >
          <span className="text-ink-muted">{KINDS[kind].label}</span>
          <span className="flex flex-wrap gap-x-3 gap-y-0.5">
            <TextLink alone href={KINDS[kind].href(id)} className="wrap-anywhere">
              {name}
            </TextLink>
            {masked ? <span className="break-all font-mono text-ink-muted">{masked}</span> : null}
            {MADE[made] ? <span className="text-ink-muted">{MADE[made]}</span> : null}
          </span>
        </li>
      ))}
    </ul>
  )
}

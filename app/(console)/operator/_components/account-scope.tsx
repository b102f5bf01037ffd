import { TextLink } from "@/components/ui/text-link"

/** Links to the page of an account, by its address if it has one. */
export function AccountLink({ account: { id, email } }: { account: { id: string; email: string | null } }) {
  return (
    <TextLink alone href={`/operator/accounts/${id}`} className="wrap-anywhere">
      {email ?? id}
    </TextLink>
  )
}

interface AccountScopeProps {
  /** What is limited: "payments". */
  of: string
  /** `acc_…` */
  account: string
  /** The address of the list of all accounts. */
  all: string
}

/** Shows that a list is limited to one account, with a link to the whole list. */
export function AccountScope({ of, account, all }: AccountScopeProps) {
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-ink-muted">
      <span>
        Only {of} of{" "}
        <TextLink href={`/operator/accounts/${account}`} className="break-all font-mono text-sm">
          {account}
        </TextLink>
        .
      </span>
      <TextLink alone href={all}>
        Show all accounts
      </TextLink>
    </p>
  )
}

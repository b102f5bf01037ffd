/** Where users get help. Null in both fields means that the operator has set no contact. */
export interface Support {
  email: string | null
  url: string | null
}

/** What every page shows of the company that runs this service. */
export interface Site {
  name: string
  /** The address of the logo; null for the built-in one. */
  logoUrl: string | null
  support: Support
  /** Terms, privacy notice and legal notice, as far as they are set. */
  legal: readonly { label: string; href: string }[]
}

/** Returns the link to support: its page, else its e-mail address; null when neither is set. */
export function supportHref({ email, url }: Support): string | null {
  return url ?? (email === null ? null : `mailto:${email}`)
}

/** Returns who helps, for a text without links: "support (help@example.com)", or "the operator of this service". */
export function supportText({ email, url }: Support): string {
  const contact = [email, url].filter((text) => text !== null).join(" or ")
  return contact === "" ? "the operator of this service" : `support (${contact})`
}

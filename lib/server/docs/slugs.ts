/** The pages of the docs in reading order. Each is `docs/guide/<slug>.md`; the first is `/docs`. */
export const SLUGS = [
  "index",
  "quickstart",
  "sdks",
  "openrouter",
  "openai",
  "api",
  "concepts",
  "models",
  "thresholds",
  "outcomes",
  "errors",
  "retries",
  "limits",
  "billing",
  "webhooks",
  "privacy",
  "scope",
  "changelog",
] as const

export type Slug = (typeof SLUGS)[number]

/** Returns the slug in an address; null for an unknown one, and for `index`, which is at `/docs`. */
export const findSlug = (text: string): Slug | null => SLUGS.find((slug) => slug === text && slug !== "index") ?? null

export const pathOf = (slug: Slug): string => (slug === "index" ? "/docs" : `/docs/${slug}`)

export const markdownPathOf = (slug: Slug): string => `${pathOf(slug)}.md`

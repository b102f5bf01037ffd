/** The docs' pages in reading order; each is `docs/guide/<slug>.md`. The first is `/docs` itself. */
export const SLUGS = ["index", "quickstart", "concepts", "models", "errors", "retries", "limits", "billing"] as const

export type Slug = (typeof SLUGS)[number]

/** The slug that an address names, or null. */
export const findSlug = (text: string): Slug | null => SLUGS.find((slug) => slug === text && slug !== "index") ?? null

/** Where a page is read. */
export const pathOf = (slug: Slug): string => (slug === "index" ? "/docs" : `/docs/${slug}`)

/** Where the same page is as Markdown. */
export const markdownPathOf = (slug: Slug): string => `${pathOf(slug)}.md`

import { cookies } from "next/headers"
import { CopyButton } from "@/components/ui/copy-button"
import { TextLink } from "@/components/ui/text-link"
import type { GuidePage } from "@/lib/server/docs/guide"
import { parseBody } from "@/lib/server/docs/parse"
import { searchGuide } from "@/lib/server/docs/search"
import type { Slug } from "@/lib/server/docs/slugs"
import { LANGUAGE_COOKIE, snippetLanguageOf } from "@/lib/shared/preferences"
import { Contents, Neighbours, PageLinks } from "./docs-nav"
import { MarkdownPage } from "./markdown"
import { readGuideOnce } from "./read-guide-once"
import { Search } from "./search"
import { SearchLink } from "./search-link"

function AsMarkdown({ page }: { page: GuidePage }) {
  return (
    <div className="flex items-center gap-3">
      <TextLink alone href={page.markdownPath} prefetch={false} target="_blank" className="text-sm">
        View as Markdown
      </TextLink>
      <CopyButton text={page.markdown} size="sm" label="Copy page" />
    </div>
  )
}

/** Renders a page of the docs between the list of pages and its table of contents. With `query`, also the search form and its results. */
export async function DocPage({ slug, query }: { slug: Slug; query?: string }) {
  const pages = await readGuideOnce()
  const page = pages.find((candidate) => candidate.slug === slug)
  if (!page) throw new Error(`The docs have no page ${slug}`)
  const { tokens, headings } = parseBody(page.markdown)
  const hits = query ? await searchGuide(pages.slice(1), query) : []
  const language = snippetLanguageOf((await cookies()).get(LANGUAGE_COOKIE)?.value)
  return (
    <div className="grid gap-x-10 gap-y-4 lg:grid-cols-[11rem_minmax(0,1fr)] xl:grid-cols-[11rem_minmax(0,1fr)_11rem]">
      <div className="flex flex-col gap-4 self-start max-lg:hidden lg:sticky lg:top-8">
        <SearchLink />
        <nav aria-label="Docs">
          <PageLinks pages={pages} current={page} />
        </nav>
      </div>
      <div className="lg:hidden">
        <SearchLink />
      </div>
      <details className="rounded-md border border-line px-3 lg:hidden">
        <summary className="py-2.5 font-medium pointer-coarse:py-3">All pages of the docs</summary>
        <nav aria-label="Docs" className="pb-2">
          <PageLinks pages={pages} current={page} />
        </nav>
      </details>
      {headings.length > 0 ? (
        <details className="rounded-md border border-line px-3 lg:hidden">
          <summary className="py-2.5 font-medium pointer-coarse:py-3">On this page</summary>
          <nav aria-label="On this page" className="pb-2">
            <Contents headings={headings} />
          </nav>
        </details>
      ) : null}
      <article className="flex min-w-0 flex-col gap-4">
        <header className="flex flex-col gap-2">
          <h1 className="font-semibold text-xl">{page.title}</h1>
          <p className="max-w-text text-ink-muted text-md">{page.summary}</p>
          <AsMarkdown page={page} />
        </header>
        {query === undefined ? null : <Search query={query} hits={hits} />}
        <MarkdownPage tokens={tokens} language={language} />
        <Neighbours pages={pages} current={page} />
      </article>
      <nav aria-label="On this page" className="self-start max-xl:hidden xl:sticky xl:top-8">
        <p className="pb-1 font-medium text-sm">On this page</p>
        <Contents headings={headings} />
      </nav>
    </div>
  )
}

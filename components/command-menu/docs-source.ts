import { type DocsHit, type DocsSection, indexDocs } from "@/lib/shared/search/search-docs"

export interface DocsSource {
  pages: { path: string; title: string }[]
  search: (query: string) => DocsHit[]
}

/** Loads the text of the docs and indexes it in this tab. */
export async function loadDocs(): Promise<DocsSource> {
  const response = await fetch("/docs/search.json")
  if (!response.ok) throw new Error(`/docs/search.json returned ${response.status}`)
  const sections: DocsSection[] = await response.json()
  const pages = sections.filter(({ path }) => !path.includes("#"))
  return { pages: pages.map(({ path, title }) => ({ path, title })), search: await indexDocs(sections) }
}

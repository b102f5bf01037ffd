import type { Metadata } from "next"
import { DocPage } from "./_components/doc-page"

export const metadata: Metadata = { title: "Docs", alternates: { types: { "text/markdown": "/docs.md" } } }

export default async function DocsPage({ searchParams }: PageProps<"/docs">) {
  const { q } = await searchParams
  return <DocPage slug="index" query={typeof q === "string" ? q.trim().slice(0, 100) : undefined} />
}

import type { Metadata } from "next"
import { DocPage } from "./_components/doc-page"

export const metadata: Metadata = { title: "Docs", alternates: { types: { "text/markdown": "/docs.md" } } }

interface DocsPageProps {
  searchParams: Promise<{ q?: string | string[] }>
}

export default async function DocsPage({ searchParams }: DocsPageProps) {
  const { q } = await searchParams
  return <DocPage slug="index" query={typeof q === "string" ? q.trim().slice(0, 100) : undefined} />
}

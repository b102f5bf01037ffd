import type { Metadata } from "next"
import { DocPage } from "./_components/doc-page"

export const metadata: Metadata = { title: "Docs", alternates: { types: { "text/markdown": "/docs.md" } } }

export default function DocsPage() {
  return <DocPage slug="index" />
}

import type { Metadata } from "next"
import { notFound } from "next/navigation"
import { findSlug, markdownPathOf } from "@/lib/server/docs/slugs"
import { DocPage } from "../_components/doc-page"
import { readGuideOnce } from "../_components/read-guide-once"

export async function generateMetadata({ params }: PageProps<"/docs/[slug]">): Promise<Metadata> {
  const slug = findSlug((await params).slug)
  const page = (await readGuideOnce()).find((one) => one.slug === slug)
  if (!slug || !page) return { title: "Page not found" }
  return {
    title: `${page.title} · Docs`,
    description: page.summary,
    alternates: { types: { "text/markdown": markdownPathOf(slug) } },
  }
}

export default async function SlugPage({ params }: PageProps<"/docs/[slug]">) {
  const slug = findSlug((await params).slug)
  if (!slug) notFound()
  return <DocPage slug={slug} />
}

import { notFound } from "next/navigation"
import { readGuide } from "@/lib/server/docs/guide"

/** Returns the Markdown source of a docs page. A rewrite serves it at `/docs/<page>.md`. */
export async function GET(_request: Request, { params }: { params: Promise<{ slug: string }> }): Promise<Response> {
  const { slug } = await params
  const page = (await readGuide()).find((one) => one.slug === slug)
  if (!page) notFound()
  return new Response(page.markdown, { headers: { "content-type": "text/markdown; charset=utf-8" } })
}

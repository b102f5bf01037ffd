import { notFound } from "next/navigation"
import { readGuide } from "@/lib/server/docs/guide"

/** `/docs/<page>.md`, by a rewrite: the Markdown that the page itself is drawn from. */
export async function GET(_request: Request, { params }: { params: Promise<{ slug: string }> }): Promise<Response> {
  const { slug } = await params
  const page = (await readGuide()).find((one) => one.slug === slug)
  if (!page) notFound()
  return new Response(page.markdown, { headers: { "content-type": "text/markdown; charset=utf-8" } })
}

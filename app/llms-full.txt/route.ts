import { readGuide } from "@/lib/server/docs/guide"

/** Returns every page of the docs as one Markdown text. */
export async function GET(): Promise<Response> {
  const text = (await readGuide()).map(({ markdown }) => markdown).join("\n")
  return new Response(text, { headers: { "content-type": "text/plain; charset=utf-8" } })
}

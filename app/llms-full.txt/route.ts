import { readGuide } from "@/lib/server/docs/guide"

export async function GET(): Promise<Response> {
  const text = (await readGuide()).map(({ markdown }) => markdown).join("\n")
  return new Response(text, { headers: { "content-type": "text/plain; charset=utf-8" } })
}

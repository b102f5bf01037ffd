import { readGuide } from "@/lib/server/docs/guide"
import { listSections } from "@/lib/server/docs/search"

/** Returns the text of the docs by section. The command menu searches it in the browser. */
export async function GET(): Promise<Response> {
  const [, ...pages] = await readGuide()
  return Response.json(listSections(pages), { headers: { "cache-control": "public, max-age=300" } })
}

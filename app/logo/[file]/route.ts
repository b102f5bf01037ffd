import { runtime } from "@/lib/server/platform/runtime"
import { logoPath } from "@/lib/server/platform/site"

/** Responds with `SERVICE_LOGO`; 404 for an outdated path. The console's Content-Security-Policy keeps scripts in an SVG from running. */
export async function GET(_: Request, { params }: { params: Promise<{ file: string }> }): Promise<Response> {
  const { SERVICE_LOGO: logo } = runtime().env
  const { file } = await params
  if (!logo || logoPath(logo) !== `/logo/${file}`)
    return new Response(null, { status: 404, headers: { "cache-control": "no-store" } })
  return new Response(new Uint8Array(logo.bytes), {
    headers: { "content-type": logo.type, "cache-control": "public, max-age=31536000, immutable" },
  })
}

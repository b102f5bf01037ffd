import type { NextConfig } from "next"

const config: NextConfig = {
  poweredByHeader: false,
  // `page.dev.tsx` is a page while developing, and no part of a build.
  pageExtensions: ["ts", "tsx", ...(process.env.NODE_ENV === "development" ? ["dev.tsx"] : [])],
  generateBuildId: () => process.env.BUILD_ID ?? null,
  // Types are checked by `npm test`, over the whole tree: a start does not wait for them.
  typescript: { ignoreBuildErrors: true },
  compress: true,
  images: { unoptimized: true },
  experimental: {
    // The edge has already refused a larger declared length. This also bounds a body of undeclared length.
    serverActions: { bodySizeLimit: "64kb" },
    // Lets a page respond with 403 through `forbidden()`.
    authInterrupts: true,
    // A build with the cache took 27 to 31 s the first time and 15 s after a change; without it, 20 s each time.
    turbopackFileSystemCacheForBuild: false,
  },
  turbopack: { root: import.meta.dirname },
  // The file was a part of the usage page, and the webhooks of the settings.
  redirects: async () => [
    { source: "/usage/requests.csv", destination: "/requests/export.csv", permanent: true },
    { source: "/settings/webhooks", destination: "/webhooks", permanent: true },
  ],
  // Serves each page of the docs as Markdown too, at its address with `.md`.
  rewrites: async () => [
    { source: "/docs.md", destination: "/docs-source/index" },
    { source: "/docs/:slug([a-z]+).md", destination: "/docs-source/:slug" },
  ],
  serverExternalPackages: ["pg", "pino", "nodemailer", "stripe"],
}

export default config

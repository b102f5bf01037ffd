import type { NextConfig } from "next"

const config: NextConfig = {
  poweredByHeader: false,
  // Types are checked by `npm test`, over the whole tree: a start does not wait for them.
  typescript: { ignoreBuildErrors: true },
  compress: true,
  images: { unoptimized: true },
  turbopack: { root: import.meta.dirname },
  serverExternalPackages: ["pg", "pino", "nodemailer", "stripe"],
}

export default config

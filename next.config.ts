import type { NextConfig } from "next"

const config: NextConfig = {
  poweredByHeader: false,
  compress: true,
  images: { unoptimized: true },
  turbopack: { root: import.meta.dirname },
  serverExternalPackages: ["pg", "pino", "nodemailer", "stripe"],
}

export default config

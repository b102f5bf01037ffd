import type { Metadata } from "next"

export const metadata: Metadata = { title: "Page not found" }

export { NotFoundPage as default } from "@/components/failure-page"

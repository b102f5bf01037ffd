import { BackLink } from "@/components/ui/page-header"
import { Skeleton } from "@/components/ui/skeleton"

const FACTS = ["spent", "limit", "used", "created", "expires", "id"]

export default function KeyLoading() {
  return (
    <>
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4 pb-6">
        <div className="min-w-0 flex-1 basis-64">
          <BackLink href="/keys">API keys</BackLink>
          <h1 className="mt-1">
            <span className="sr-only">API key</span>
            <Skeleton className="h-7 w-48" />
          </h1>
          <Skeleton className="mt-1 h-5 max-w-96" />
        </div>
        <Skeleton className="h-9 w-46 pointer-coarse:h-11" />
      </header>
      <div className="flex flex-col gap-8">
        <p role="status" className="sr-only">
          The key is loading
        </p>
        <div className="grid gap-x-8 gap-y-5 border-line border-y py-5 sm:grid-cols-2 lg:grid-cols-3">
          {FACTS.map((fact) => (
            <div key={fact} className="flex flex-col gap-1">
              <Skeleton className="h-5 w-24" />
              <Skeleton className="h-10" />
            </div>
          ))}
        </div>
        <div className="flex flex-col gap-4">
          <Skeleton className="h-6 w-36" />
          <Skeleton className="h-5 max-w-80" />
          <Skeleton className="h-64" />
        </div>
      </div>
    </>
  )
}

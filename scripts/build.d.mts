/** Bundles programs into a folder below the project. */
export function bundle(entryPoints: { in: string; out: string }[], outdir: string): Promise<void>

/** Bundles the server, its processes and workers, the operator's commands and other programs into a folder below the project. */
export function bundleServer(outdir?: string, others?: { in: string; out: string }[]): Promise<void>

/** Installs and builds what is missing or out of date. */
export function ensureBuilt(): Promise<void>

/** Bundles the server, its processes and workers, and the operator's commands into a folder below the project. */
export function bundleServer(outdir?: string): Promise<void>

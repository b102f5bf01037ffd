/** Returns the name of a model's file or folder, without the folders above it, which belong to the engine's machine. */
export const modelFile = (path: unknown): string | undefined =>
  typeof path === "string" ? path.split(/[/\\]/).findLast((part) => part !== "") : undefined

/** Returns the same for an absolute path, and any other name as it is: `owner/model` on a hub names no folder of a machine. */
export const modelName = (path: string): string => (/^([/\\~]|[A-Za-z]:)/.test(path) ? (modelFile(path) ?? path) : path)

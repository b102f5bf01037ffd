/** Generates `prisma/client` from the schema, offline, if it is missing or out of date. */
export function ensureGenerated(): Promise<void>
